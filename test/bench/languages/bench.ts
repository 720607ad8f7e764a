import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../../src/search/store/store.ts';
import { createParley } from '../retrieval/contenders.ts';
import type { Hit } from '../retrieval/measure.ts';
import { type Row, toRow } from '../row.ts';
import { makeTable, splitters } from './alternatives.ts';
import { commentLanguages, packages } from './packages.ts';
import { chunksOf, examineAll, prepareWorkspace, readCode, writeIndex } from './prepare.ts';
import { type CommentQuestion, forms, questionsOf } from './questions.ts';
import { nameQuestions, wordQuestions } from './shortQuestions.ts';
import { speedRows } from './speed.ts';

const bench = 'languages';
/** The share of questions whose file has to be among the first ten. */
const goal = 0.9;

/** Questions in English, for the time that they take. */
const english = [
  'how are the query parameters of a request encoded',
  'convert a date to a string in a given format',
  'find the element that was clicked and close the menu',
  'parse the response and return an error when the status is not ok',
  'getDaysInMonth',
  'merge two objects deeply',
  'scroll to the selected item of a list',
  'certificate of the signer',
  'which player joins the game and when does the tick start',
  'validate the number of a card',
];

/** Search without a model in code with comments in six languages: parts of those comments have to find their file. */
export async function benchLanguages(tell: (text: string) => void): Promise<Row[]> {
  const { root, leftOut } = await prepareWorkspace();
  if (leftOut.length > 0) tell(`languages: could not be fetched: ${leftOut.join(', ')}`);
  const files = await readCode(root);
  const start = performance.now();
  const changes = await examineAll(root);
  const examined = performance.now() - start;
  const questions = [...questionsOf(files), ...wordQuestions(files), ...nameQuestions(chunksOf(changes))];
  const folder = await mkdtemp(join(tmpdir(), 'parley-languages-'));
  try {
    const index = join(folder, 'index');
    const wholeMs = examined + writeIndex(index, root, changes);
    const store = openStore(index);
    const parley = createParley({ store, index })();
    const rows = [
      toRow({ bench, metric: 'packages', value: packages.length - leftOut.length, unit: '' }),
      toRow({ bench, metric: 'packages left out', value: leftOut.length, unit: '' }),
      toRow({ bench, metric: 'chunks', value: chunksOf(changes).length, unit: '' }),
      ...answerRows('Parley', questions, parley, tell),
    ];
    store.close();
    for (const [name, split] of Object.entries(splitters)) {
      const table = makeTable(folder, name, split, chunksOf(changes));
      rows.push(
        ...answerRows(`BM25 of ${name}`, questions, table.find),
        toRow({ bench, metric: `BM25 of ${name}: built in`, value: table.buildMs, unit: 'ms' }),
        toRow({ bench, metric: `BM25 of ${name}: size`, value: table.bytes / 1e6, unit: 'MB' }),
      );
      table.close();
    }
    rows.push(...speedRows(folder, chunksOf(changes), english, wholeMs));
    return rows;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function answerRows(
  name: string,
  questions: readonly CommentQuestion[],
  find: (text: string) => Hit[],
  tell?: (text: string) => void,
): Row[] {
  const answers = questions.map((question) => {
    const files = [...new Set(find(question.text).map(({ path }) => path))];
    return { question, rank: files.indexOf(question.path) };
  });
  for (const { question, rank } of answers) {
    if (rank < 0 || rank >= 10)
      tell?.(`languages: ${question.text} (${question.form} of ${question.of}): ${question.path}`);
  }
  const shares = (some: typeof answers, of: string): Row[] => {
    if (some.length === 0) return [];
    const share = (least: number): number => some.filter(({ rank }) => rank >= 0 && rank < least).length / some.length;
    return [
      ...(name === 'Parley' ? [toRow({ bench, metric: `${of}: questions`, value: some.length, unit: '' })] : []),
      toRow({ bench, metric: `${of}: file R@1, ${name}`, value: share(1), unit: '' }),
      toRow({
        bench,
        metric: `${of}: file R@10, ${name}`,
        value: share(10),
        unit: '',
        ...(name === 'Parley' && !of.includes(',')
          ? { goal: { of: 'value' as const, is: '>=' as const, bound: goal } }
          : {}),
      }),
    ];
  };
  return [
    ...shares(answers, 'all'),
    ...commentLanguages.flatMap((language) => {
      const own = answers.filter(({ question }) => question.language === language);
      const byForm = forms.flatMap((form) => {
        const some = own.filter(({ question }) => question.form === form);
        return some.length < own.length ? shares(some, `${language}, ${form}`) : [];
      });
      return [...shares(own, language), ...byForm];
    }),
  ];
}
