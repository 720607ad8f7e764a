import type { LineRange } from '../../base/lines.ts';
import type { Segment } from '../../service/audio/audio.ts';
import { plainLines } from '../transcript/timedText.ts';

/** A segment and the lines of the document that it stands on, its times among them. */
export interface DocumentSegment extends Segment {
  readonly lines: LineRange;
}

/** Why a line could not be read as it stands. */
export type LineProblem =
  /** It begins like times, and is none; what follows, up to the next times, is left out. */
  | 'bad-time'
  /** The end is before the start; the segment is read as if it had no length. */
  | 'end-before-start'
  /** The text has no time above it, and is left out. */
  | 'text-without-time'
  /** The document is longer than any transcript, or the line or the text that goes on here is; that is left out. */
  | 'too-long'
  /** This segment and those below it are left out. */
  | 'too-many-segments';

export interface DocumentProblem {
  /** From 0. */
  readonly line: number;
  readonly reason: LineProblem;
}

/** What a document says. */
export interface TranscriptDocument {
  /** In order of time. Those without a text are left out. */
  readonly segments: readonly DocumentSegment[];
  /** The text of a Markdown document that has no times at all. */
  readonly text: string | undefined;
  /** In order of lines, a hundred at most. Until there are none, the segments are less than the document. */
  readonly problems: readonly DocumentProblem[];
}

/** Takes the lines of a document one by one. */
export interface DocumentReader {
  take(line: string, number: number): void;
  report(line: number, reason: LineProblem): void;
  end(): TranscriptDocument;
}

const mostProblems = 100;
/** As many as are taken from a service: one each second for a day. */
const mostSegments = 100_000;

/** The most lines of one text. */
export const mostLines = 50_000;

interface OpenSegment {
  readonly startMs: number;
  /** Undefined where only the start is written. */
  readonly endMs: number | undefined;
  readonly first: number;
  last: number;
  readonly text: string[];
}

/** Gathers segments from lines of times and of text. */
export interface TimedLines {
  /** A segment begins; `first` is its first line, the times stand on `line`. */
  begin(startMs: number, endMs: number | undefined, first: number, line: number): void;
  /** What follows, up to the next times, belongs to no segment. */
  skip(): void;
  /** A line of text of the segment, after what the format says of it was taken away. */
  add(text: string, line: number): void;
  report(line: number, reason: LineProblem): void;
  /** Whether a segment began, or was skipped: text belongs to it. */
  hasBegun(): boolean;
  end(): Pick<TranscriptDocument, 'segments' | 'problems'>;
}

export function createTimedLines(): TimedLines {
  const closed: (Omit<OpenSegment, 'text'> & { readonly text: string })[] = [];
  const problems: DocumentProblem[] = [];
  let open: OpenSegment | undefined;
  let hasBegun = false;
  let isOverfull = false;

  function report(line: number, reason: LineProblem): void {
    if (problems.length < mostProblems) problems.push({ line, reason });
  }

  function close(): void {
    const text = plainLines(open?.text.join('\n') ?? '');
    if (open !== undefined && text !== '') {
      const isTooMany = closed.length === mostSegments;
      if (isTooMany && !isOverfull) report(open.first, 'too-many-segments');
      if (!isTooMany) closed.push({ ...open, text });
      isOverfull = isTooMany;
    }
    open = undefined;
  }

  return {
    report,
    hasBegun: () => hasBegun,
    begin(startMs, endMs, first, line) {
      close();
      hasBegun = true;
      if (endMs !== undefined && endMs < startMs) report(line, 'end-before-start');
      open = {
        startMs,
        endMs: endMs === undefined ? undefined : Math.max(startMs, endMs),
        first,
        last: line,
        text: [],
      };
    },
    skip() {
      close();
      hasBegun = true;
    },
    add(text, line) {
      if (open === undefined) return;
      if (open.text.length === mostLines) {
        report(line, 'too-long');
        open = undefined;
        return;
      }
      open.text.push(text);
      if (text.trim() !== '') open.last = line;
    },
    end() {
      close();
      closed.sort((a, b) => a.startMs - b.startMs);
      const segments = closed.map(({ startMs, endMs, text, first, last }, index) => {
        // A segment of which only the start is known lasts until the next one.
        const end = endMs ?? closed[index + 1]?.startMs ?? startMs;
        return { start: startMs / 1000, end: end / 1000, text, lines: { first, last } };
      });
      return { segments, problems: problems.toSorted((a, b) => a.line - b.line) };
    },
  };
}
