import * as z from 'zod';
import type { SearchAnswer } from '../query/query.ts';
import type { FolderIndex, OutsideAnswer } from '../registry/folderIndex.ts';

/** How far an answer can be trusted: what the index has, how old it is, which halves looked, and what left this machine. */
export const coverageSchema = z.object({
  files: z.number().int().describe('Files in the index'),
  filesByMeaning: z
    .number()
    .int()
    .optional()
    .describe('Of these, the files that meaning finds; absent without vectors'),
  readAt: z.string().optional().describe('When all files were looked at last'),
  isReading: z.boolean().describe('Whether files that have changed are being looked at now'),
  isOpenInEditor: z.boolean().describe('Whether an editor keeps the index current, and can ask for vectors'),
});
export type AnswerCoverage = z.infer<typeof coverageSchema>;

export async function coverageOf(index: FolderIndex): Promise<AnswerCoverage> {
  const { indexed, filesDone } = index.engine.status(index.record.source);
  const scanned = index.engine.scannedAt();
  return {
    files: indexed.files,
    ...(filesDone === undefined ? {} : { filesByMeaning: filesDone }),
    ...(scanned === undefined ? {} : { readAt: new Date(scanned).toISOString() }),
    isReading: index.isReading,
    isOpenInEditor: await index.isOpenInWindow(),
  };
}

/** Coverage in one line. @param now milliseconds since the epoch */
export function coverageText(
  { files, filesByMeaning, readAt, isReading, isOpenInEditor }: AnswerCoverage,
  now: number,
): string {
  const parts = [`Index: ${files} ${files === 1 ? 'file' : 'files'}`];
  if (filesByMeaning !== undefined) parts.push(`${filesByMeaning} of them by meaning`);
  if (isOpenInEditor) parts.push('kept current by an open editor');
  else if (readAt === undefined) parts.push('not complete yet');
  else parts.push(`read ${ageText(now - Date.parse(readAt))} ago${isReading ? ', being brought up to date' : ''}`);
  return `${parts.join(', ')}.`;
}

function ageText(ms: number): string {
  const units = [
    ['day', 86_400_000],
    ['hour', 3_600_000],
    ['minute', 60_000],
  ] as const;
  const [unit, length] = units.find(([, each]) => ms >= 2 * each) ?? ['second', 1_000];
  const count = Math.max(0, Math.floor(ms / length));
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** By which halves a question was answered, why not by both, and what left this machine. */
export function halvesText(answer: OutsideAnswer, index: FolderIndex, coverage: AnswerCoverage): string {
  const sent =
    answer.sentTo === undefined ? 'Nothing was sent.' : `The question was sent to ${answer.sentTo}, and no code.`;
  return `${byText(answer, index, coverage)} ${sent}`;
}

function byText(answer: SearchAnswer, { record }: FolderIndex, coverage: AnswerCoverage): string {
  if (answer.by === 'both') {
    const share =
      answer.indexed === undefined ? '' : `, by meaning in ${Math.floor(answer.indexed * 100)} % of the files`;
    return `Found by words and meaning${share}.`;
  }
  if (answer.by === 'failed') return 'Found by words only: no editor gave the vector of the question.';
  if (record.source === undefined)
    return 'Found by words only. For meaning, run *Parley: Index Workspace* in the editor.';
  if (answer.otherModel !== undefined) return `Found by words only: the index has vectors of ${answer.otherModel}.`;
  if (!coverage.isOpenInEditor) return 'Found by words only: meaning needs this folder open in the editor.';
  return 'Found by words only.';
}
