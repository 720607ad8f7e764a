import type { Question } from './questions.ts';

/** Chunks in the order in which they were found; files in the order of their first chunks. */
export interface Hit {
  path: string;
  startLine: number;
  endLine: number;
}

/** How well answers were found: shares of 1, means over questions. */
export interface Figures {
  questions: number;
  first: number;
  ten: number;
  reciprocal: number;
  ndcg: number;
}

export type Level = 'file' | 'chunk';

/** The figures of one question: whether the first hit, and any of the first ten, are right, 1 / rank, and NDCG@10. */
export function figuresOf(question: Question, hits: readonly Hit[], level: Level): Figures {
  const right = level === 'file' ? rightFiles(question, hits) : rightChunks(question, hits);
  const first = right.indexOf(true);
  const relevant = level === 'file' ? question.paths.length : 1;
  const gain = right.slice(0, 10).reduce((sum, isRight, index) => sum + (isRight ? discount(index) : 0), 0);
  let ideal = 0;
  for (let index = 0; index < Math.min(10, relevant); index++) ideal += discount(index);
  return {
    questions: 1,
    first: first === 0 ? 1 : 0,
    ten: first >= 0 && first < 10 ? 1 : 0,
    reciprocal: first < 0 ? 0 : 1 / (first + 1),
    ndcg: Math.min(1, gain / ideal),
  };
}

const discount = (index: number): number => 1 / Math.log2(index + 2);

function rightFiles({ paths }: Question, hits: readonly Hit[]): boolean[] {
  return [...new Set(hits.map(({ path }) => path))].map((path) => paths.includes(path));
}

/** Of several chunks with lines of the answer, the first that is found counts, and no other. */
function rightChunks({ paths: [path], lines }: Question, hits: readonly Hit[]): boolean[] {
  if (lines === undefined) return [];
  let isFound = false;
  return hits.map((hit) => {
    const isRight = hit.path === path && hit.startLine <= lines.end && hit.endLine >= lines.start;
    const isFirst = isRight && !isFound;
    isFound ||= isRight;
    return isFirst;
  });
}

/** The mean of figures, each question counting the same. */
export function mean(all: readonly Figures[]): Figures {
  const sum = { questions: 0, first: 0, ten: 0, reciprocal: 0, ndcg: 0 };
  for (const figures of all) {
    for (const name of Object.keys(sum) as (keyof Figures)[])
      sum[name] += figures[name] * (name === 'questions' ? 1 : figures.questions);
  }
  const { questions } = sum;
  const share = (value: number): number => (questions === 0 ? 0 : value / questions);
  return {
    questions,
    first: share(sum.first),
    ten: share(sum.ten),
    reciprocal: share(sum.reciprocal),
    ndcg: share(sum.ndcg),
  };
}
