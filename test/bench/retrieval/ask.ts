import { type Figures, figuresOf, type Hit, mean } from './measure.ts';
import type { Prepared } from './prepare.ts';
import type { Project } from './projects.ts';
import type { Question } from './questions.ts';

/** A question, and how well it was answered. */
export interface Answered {
  project: Project;
  question: Question;
  file: Figures;
  /** Absent where only the file is known. */
  chunk?: Figures;
}

/** Finds chunks for a question, the best first; who stands in for a model that knows the answer needs all of the question. */
export type AskedFinder = (text: string, question: Question) => Hit[];

/** Asks all questions of a project. */
export function ask({ project, questions }: Pick<Prepared, 'project' | 'questions'>, find: AskedFinder): Answered[] {
  return questions.map((question) => {
    const hits = find(question.text, question);
    const file = figuresOf(question, hits, 'file');
    if (question.lines === undefined) return { project, question, file };
    return { project, question, file, chunk: figuresOf(question, hits, 'chunk') };
  });
}

/** The means over answers: whether the right file was found, and the right chunk. */
export function summary(answers: readonly Answered[]): { file: Figures; chunk: Figures } {
  return { file: mean(answers.map(({ file }) => file)), chunk: mean(answers.flatMap(({ chunk }) => chunk ?? [])) };
}

/** Answers by a key, the keys in order. */
export function groups(
  answers: readonly Answered[],
  keyOf: (answer: Answered) => string,
): [key: string, answers: Answered[]][] {
  const found = new Map<string, Answered[]>();
  for (const answer of answers) {
    const group = found.get(keyOf(answer)) ?? [];
    found.set(keyOf(answer), group);
    group.push(answer);
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1));
}
