import { type Disposable, EndOfLine, type Event, EventEmitter, type TextDocument, workspace } from 'vscode';
import { followLines, type LineRange, splitLines } from '../../base/lines.ts';
import { Disposables } from '../../editor/disposables.ts';
import type { LineSource } from '../lineChange.ts';

/** Whole lines of a document that an edit is about, followed while the document changes around them. */
export interface TrackedLines extends Disposable {
  readonly document: TextDocument;
  /** The lines as they are numbered now. */
  readonly range: LineRange;
  /** The text of the lines when tracking began. */
  readonly original: readonly string[];
  /** Whether the text of the lines is still the same. */
  isUnchanged(): boolean;
  /** Fires after any change of the document; `range` is up to date. */
  readonly onDidChange: Event<void>;
}

export function trackLines(document: TextDocument, initial: LineRange): TrackedLines {
  const owned = new Disposables();
  const changed = owned.add(new EventEmitter<void>());
  const original = readLines(document, initial.first, initial.last);
  let range = initial;

  /** Finds the lines again after a program wrote the file anew: one change then has the same lines, with new ones above them. */
  function findAgain(): void {
    const first = range.last - original.length + 1;
    if (areOriginal(first)) range = { first, last: range.last };
  }

  function areOriginal(first: number): boolean {
    const now = readLines(document, first, first + original.length - 1);
    return now.length === original.length && now.every((line, at) => line === original[at]);
  }

  owned.add(
    workspace.onDidChangeTextDocument((event) => {
      if (event.document !== document || event.contentChanges.length === 0) return;
      let wasTouched = false;
      // The changes of one event come from the bottom to the top, so each range holds for the text before it.
      for (const { range: replaced, text } of event.contentChanges) {
        const { touched, ...lines } = followLines(range, { start: replaced.start, end: replaced.end, text });
        range = lines;
        wasTouched ||= touched;
      }
      if (wasTouched) findAgain();
      changed.fire();
    }),
  );
  return {
    document,
    get range() {
      return range;
    },
    original,
    isUnchanged: () => areOriginal(range.first),
    onDidChange: changed.event,
    dispose: () => owned.dispose(),
  };
}

/** The lines from `first` to `last`, as far as the document has them. */
function readLines(document: TextDocument, first: number, last: number): string[] {
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

/** All lines of a document. */
export function allLines(document: TextDocument): string[] {
  return splitLines(document.getText());
}
