import { type Merge, type MergeVerdict, simulateMerge } from '../../support/judgeMerge.ts';
import type { SimulatedService } from '../../support/simulatedSpeech.ts';
import { type Row, toRow } from '../row.ts';
import { mergeByMidpoints, mergeBySequence } from './mergePeers.ts';

const bench = 'audio';
/** Three hours, five times, each in other words and cut elsewhere: within words, and a tenth in pauses. */
const seconds = 3 * 3_600;
const seeds = [1, 2, 3, 4, 5];
const cutting = { pieceSeconds: 60, overlap: [3, 6], inPauses: 0.1, preRoll: 0.25 } as const;

const withTimes: SimulatedService = { segments: true, timeError: 0, otherWords: 0 };
const withoutTimes: SimulatedService = { ...withTimes, segments: false };
/** Each of two translations of the same speech has another word here and there. */
const otherWords = 0.05;

/** Merging of pieces, against what was said: speech is simulated, and so are services that translate pieces of it. */
export async function mergeRows(): Promise<Row[]> {
  const exact = await judge(withTimes);
  const text = await judge(withoutTimes);
  const differing = await judge({ ...withTimes, otherWords });
  const differingText = await judge({ ...withoutTimes, otherWords });
  const byMidpoints = await judge(withTimes, mergeByMidpoints);
  const bySequence = await judge(withoutTimes, mergeBySequence);
  const wrongWords = ({ lost, doubled }: MergeVerdict): number => lost + doubled;
  const share = ({ wrongBorders, borders }: MergeVerdict): number => wrongBorders / borders;
  return [
    toRow({ bench, metric: 'Borders of pieces in simulated speech', value: exact.borders, unit: '' }),
    toRow({
      bench,
      metric: 'Merged segment times against ground truth over 3 hours: drift',
      value: 1_000 * exact.drift,
      unit: 'ms',
      goal: { of: 'value', is: '<=', bound: 50 },
    }),
    toRow({
      bench,
      metric: 'Merged segment times over 3 hours: segments that go backwards',
      value: exact.backwards,
      unit: '',
      goal: { of: 'value', is: '=', bound: 0 },
    }),
    toRow({
      bench,
      metric: 'Overlap merge with segments: words lost or doubled at borders',
      value: wrongWords(exact),
      unit: 'words',
      peer: { name: 'segment midpoints alone', value: wrongWords(byMidpoints) },
      goal: { of: 'value', is: '=', bound: 0 },
    }),
    toRow({
      bench,
      metric: 'Overlap merge without segments: share of borders with words lost or doubled',
      value: share(text),
      unit: '',
      peer: { name: 'longest common sequence, as transformers', value: share(bySequence) },
      goal: { of: 'value', is: '<=', bound: 0.01 },
    }),
    toRow({
      bench,
      metric: 'The same with segments, where one word in ten differs between the pieces',
      value: share(differing),
      unit: '',
    }),
    toRow({
      bench,
      metric: 'The same without segments, where one word in ten differs between the pieces',
      value: share(differingText),
      unit: '',
    }),
  ];
}

/** All runs together; of the drift, the most. */
async function judge(service: SimulatedService, merge?: Merge): Promise<MergeVerdict> {
  const verdicts: MergeVerdict[] = [];
  for (const seed of seeds) verdicts.push(await simulateMerge(seconds, cutting, service, 1_000 * seed, merge));
  return verdicts.reduce((all, one) => ({
    words: all.words + one.words,
    lost: all.lost + one.lost,
    doubled: all.doubled + one.doubled,
    borders: all.borders + one.borders,
    wrongBorders: all.wrongBorders + one.wrongBorders,
    drift: Math.max(all.drift, one.drift),
    backwards: all.backwards + one.backwards,
  }));
}
