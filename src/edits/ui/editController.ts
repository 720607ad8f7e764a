import { commands, type Disposable, workspace } from 'vscode';
import { throttle } from '../../base/throttle.ts';
import { Disposables } from '../../editor/disposables.ts';
import { findFile } from '../../editor/files/findFile.ts';
import type { Services } from '../../editor/services.ts';
import { Command } from '../../ids.ts';
import type { Unplaced } from '../answer/resolution.ts';
import type { EditAnswer, EditedDocument } from '../plan.ts';
import type { Planner } from '../planner.ts';
import { reviewFile } from '../review/reviewedFile.ts';
import { streamedEdits } from '../review/streamedEdit.ts';
import { askInstruction } from './askInstruction.ts';
import { requestEdit, sharedPath } from './editRequest.ts';
import { linesOfAll, openNamed, pathsIn } from './openNamed.ts';
import { proposedFiles } from './proposedFiles.ts';
import type { Refusals } from './refusals.ts';
import type { ChangeSet } from './review/changeSet.ts';
import type { ProposedFile } from './review/reviewedDocument.ts';
import type { Reviews } from './review/reviews.ts';
import { type EditRequest, findTarget, isReadOnly, readRequest } from './target.ts';
import { allLines, type TrackedLines, trackLines } from './trackedLines.ts';

/** An edit on its way: from the command to a review, or to the sentence that says why there is none. */
export interface EditController extends Disposable {
  /** @param argument an `EditRequest`, or anything else */
  start(argument: unknown): Promise<void>;
}

/** The time between two looks at an answer that comes in, in milliseconds. */
const lookPause = 50;
/** A longer answer, in characters, is shown once it is whole: each look at it would hold the extension host. */
const longestPreview = 200_000;

export function createEditController(
  services: Services,
  planner: Planner,
  reviews: Reviews,
  refusals: Refusals,
): EditController {
  const { connection } = services;
  const owned = new Disposables();
  /** An instruction that led to no proposal; offered again, so that the user need not retype it. */
  let kept = '';

  async function start(argument: unknown): Promise<void> {
    const request = readRequest(argument);
    const target = await reviews.toFile(await findTarget(request));
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
    const stream = streamInto(set, edited);
    planner.prepare();
    try {
      const answer = await requestEdit(services, edited, instruction, stream);
      stream.end();
      const proposed = await filesToShow(answer, edited, lines, instruction);
      if (proposed !== undefined) {
        await show(set, proposed.files);
        return refusals.partly(proposed.unplaced, answer.text);
      }
    } catch (error) {
      // Rejected while it came, it is silent; else what came of it can be read.
      const received = reviews.sets.all.includes(set) ? stream.received() : '';
      void offerRetry(lines, instruction, (retry) => refusals.failed(error, received, retry));
    } finally {
      stream.end();
    }
    await reviews.withdraw(set);
  }

  /** What an answer proposes; undefined, with the reason said, where that is nothing. */
  async function filesToShow(
    answer: EditAnswer,
    edited: EditedDocument,
    lines: TrackedLines,
    instruction: string,
  ): Promise<{ files: readonly ProposedFile[]; unplaced: readonly Unplaced[] } | undefined> {
    const { uri } = lines.document;
    // Only the selection is read in Restricted Mode.
    const paths = workspace.isTrusted ? await pathsIn(planner, answer.text) : [];
    const others = await openNamed(paths, findFile, reviews);
    if (!(others instanceof Map)) return void refusals.readOnly(others);
    const plan = await planner.plan('edit', { answer, document: edited, others: linesOfAll(others), instruction });
    if (plan.kind === 'nothing' && !plan.hasWords) return void refusals.unchanged(lines);
    if (plan.kind !== 'edits')
      return void offerRetry(lines, instruction, (retry) => refusals.nothing(plan, answer.text, retry));
    const known = new Map([...others, [edited.path, { uri, lines: edited.lines, isChosen: true }] as const]);
    const files = await proposedFiles(plan.files, known);
    if (typeof files === 'string')
      return void offerRetry(lines, instruction, (retry) => refusals.misplaced(files, answer.text, retry));
    const [lost] = plan.unplaced;
    if (files.length === 0 && lost !== undefined)
      return void offerRetry(lines, instruction, (retry) =>
        refusals.nothing({ kind: 'unresolved', reason: lost.reason }, answer.text, retry),
      );
    if (files.length === 0) return void refusals.unchanged(lines);
    return { files, unplaced: plan.unplaced };
  }

  /** The answer is whole: what it proposes takes the place of what was shown so far. */
  async function show(set: ChangeSet, files: Parameters<ChangeSet['show']>[0]): Promise<void> {
    kept = '';
    if (!reviews.sets.all.includes(set)) return;
    set.show(files);
    set.report(undefined);
    await reviews.open(set);
  }

  /** Shows an edit while it comes in; it is given up when its set is rejected, or its document closed. */
  function streamInto(set: ChangeSet, { lines, selection = { first: 0, last: 0 } }: EditedDocument) {
    const parts = owned.add(new Disposables());
    const controller = new AbortController();
    let [text, count] = ['', 0];
    let isOpen = false;
    const look = parts.add(
      throttle(() => {
        set.report(count);
        if (text.length > longestPreview) return;
        const edits = streamedEdits(text, lines, selection);
        if (edits.length === 0) return;
        set.stream(edits);
        if (!isOpen) void reviews.open(set);
        isOpen = true;
      }, lookPause),
    );
    parts.add({ dispose: () => controller.abort() });
    parts.add(reviews.sets.onDidChange(() => !reviews.sets.all.includes(set) && controller.abort()));
    parts.add(
      workspace.onDidCloseTextDocument((closed) => {
        if (closed.isClosed && closed.uri.toString() === set.documents[0]?.uri.toString() && !isOpen)
          controller.abort();
      }),
    );
    return {
      stop: controller.signal,
      received: () => text,
      onText(received: string): void {
        text = received;
      },
      onLines(lineCount: number): void {
        count = lineCount;
        look();
      },
      end: () => parts.dispose(),
    };
  }

  /** The lines are followed for as long as the message stands, and Retry is an edit like any other. */
  async function offerRetry(
    { document, range }: TrackedLines,
    instruction: string,
    tell: (retry: () => unknown) => Promise<void>,
  ): Promise<void> {
    const failed = trackLines(document, range);
    const again = (): EditRequest => ({ uri: document.uri, lines: failed.range, instruction });
    try {
      await tell(() => commands.executeCommand(Command.editStart, again()));
    } finally {
      failed.dispose();
    }
  }

  return { start, dispose: () => owned.dispose() };
}
