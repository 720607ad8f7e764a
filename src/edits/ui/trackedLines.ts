import { type Disposable, EndOfLine, type Event, EventEmitter, type TextDocument, workspace } from 'vscode';
import { Disposables } from '../../editor/disposables.ts';
import type { LineSource } from '../diff.ts';
import { followLines, type LineRange } from '../lines.ts';

/** Whole lines of a document that an edit is about, followed while the document changes around them. */
export interface TrackedLines extends Disposable {
  readonly document: TextDocument;
  /** Where they are now. */
  readonly range: LineRange;
  /** What they were when tracking began. */
  readonly original: readonly string[];
  /** Whether they still are what they were. */
  isUnchanged(): boolean;
  /** The document changed, anywhere; `range` is up to date. */
  readonly onDidChange: Event<void>;
}

export function trackLines(document: TextDocument, initial: LineRange): TrackedLines {
  const owned = new Disposables();
  const changed = owned.add(new EventEmitter<void>());
  const original = readLines(document, initial.first, initial.last);
  let range = initial;
  owned.add(
    workspace.onDidChangeTextDocument((event) => {
      if (event.document !== document || event.contentChanges.length === 0) return;
      // The changes of one event come from the bottom to the top, so each range holds for the text before it.
      for (const { range: replaced, text } of event.contentChanges) {
        range = followLines(range, { start: replaced.start, end: replaced.end, text });
      }
      changed.fire();
    }),
  );
  return {
    document,
    get range() {
      return range;
    },
    original,
    isUnchanged() {
      const now = readLines(document, range.first, range.first + original.length - 1);
      return now.length === original.length && now.every((line, at) => line === original[at]);
    },
    onDidChange: changed.event,
    dispose: () => owned.dispose(),
  };
}

/** The lines from `first` to `last`, as far as the document has them. */
export function readLines(document: TextDocument, first: number, last: number): string[] {
  const lines: string[] = [];
  for (let at = Math.max(0, first); at <= Math.min(last, document.lineCount - 1); at++) {
    lines.push(document.lineAt(at).text);
  }
  return lines;
}

/** A document as the pure rooms see it. */
export function lineSource(document: TextDocument): LineSource {
  return {
    eol: document.eol === EndOfLine.CRLF ? '\r\n' : '\n',
    lineCount: document.lineCount,
    lengthOf: (line) => document.lineAt(line).text.length,
  };
}
