import type { Disposable } from 'vscode';
import { Disposables } from '../../../editor/disposables.ts';
import { answerText } from '../../ask/answerIntake.ts';
import { reviewFile } from '../../review/reviewedFile.ts';
import { sharedPath } from '../documentNames.ts';
import type { EditParts } from '../editParts.ts';
import { requestEdit } from '../editRequest.ts';
import type { ChangeSet } from '../review/changeSet.ts';
import { isGone } from '../review/decide/goneDocument.ts';
import { findTarget, isReadOnly, readRequest } from '../target.ts';
import { allLines, type TrackedLines, trackLines } from '../trackedLines.ts';
import { placeAnswer } from '../unplaced/placeAnswer.ts';
import { askInstruction } from './askInstruction.ts';
import { confirmLargeEdit } from './confirmLargeEdit.ts';
import { filesToShow } from './filesToShow.ts';
import { offerRetry } from './offerRetry.ts';
import { createStreamedPreview } from './streamedPreview.ts';

/** An edit on its way: from the command to a review, or to the sentence that says why there is none. */
export interface EditController extends Disposable {
  /** @param argument an `EditRequest`, or anything else */
  start(argument: unknown): Promise<void>;
}

export function createEditController(parts: EditParts): EditController {
  const { services, planner, reviews, refusals } = parts;
  const { connection } = services;
  const owned = new Disposables();
  /** An instruction that led to no proposal; offered again, so that the user need not retype it. */
  let kept = '';

  async function start(argument: unknown): Promise<void> {
    const request = readRequest(argument);
    const { uri } = request;
    const found = await findTarget(request).catch(async (error: unknown) => {
      if (uri === undefined || !(await isGone(uri))) throw error;
      return refusals.gone(uri);
    });
    if (found === undefined) return;
    const target = await reviews.toFile(found);
    if (target.kind !== 'lines') return refusals.empty(target, request);
    const { document } = target;
    if (await isReadOnly(document)) return refusals.readOnly(document);
    // The connection is checked before the user types anything.
    await connection.endpoint('chat');
    const lines = trackLines(document, target.lines);
    const instruction = request.instruction ?? (await askInstruction(lines, kept));
    if (instruction !== undefined) {
      kept = instruction;
      await propose(lines, instruction);
    }
    lines.dispose();
  }

  async function propose(lines: TrackedLines, instruction: string): Promise<void> {
    const { document } = lines;
    // A further edit is one of the text that is pending.
    const base = reviews.pendingTextOf(document.uri) ?? allLines(document);
    const selection = reviews.toPending(document.uri, lines.range);
    const edited = { path: sharedPath(document.uri), lines: base, selection, language: document.languageId };
    const set = reviews.sets.add({
      title: instruction,
      instruction,
      files: [{ uri: document.uri, isNew: false, review: reviewFile(base, []) }],
    });
    set.report(0);
    const stream = owned.add(createStreamedPreview(set, edited, reviews));
    planner.prepare();
    try {
      const asked = await requestEdit({ ...parts, confirm: confirmLargeEdit }, edited, instruction, stream);
      const place = { edited, uri: document.uri, instruction };
      const placed = await placeAnswer(parts, asked, place, { ...stream, onAnswer: () => {} });
      stream.dispose();
      const answer = answerText(asked.answer.text, asked.answer.calls);
      const files =
        'plan' in placed
          ? await filesToShow(parts, placed, answer, lines, instruction)
          : void refusals.readOnly(placed);
      if (files !== undefined) return await show(set, files);
    } catch (error) {
      // Rejected while it came, it is silent; else what came of it can be read.
      const received = reviews.sets.all.includes(set) ? stream.received() : '';
      void offerRetry(lines, instruction, (retry) => refusals.failed(error, received, retry));
    } finally {
      stream.dispose();
    }
    await reviews.withdraw(set);
  }

  /** The answer is whole: what it proposes takes the place of what was shown so far. */
  async function show(set: ChangeSet, files: Parameters<ChangeSet['show']>[0]): Promise<void> {
    kept = '';
    if (!reviews.sets.all.includes(set)) return;
    set.show(files);
    set.report(undefined);
    await reviews.open(set);
  }

  return { start, dispose: () => owned.dispose() };
}
