import { type Disposable, workspace } from 'vscode';
import { throttle } from '../../../base/throttle.ts';
import { Disposables } from '../../../editor/disposables.ts';
import { answerText } from '../../ask/answerIntake.ts';
import { type EditCall, readEditCalls } from '../../ask/readEditCalls.ts';
import { streamedChanges, wholeBlocks } from '../../ask/streamedChanges.ts';
import type { EditedDocument } from '../../plan.ts';
import { streamedEdits } from '../../review/streamedEdit.ts';
import type { ChangeSet } from '../review/changeSet.ts';
import type { Reviews } from '../review/reviews.ts';

/** Shows an edit while it comes in; it is given up when its set is rejected, or its document closed. */
export interface StreamedPreview extends Disposable {
  /** Aborts when the edit is given up. */
  readonly stop: AbortSignal;
  /** All that has come, to be read. */
  received(): string;
  /** Takes the answer as far as it has come. */
  onAnswer(received: string, made: readonly EditCall[]): void;
  /** Tells how many lines have come, and has them shown. */
  onLines(lineCount: number): void;
}

/** The time between two looks at an answer that comes in, in milliseconds. */
const lookPause = 50;
/** A longer answer, in characters, is shown once it is whole: each look at it would hold the extension host. */
const longestPreview = 200_000;

export function createStreamedPreview(
  set: ChangeSet,
  { path, lines, selection = { first: 0, last: 0 } }: EditedDocument,
  reviews: Reviews,
): StreamedPreview {
  const watching = new Disposables();
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
      if (closed.isClosed && closed.uri.toString() === set.documents[0]?.uri.toString() && !isOpen) controller.abort();
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
    dispose: () => watching.dispose(),
  };
}
