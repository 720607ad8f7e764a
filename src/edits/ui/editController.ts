import { commands, type Disposable, workspace } from 'vscode';
import { throttle } from '../../base/throttle.ts';
import { Disposables } from '../../editor/disposables.ts';
import { Command } from '../../ids.ts';
import { answerText } from '../ask/answerIntake.ts';
import { type EditCall, readEditCalls } from '../ask/readEditCalls.ts';
import { streamedChanges, wholeBlocks } from '../ask/streamedChanges.ts';
import type { EditedDocument } from '../plan.ts';
import { reviewFile } from '../review/reviewedFile.ts';
import { streamedEdits } from '../review/streamedEdit.ts';
import { askInstruction } from './askInstruction.ts';
import { sharedPath } from './documentNames.ts';
import type { EditParts } from './editParts.ts';
import { requestEdit } from './editRequest.ts';
import { proposedFiles } from './proposedFiles.ts';
import type { ChangeSet } from './review/changeSet.ts';
import type { ProposedFile } from './review/reviewedDocument.ts';
import { type EditRequest, findTarget, isReadOnly, readRequest } from './target.ts';
import { allLines, type TrackedLines, trackLines } from './trackedLines.ts';
import { type PlacedAnswer, placeAnswer } from './unplaced/placeAnswer.ts';

/** An edit on its way: from the command to a review, or to the sentence that says why there is none. */
export interface EditController extends Disposable {
  /** @param argument an `EditRequest`, or anything else */
  start(argument: unknown): Promise<void>;
}

/** The time between two looks at an answer that comes in, in milliseconds. */
const lookPause = 50;
/** A longer answer, in characters, is shown once it is whole: each look at it would hold the extension host. */
const longestPreview = 200_000;

export function createEditController(parts: EditParts): EditController {
  const { services, planner, reviews, refusals } = parts;
  const { connection, notices } = services;
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
      const asked = await requestEdit(parts, edited, instruction, stream);
      const place = { edited, uri: document.uri, instruction };
      const placed = await placeAnswer(parts, asked, place, { ...stream, onAnswer: () => {} });
      stream.end();
      const answer = answerText(asked.answer.text, asked.answer.calls);
      const files =
        'plan' in placed ? await filesToShow(placed, answer, lines, instruction) : void refusals.readOnly(placed);
      if (files !== undefined) return await show(set, files);
    } catch (error) {
      // Rejected while it came, it is silent; else what came of it can be read.
      const received = reviews.sets.all.includes(set) ? stream.received() : '';
      void offerRetry(lines, instruction, (retry) => refusals.failed(error, received, retry));
    } finally {
      stream.end();
    }
    await reviews.withdraw(set);
  }

  /** The files that are proposed, if any; else the reason is said. What has no place is told of in either case. */
  async function filesToShow(
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

  /** The answer is whole: what it proposes takes the place of what was shown so far. */
  async function show(set: ChangeSet, files: Parameters<ChangeSet['show']>[0]): Promise<void> {
    kept = '';
    if (!reviews.sets.all.includes(set)) return;
    set.show(files);
    set.report(undefined);
    await reviews.open(set);
  }

  /** Shows an edit while it comes in; it is given up when its set is rejected, or its document closed. */
  function streamInto(set: ChangeSet, { path, lines, selection = { first: 0, last: 0 } }: EditedDocument) {
    const watching = owned.add(new Disposables());
    const controller = new AbortController();
    let [text, count] = ['', 0];
    let calls: readonly EditCall[] = [];
    let isOpen = false;
    const editsSoFar = () => {
      const written = calls.reduce((sum, call) => sum + call.arguments.length, text.length);
      if (written > longestPreview) return [];
      const { changes } = readEditCalls(calls);
      const own = streamedEdits(text, lines, selection);
      return own.length > 0 ? own : streamedChanges([...changes, ...wholeBlocks(text)], path, lines);
    };
    const look = watching.add(
      throttle(() => {
        set.report(count);
        const edits = editsSoFar();
        if (edits.length === 0) return;
        set.stream(edits);
        if (!isOpen) void reviews.open(set);
        isOpen = true;
      }, lookPause),
    );
    watching.add({ dispose: () => controller.abort() });
    watching.add(reviews.sets.onDidChange(() => !reviews.sets.all.includes(set) && controller.abort()));
    watching.add(
      workspace.onDidCloseTextDocument((closed) => {
        if (closed.isClosed && closed.uri.toString() === set.documents[0]?.uri.toString() && !isOpen)
          controller.abort();
      }),
    );
    return {
      stop: controller.signal,
      received: () => answerText(text, calls),
      onAnswer(received: string, made: readonly EditCall[]): void {
        [text, calls] = [received, made];
      },
      onLines(lineCount: number): void {
        count = lineCount;
        look();
      },
      end: () => watching.dispose(),
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
