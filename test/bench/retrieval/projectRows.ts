import { type Row, toRow } from '../row.ts';
import { type Answered, ask, groups, summary } from './ask.ts';
import { createParley } from './contenders.ts';
import type { Figures } from './measure.ts';
import { close, type Prepared, prepare } from './prepare.ts';
import { projects, type Split, withFinal } from './projects.ts';
import { noGains, rules } from './rules.ts';

const bench = 'retrieval';
/** The ranking that Parley's is compared with. */
const before = 'rules of 0.4';
const contenders = ['Parley', before, 'FTS5, split and stemmed', 'words counted'] as const;
type Contender = (typeof contenders)[number];

/** All answers of a split, by who gave them; those with rules alone and left out are of the split that judges. */
interface Results {
  by: Map<string, Answered[]>;
  size: { projects: number; files: number; bytes: number };
}

/** Search without a model in whole projects: questions that were made by rule have to find the file. */
export async function projectRows(tell: (text: string) => void): Promise<Row[]> {
  const splits: Split[] = withFinal ? ['train', 'test', 'final'] : ['train', 'test'];
  const results = new Map<Split, Results>(
    splits.map((split) => [split, { by: new Map(), size: { projects: 0, files: 0, bytes: 0 } }]),
  );
  const asked = projects.filter(({ split }) => results.has(split));
  const leftOut: string[] = [];
  for (const [index, project] of asked.entries()) {
    const prepared = await prepare(project);
    if (prepared === undefined) {
      leftOut.push(project.name);
      continue;
    }
    const result = results.get(project.split);
    if (result !== undefined) askAll(prepared, result);
    close(prepared);
    tell(`retrieval: ${project.name} (${index + 1} of ${asked.length}), ${prepared.questions.length} questions`);
  }
  if (leftOut.length > 0) tell(`retrieval: could not be fetched: ${leftOut.join(', ')}`);
  return [
    toRow({ bench, metric: 'projects asked', value: asked.length - leftOut.length, unit: '' }),
    toRow({ bench, metric: 'projects left out', value: leftOut.length, unit: '' }),
    ...[...results].flatMap(([split, result]) => splitRows(split, result)),
    ...ruleRows(results.get('test')),
    ...goalRows(results.get('test')),
  ];
}

function askAll(prepared: Prepared, { by, size }: Results): void {
  const { baselines, project } = prepared;
  size.projects++;
  size.files += prepared.size.files;
  size.bytes += prepared.size.bytes;
  const parley = createParley(prepared);
  const add = (name: string, answers: readonly Answered[]): void => {
    by.set(name, [...(by.get(name) ?? []), ...answers]);
  };
  const finders: Record<Contender, (text: string) => ReturnType<typeof baselines.fts5>> = {
    Parley: parley(),
    [before]: baselines.rulesBefore,
    'FTS5, split and stemmed': baselines.fts5,
    'words counted': baselines.counted,
  };
  for (const name of contenders) add(name, ask(prepared, finders[name]));
  if (project.split !== 'test') return;
  add('no rule', ask(prepared, parley(noGains)));
  for (const { name, alone, without } of rules) {
    add(`only ${name}`, ask(prepared, parley(alone)));
    add(`without ${name}`, ask(prepared, parley(without)));
  }
}

const metrics: readonly (readonly [name: string, of: keyof Figures])[] = [
  ['NDCG@10', 'ndcg'],
  ['R@1', 'first'],
  ['R@10', 'ten'],
  ['MRR', 'reciprocal'],
];

function splitRows(split: Split, { by, size }: Results): Row[] {
  const answersOf = (name: string): Answered[] => by.get(name) ?? [];
  const rows: Row[] = [
    toRow({ bench, metric: `${split}: projects`, value: size.projects, unit: '' }),
    toRow({ bench, metric: `${split}: files`, value: size.files, unit: '' }),
    toRow({ bench, metric: `${split}: source`, value: size.bytes / 1e6, unit: 'MB' }),
    toRow({ bench, metric: `${split}: questions`, value: answersOf('Parley').length, unit: '' }),
  ];
  for (const name of contenders) {
    const { file, chunk } = summary(answersOf(name));
    for (const [metric, of] of metrics) {
      rows.push(toRow({ bench, metric: `${split}: file ${metric}, ${name}`, value: file[of], unit: '' }));
    }
    // Counting words finds files alone.
    if (name === 'words counted') continue;
    for (const [metric, of] of metrics) {
      rows.push(toRow({ bench, metric: `${split}: chunk ${metric}, ${name}`, value: chunk[of], unit: '' }));
    }
  }
  const keys: ((answer: Answered) => string)[] = [({ question }) => question.kind, ({ project }) => project.language];
  for (const keyOf of keys) {
    const old = new Map(groups(answersOf(before), keyOf));
    for (const [key, answers] of groups(answersOf('Parley'), keyOf)) {
      const now = summary(answers).file;
      const then = summary(old.get(key) ?? []).file;
      rows.push(toRow({ bench, metric: `${split}, ${key}: questions`, value: answers.length, unit: '' }));
      for (const [metric, of] of metrics) {
        const peer = { name: before, value: then[of] };
        rows.push(toRow({ bench, metric: `${split}, ${key}: file ${metric}`, value: now[of], unit: '', peer }));
      }
    }
  }
  return rows;
}

/** What each rule adds to none, and what is lost without it. */
function ruleRows(results: Results | undefined): Row[] {
  const ndcgOf = (name: string): number => summary(results?.by.get(name) ?? []).file.ndcg;
  const row = (metric: string, value: number): Row => toRow({ bench, metric: `test: ${metric}`, value, unit: '' });
  return [
    row('file NDCG@10, Parley without any rule', ndcgOf('no rule')),
    ...rules.flatMap(({ name }) => [
      row(`file NDCG@10 that ${name} add alone`, ndcgOf(`only ${name}`) - ndcgOf('no rule')),
      row(`file NDCG@10 that ${name} add to the others`, ndcgOf('Parley') - ndcgOf(`without ${name}`)),
    ]),
  ];
}

function goalRows(results: Results | undefined): Row[] {
  // Without a single project there is nothing to judge.
  if (results === undefined || results.size.projects === 0) return [];
  const [now, then] = ['Parley', before].map((name) => summary(results.by.get(name) ?? []).file.ndcg);
  return [
    toRow({
      bench,
      metric: `test: file NDCG@10 above the ${before}`,
      value: (now ?? 0) - (then ?? 0),
      unit: '',
      goal: { of: 'value', is: '>=', bound: 0.07 },
    }),
  ];
}
