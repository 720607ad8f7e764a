import { type Row, toRow } from '../row.ts';
import { type Answered, ask, groups, summary } from './ask.ts';
import { createHalves, createParley } from './contenders.ts';
import type { Figures } from './measure.ts';
import { close, type Prepared, prepare } from './prepare.ts';
import { projects, type Split, withFinal } from './projects.ts';
import { noGains, rules } from './rules.ts';
import { type Quality, qualities } from './vectors/qualities.ts';

const bench = 'retrieval';
/** The ranking that Parley's is compared with. */
const before = 'rules of 0.4';
const contenders = ['Parley', before, 'FTS5, split and stemmed', 'words counted'] as const;
type Contender = (typeof contenders)[number];

/** All answers of a split, by who gave them; those with rules alone and left out, and with vectors, are of the splits that judge. */
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
    ...[...results].flatMap(([split, result]) =>
      split === 'train'
        ? []
        : [
            ...ruleRows(split, result),
            ...goalRows(split, result),
            ...qualities.flatMap((quality) => hybridRows(split, result, quality)),
          ],
    ),
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
  if (project.split === 'train') return;
  const halves = createHalves(prepared);
  for (const quality of qualities) {
    add(`${quality} alone`, ask(prepared, halves[quality].alone));
    add(`${quality} and words`, ask(prepared, halves[quality].hybrid));
  }
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
function ruleRows(split: Split, results: Results): Row[] {
  const ndcgOf = ndcgIn(results);
  const row = (metric: string, value: number): Row => toRow({ bench, metric: `${split}: ${metric}`, value, unit: '' });
  return [
    row('file NDCG@10, Parley without any rule', ndcgOf('no rule')),
    ...rules.flatMap(({ name }) => [
      row(`file NDCG@10 that ${name} add alone`, ndcgOf(`only ${name}`) - ndcgOf('no rule')),
      row(`file NDCG@10 that ${name} add to the others`, ndcgOf('Parley') - ndcgOf(`without ${name}`)),
    ]),
  ];
}

const ndcgIn =
  ({ by }: Results) =>
  (name: string): number =>
    summary(by.get(name) ?? []).file.ndcg;

function goalRows(split: Split, results: Results): Row[] {
  // Without a single project there is nothing to judge.
  if (results.size.projects === 0) return [];
  const ndcgOf = ndcgIn(results);
  return [
    toRow({
      bench,
      metric: `${split}: file NDCG@10 above the ${before}`,
      value: ndcgOf('Parley') - ndcgOf(before),
      unit: '',
      goal: { of: 'value', is: '>=', bound: 0.07 },
    }),
  ];
}

/** How far apart two halves are at most of which both together must be better than either. */
const alike = 0.1;

/** What a half by meaning is worth, alone and with the words, and whether both together lose what the better one had. */
function hybridRows(split: Split, results: Results, quality: Quality): Row[] {
  if (results.size.projects === 0) return [];
  const ndcgOf = ndcgIn(results);
  const [words, meaning, both] = [ndcgOf('Parley'), ndcgOf(`${quality} alone`), ndcgOf(`${quality} and words`)];
  const bound = Math.abs(words - meaning) <= alike ? 0 : -0.01;
  const metric = (name: string): string => `${split}: file NDCG@10, ${quality}${name}`;
  return [
    toRow({ bench, metric: metric(' alone'), value: meaning, unit: '' }),
    toRow({ bench, metric: metric(' and words'), value: both, unit: '', peer: { name: 'words alone', value: words } }),
    toRow({
      bench,
      metric: metric(' and words, above the better half'),
      value: both - Math.max(words, meaning),
      unit: '',
      goal: { of: 'value', is: '>=', bound },
    }),
  ];
}
