import type { EditParts } from '../editParts.ts';
import { proposedFiles } from '../proposedFiles.ts';
import type { ProposedFile } from '../review/reviewedDocument.ts';
import type { TrackedLines } from '../trackedLines.ts';
import type { PlacedAnswer } from '../unplaced/placeAnswer.ts';
import { offerRetry } from './offerRetry.ts';

/** The files that are proposed, if any; else the reason is said. What has no place is told of in either case. */
export async function filesToShow(
  { services: { notices }, refusals }: Pick<EditParts, 'services' | 'refusals'>,
  { plan, known, further, failure }: PlacedAnswer,
  answer: string,
  lines: TrackedLines,
  instruction: string,
): Promise<readonly ProposedFile[] | undefined> {
  const retried = (tell: (retry: () => unknown) => Promise<void>): undefined =>
    void offerRetry(lines, instruction, tell);
  if (further !== undefined) refusals.askedAgain(further.count, further.tokens);
  if (failure !== undefined) void notices.error(failure);
  if (plan.kind === 'nothing' && !plan.hasWords) return void refusals.unchanged(lines);
  if (plan.kind !== 'edits') return retried((retry) => refusals.nothing(plan, answer, retry));
  const files = await proposedFiles(plan.files, known);
  if (typeof files === 'string') return retried((retry) => refusals.misplaced(files, answer, retry));
  if (files.length === 0) {
    if (plan.unplaced.length === 0) return void refusals.unchanged(lines);
    return retried((retry) => refusals.unplaced(plan.unplaced, answer, retry));
  }
  void refusals.unplaced(plan.unplaced, answer);
  return files;
}
