/**
 * `node test/bench/retrieval/tune.ts [--split=train] [--rules] [--misses] [--keep] [PROJECT…]`: how well the ranking finds files
 * as it is now, by kind of question and by language. The first run fetches and indexes, later ones only ask. `--rules`
 * shows the figures without each rule, and of what Parley is compared with; `--misses` the questions whose file is not
 * the first; `--keep` takes indexes that an older chunker or word index made.
 */
import { parseArgs } from 'node:util';
import { toTable } from '../table.ts';
import { type Answered, ask, groups, summary } from './ask.ts';
import type { Finder } from './baselines.ts';
import { createParley } from './contenders.ts';
import { close, prepare } from './prepare.ts';
import { projects, splits, withFinal } from './projects.ts';
import { noGains, rules } from './rules.ts';

const { values, positionals } = parseArgs({
  options: {
    split: { type: 'string', default: 'train' },
    keep: { type: 'boolean', default: false },
    rules: { type: 'boolean', default: false },
    misses: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
if (!splits.some((split) => split === values.split)) throw new Error(`The splits are ${splits.join(', ')}.`);

const started = performance.now();
const answered: Answered[] = [];
const compared = new Map<string, Answered[]>();
let left = 0;
for (const project of projects) {
  if (positionals.length > 0 ? !positionals.includes(project.name) : project.split !== values.split) continue;
  if (project.split === 'final' && !withFinal)
    throw new Error('The final projects are not for tuning (CONTRIBUTING.md).');
  const prepared = await prepare(project, values.keep);
  if (prepared === undefined) {
    console.log(`${project.name} ${project.version} could not be fetched.`);
    left++;
    continue;
  }
  const parley = createParley(prepared);
  answered.push(...ask(prepared, parley()));
  const others: [string, Finder][] = values.rules
    ? [
        ...rules.map(({ name, without }): [string, Finder] => [`without ${name}`, parley(without)]),
        ['without any rule', parley(noGains)],
        ['rules of 0.4', prepared.baselines.rulesBefore],
        ['FTS5', prepared.baselines.fts5],
      ]
    : [];
  for (const [name, find] of others) compared.set(name, [...(compared.get(name) ?? []), ...ask(prepared, find)]);
  if (values.misses) {
    for (const { project: own, question, file } of answered) {
      if (own !== project || file.first === 1) continue;
      const [first] = parley()(question.text);
      console.log(`${project.name}  ${question.kind}  ${question.text}`);
      console.log(`    ${question.paths.join(' ')}  <-  ${first?.path ?? 'nothing'}`);
    }
  }
  close(prepared);
}

const head = ['', 'questions', 'NDCG@10', 'R@1', 'R@10', 'MRR', 'chunk R@1', 'R@10', 'MRR'];
const figure = (value: number): string => value.toFixed(3);
function line(name: string, some: readonly Answered[]): string[] {
  const { file, chunk } = summary(some);
  const cells = [file.ndcg, file.first, file.ten, file.reciprocal, chunk.first, chunk.ten, chunk.reciprocal];
  return [name, String(file.questions), ...cells.map(figure)];
}
const by = (keyOf: (answer: Answered) => string): string[][] =>
  groups(answered, keyOf).map(([key, some]) => line(key, some));
const gap = head.map(() => '');
const rows = [...by(({ question }) => question.kind), gap, ...by(({ project }) => project.language), gap];
if (positionals.length > 0) rows.push(...by(({ project }) => project.name), gap);
const others = [...compared].map(([name, some]) => line(name, some));
console.log(toTable(head, [...rows, line('all', answered), ...others]));
const seconds = ((performance.now() - started) / 1000).toFixed(0);
console.log(`${seconds} s${left > 0 ? `; ${left} projects left out` : ''}`);
