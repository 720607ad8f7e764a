import {
  type ApplyAnswer,
  applyByParley,
  type EditCase,
  judge,
  lostLines,
  type Outcome,
  readEditCases,
  type Verdict,
} from '../../corpus/editCases.ts';
import { checkEdits } from '../../properties/edits.ts';
import { rowsOfPart } from '../part.ts';
import { type Row, toRow } from '../row.ts';
import { replaceByExactSearch, replaceByFirstFence } from './peers.ts';
import { planRows } from './planRows.ts';
import { reviewRows } from './reviewRows.ts';

const bench = 'edits';
/** The least share of answers that are applied as meant, and the largest of those in the form asked for that are unclear at first. */
const [leastRight, mostUnclear] = [0.97, 0.02];

/** How many random edits are tried, and with what seed. */
const [randomEdits, seed] = [100_000, 20_261_126];

interface Tally extends Record<Verdict, number> {
  readonly outcomes: readonly (readonly [EditCase, Outcome])[];
}

/** Answers to edits of the corpus, applied by Parley and by two ways that peers have published. */
export async function benchEdits(tell: (text: string) => void): Promise<Row[]> {
  const cases = readEditCases();
  const ours = await count(cases, applyByParley);
  const peers = {
    'the first fence replaces the selection': await count(cases, replaceByFirstFence),
    'search/replace with exact match': await count(cases, replaceByExactSearch),
  };
  tell(`${randomEdits} random edits …`);
  const broken = await checkEdits(randomEdits, seed).then(
    () => 0,
    (error: unknown) => {
      tell(String(error));
      return 1;
    },
  );
  tell('The review, in VS Code …');
  const review = await rowsOfPart(tell, 'The review', reviewRows);
  return [
    toRow({ bench, metric: 'Answers in the corpus', value: cases.length, unit: '' }),
    ...Object.entries(peers).flatMap(([name, theirs]) => besidePeer(name, ours, theirs, cases.length)),
    ...askingRows(ours),
    toRow({
      bench,
      metric: `Random edits, ${randomEdits}, that take a line away which the answer does not name: properties broken`,
      value: broken,
      unit: '',
      goal: { of: 'value', is: '=', bound: 0 },
    }),
    ...(await rowsOfPart(tell, 'Plans', planRows)),
    ...review,
  ];
}

function besidePeer(name: string, ours: Tally, theirs: Tally, total: number): Row[] {
  return [
    toRow({
      bench,
      metric: `Applied as meant, after at most one further question, beside: ${name}`,
      value: ours.right / total,
      unit: '',
      peer: { name, value: theirs.right / total },
      goal: { of: 'value', is: '>=', bound: leastRight },
    }),
    toRow({
      bench,
      metric: `Applied wrongly, beside: ${name}`,
      value: ours.wrong,
      unit: '',
      peer: { name, value: theirs.wrong },
      goal: { of: 'value', is: '=', bound: 0 },
    }),
    toRow({
      bench,
      metric: `Answers that lose lines which they do not name, beside: ${name}`,
      value: losing(ours),
      unit: '',
      peer: { name, value: losing(theirs) },
      goal: { of: 'value', is: '=', bound: 0 },
    }),
  ];
}

/** How often the model has to be asked again: of all answers, and of those in the form that was asked for. */
function askingRows({ outcomes }: Tally): Row[] {
  const meant = outcomes.filter(([{ expect }]) => expect === 'applied');
  const asked = meant.filter(([{ listens }]) => listens === true);
  const share = (list: Tally['outcomes']): number =>
    list.filter(([, { isAskedAgain }]) => isAskedAgain).length / Math.max(1, list.length);
  return [
    toRow({ bench, metric: 'Answers in the form that was asked for', value: asked.length, unit: '' }),
    toRow({
      bench,
      metric: 'Of these, unclear at first',
      value: share(asked),
      unit: '',
      goal: { of: 'value', is: '<=', bound: mostUnclear },
    }),
    toRow({ bench, metric: 'Of all answers, unclear at first', value: share(meant), unit: '' }),
  ];
}

function losing({ outcomes }: Tally): number {
  return outcomes.filter(([one, outcome]) => lostLines(one, outcome).length > 0).length;
}

async function count(cases: readonly EditCase[], apply: ApplyAnswer): Promise<Tally> {
  const verdicts = { right: 0, missed: 0, wrong: 0 };
  const outcomes: [EditCase, Outcome][] = [];
  for (const one of cases) {
    const outcome = await apply(one);
    verdicts[judge(one, outcome)] += 1;
    outcomes.push([one, outcome]);
  }
  return { ...verdicts, outcomes };
}
