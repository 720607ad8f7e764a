import {
  type ApplyAnswer,
  applyResolved,
  type EditCase,
  judge,
  readEditCases,
  type Verdict,
} from '../../corpus/editCases.ts';
import { type Row, toRow } from '../row.ts';
import { replaceByExactSearch, replaceByFirstFence } from './peers.ts';
import { planRows } from './planRows.ts';
import { reviewRows } from './reviewRows.ts';

const bench = 'edits';
/** The least share of answers that are applied as meant. */
const leastRight = 0.97;

/** Answers to edits of the corpus, applied by Parley and by two ways that peers have published. */
export async function benchEdits(tell: (text: string) => void): Promise<Row[]> {
  const cases = readEditCases();
  const ours = count(cases, applyResolved);
  const peers = {
    'the first fence replaces the selection': count(cases, replaceByFirstFence),
    'search/replace with exact match': count(cases, replaceByExactSearch),
  };
  const share = ({ right }: Record<Verdict, number>): number => right / cases.length;
  tell('The review, in VS Code …');
  const review = await reviewRows();
  return [
    toRow({ bench, metric: 'Answers in the corpus', value: cases.length, unit: '' }),
    ...Object.entries(peers).map(([name, theirs]) =>
      toRow({
        bench,
        metric: `Applied as meant, beside: ${name}`,
        value: share(ours),
        unit: '',
        peer: { name, value: share(theirs) },
        goal: { of: 'value', is: '>=', bound: leastRight },
      }),
    ),
    ...Object.entries(peers).map(([name, theirs]) =>
      toRow({
        bench,
        metric: `Applied wrongly, beside: ${name}`,
        value: ours.wrong,
        unit: '',
        peer: { name, value: theirs.wrong },
        goal: { of: 'value', is: '=', bound: 0 },
      }),
    ),
    ...planRows(),
    ...review,
  ];
}

function count(cases: readonly EditCase[], apply: ApplyAnswer): Record<Verdict, number> {
  const verdicts = { right: 0, missed: 0, wrong: 0 };
  for (const one of cases) verdicts[judge(one, apply)] += 1;
  return verdicts;
}
