/**
 * `node test/bench/retrieval/tune.ts [--split=train] [--keep] [--misses] [PROJECT…]`: how well files are found by the ranking as it
 * is now, by kind of question and by language. The first run fetches and indexes; later ones take seconds. `--keep` takes
 * indexes that an older chunker or word index made, `--misses` lists the questions whose file is not the first.
 */
import { parseArgs } from 'node:util';
import { toTable } from '../table.ts';
import { createParley } from './contenders.ts';
import { type Figures, figuresOf, mean } from './measure.ts';
import { close, prepare } from './prepare.ts';
import { projects, splits } from './projects.ts';
import type { Question } from './questions.ts';

const { values, positionals } = parseArgs({
  options: {
    split: { type: 'string', default: 'train' },
    keep: { type: 'boolean', default: false },
    misses: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
if (!splits.some((split) => split === values.split)) throw new Error(`The splits are ${splits.join(', ')}.`);

interface Answered {
  language: string;
  project: string;
  question: Question;
  file: Figures;
  chunk: Figures | undefined;
}

const started = performance.now();
const answered: Answered[] = [];
let left = 0;
for (const project of projects) {
  if (positionals.length > 0 ? !positionals.includes(project.name) : project.split !== values.split) continue;
  const prepared = await prepare(project, values.keep);
  if (prepared === undefined) {
    console.log(`${project.name} ${project.version} could not be fetched.`);
    left++;
    continue;
  }
  const find = createParley(prepared.store)();
  for (const question of prepared.questions) {
    const hits = find(question.text);
    const file = figuresOf(question, hits, 'file');
    const chunk = question.lines === undefined ? undefined : figuresOf(question, hits, 'chunk');
    answered.push({ language: project.language, project: project.name, question, file, chunk });
    if (values.misses && file.first === 0) {
      console.log(
        `${project.name}  ${question.kind}  ${question.text}\n    ${question.paths.join(' ')}  <-  ${hits[0]?.path ?? '-'}`,
      );
    }
  }
  close(prepared);
}

const head = ['', 'questions', 'NDCG@10', 'R@1', 'R@10', 'MRR', 'chunk R@1', 'R@10', 'MRR'];
const figure = (value: number): string => value.toFixed(3);
function line(name: string, some: readonly Answered[]): string[] {
  const file = mean(some.map(({ file }) => file));
  const chunk = mean(some.flatMap(({ chunk }) => chunk ?? []));
  const cells = [file.ndcg, file.first, file.ten, file.reciprocal, chunk.first, chunk.ten, chunk.reciprocal];
  return [name, String(file.questions), ...cells.map(figure)];
}
function by(keyOf: (one: Answered) => string): string[][] {
  const keys = [...new Set(answered.map(keyOf))].sort();
  return keys.map((key) =>
    line(
      key,
      answered.filter((one) => keyOf(one) === key),
    ),
  );
}
const gap = head.map(() => '');
const rows = [...by(({ question }) => question.kind), gap, ...by(({ language }) => language), gap];
if (positionals.length > 0) rows.push(...by(({ project }) => project), gap);
console.log(toTable(head, [...rows, line('all', answered)]));
const seconds = ((performance.now() - started) / 1000).toFixed(0);
console.log(`${seconds} s${left > 0 ? `; ${left} projects left out` : ''}`);
