import * as z from 'zod';
import type { FolderIndex, OutsideAnswer } from '../registry/folderIndex.ts';
import { sentTo } from '../registry/windowModel.ts';
import { onOneLine } from './places.ts';

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

/** The same under an answer that comes from the index alone. */
export const unsentText = (coverage: AnswerCoverage): string =>
  `Nothing was sent. ${coverageText(coverage, Date.now())}`;

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

/** By which halves a question was answered, why not by both, and what left this machine. @param what was asked about */
export function halvesText(
  answer: OutsideAnswer,
  index: FolderIndex,
  coverage: AnswerCoverage,
  what: 'question' | 'code',
): string {
  return `${byText(answer, index, coverage, what)} ${sentText(answer.asked, what)}`;
}

/** What became of a question in the index of a team; nothing where it was not asked. */
function teamText({ team }: OutsideAnswer): string {
  if (team === undefined) return '';
  if (team.problem !== undefined && team.hits > 0)
    return `, and the team index was asked, though not about all folders (${team.problem})`;
  if (team.problem !== undefined) return `, and the team index could not be asked (${team.problem})`;
  return ', and the team index was asked';
}

function sentText(asked: OutsideAnswer['asked'], what: 'question' | 'code'): string {
  const to = sentTo(asked === undefined ? {} : { asked });
  if (to === undefined) return 'Nothing was sent.';
  const sent = asked?.outcome === 'silent' ? 'may have been sent' : 'was sent';
  if (what === 'code') return `The code at the place ${sent} to ${to}, as it has no vector in the index.`;
  return `The question ${sent} to ${to}, and no code.`;
}

function byText(
  answer: OutsideAnswer,
  { record }: FolderIndex,
  { isOpenInEditor }: AnswerCoverage,
  what: 'question' | 'code',
): string {
  if (answer.by === 'both') {
    const share =
      answer.indexed === undefined ? '' : `, by meaning in ${Math.floor(answer.indexed * 100)} % of the files`;
    return `Searched by ${what === 'code' ? 'meaning' : 'words and meaning'}${share}${teamText(answer)}.`;
  }
  if (record.source === undefined)
    return 'Searched by words only. For meaning, run *Parley: Index Workspace* in the editor.';
  if (answer.otherModel !== undefined)
    return `Searched by words only: the index has vectors of ${onOneLine(answer.otherModel)}, and the editor uses another model. Run *Parley: Index Workspace* there.`;
  if (answer.fault === 'length')
    return 'Searched by words only: the vector of the question has another length than those of the index. Run *Parley: Index Workspace* in the editor.';
  if (answer.by === 'failed') return `Searched by words only: ${refusalText(answer.asked)}`;
  if (!isOpenInEditor) return 'Searched by words only: meaning needs this folder open in the editor.';
  return `Searched by words only${teamText(answer)}.`;
}

function refusalText(asked: OutsideAnswer['asked']): string {
  switch (asked?.outcome) {
    case 'model':
      return 'the editor uses another embedding model now. Run *Parley: Index Workspace* there.';
    case 'consent':
      return 'the editor may send no questions of this folder. Search there once to allow it.';
    case 'service':
      return 'the embedding service gave the editor no vector of the question.';
    case 'token':
      return 'too many programs asked the editor at once. Ask again.';
    case 'none':
    case undefined:
      return 'meaning needs this folder open in the editor.';
    default:
      return 'the editor did not answer as it should. Reload its window if that goes on.';
  }
}
