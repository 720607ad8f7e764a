import type { ChangeReader, StagedChanges } from '../changes.ts';
import { type ChangedFile, changedLines, splitDiff } from './diffFiles.ts';

/** What is staged, as far as it may be sent. */
export interface StagedContent {
  readonly changes: readonly ChangedFile[];
  /** How many more files are staged, that hold secrets or that git does not show. */
  readonly withheld: number;
}

/** Takes apart what git says, and leaves out each file in whose changed lines, or near them, there is a secret. */
export function stagedContent(
  { text, gaps }: Extract<StagedChanges, { kind: 'diff' }>,
  secretLine: ChangeReader['secretLine'],
): StagedContent {
  const all = splitDiff(text);
  const changes = all.filter((change) => secretLine(changedLines(change)) === undefined);
  return { changes, withheld: gaps.length + all.length - changes.length };
}
