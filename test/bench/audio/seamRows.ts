import { mergePieces } from '../../../src/audio/merge/mergePieces.ts';
import { judgeMerge, type Merge } from '../../support/judgeMerge.ts';
import { createSpeech, cutSpeech, translateCut } from '../../support/simulatedSpeech.ts';
import { type Row, toRow } from '../row.ts';
import { mergeBySequence } from './mergePeers.ts';

/** An hour of speech, cut as recordings without pauses are: neighbours share two seconds on each side. */
const seconds = 3_600;
const cutting = { pieceSeconds: 60, overlap: [4, 4], inPauses: 0.1, preRoll: 0.25 } as const;
const seeds = Array.from({ length: 10 }, (_, index) => 7_000 + 100 * index);
/** How many times as slow as the quickest somebody speaks: of slow speech, pieces share two or three words. */
const paces = [1, 1.5, 2];
const withoutTimes = { segments: false, timeError: 0, otherWords: 0 };

/** Seams of texts without times, against what was said at several paces. */
export async function seamRows(): Promise<Row[]> {
  const peer = await wrongWords(mergeBySequence, 0);
  return [
    toRow({
      bench: 'audio',
      metric: 'Words doubled or lost at seams without times, per 100 seams',
      value: await wrongWords(mergePieces, 0),
      unit: 'words',
      peer: { name: 'longest common sequence, as transformers', value: peer },
      goal: { of: 'value', is: '<=', bound: 0.5 },
    }),
    toRow({
      bench: 'audio',
      metric: 'The same, where one word in twenty differs between the pieces',
      value: await wrongWords(mergePieces, 0.025),
      unit: 'words',
    }),
  ];
}

async function wrongWords(merge: Merge, otherWords: number): Promise<number> {
  let [wrong, seams] = [0, 0];
  for (const seed of seeds) {
    for (const pace of paces) {
      const words = createSpeech(seconds / pace, seed).map(({ text, start, end }) => ({
        text,
        start: start * pace,
        end: start * pace + (end - start),
      }));
      const cuts = cutSpeech(words, seconds, cutting, seed + 1);
      const pieces = cuts.map((cut, index) =>
        translateCut(words, cut, { ...withoutTimes, otherWords }, seed + 2 + index),
      );
      const borders = cuts.slice(1).map(({ start }) => start);
      const { lost, doubled } = judgeMerge(words, borders, await merge(pieces));
      wrong += lost + doubled;
      seams += borders.length;
    }
  }
  return (100 * wrong) / seams;
}
