import { createInterface } from 'node:readline';
import type { ReadStream, WriteStream } from 'node:tty';
import { printable, printableJson } from './printable.ts';

/** What a command says, and whom it can ask. Texts are shown as texts, whatever is in them. */
export interface Terminal {
  /** Writes lines of the result to standard output. */
  out(text: string): void;
  /** Writes the result as one JSON object. */
  json(value: unknown): void;
  /** Writes lines beside the result, to standard error. */
  note(text: string): void;
  /** Shows how far the work is, in one line that is written again; nothing where nobody sees it. */
  progress(text: string): void;
  /** Whether somebody can answer a question. */
  readonly isInteractive: boolean;
  /** Asks a question whose answer is no, unless it begins with `y`. The end of the input and a cancelled signal are no, too. */
  ask(question: string, signal: AbortSignal): Promise<boolean>;
}

/** The streams of a process, as far as they are used here. */
interface Streams {
  stdin: NodeJS.ReadableStream & Partial<Pick<ReadStream, 'isTTY'>>;
  stdout: NodeJS.WritableStream;
  stderr: NodeJS.WritableStream & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>;
}

/** Moves to the begin of the line and clears it (ECMA-48, 8.3.41). */
const clearLine = '\r\u001b[K';
/** The least columns of a terminal that says none. */
const usualColumns = 80;

export function createTerminal({ stdin, stdout, stderr }: Streams = process): Terminal {
  let isShown = false;
  const clear = (): void => {
    if (isShown) stderr.write(clearLine);
    isShown = false;
  };
  const isInteractive = stdin.isTTY === true && stderr.isTTY === true;

  return {
    out(text) {
      clear();
      stdout.write(`${printable(text)}\n`);
    },
    json(value) {
      clear();
      stdout.write(`${printableJson(value)}\n`);
    },
    note(text) {
      clear();
      stderr.write(`${printable(text)}\n`);
    },
    progress(text) {
      if (stderr.isTTY !== true) return;
      isShown = true;
      stderr.write(clearLine + printable(text).slice(0, (stderr.columns || usualColumns) - 1));
    },
    isInteractive,
    async ask(question, signal) {
      clear();
      if (!isInteractive || signal.aborted) return false;
      // The terminal keeps its own mode, so that Ctrl+C stays a signal.
      const lines = createInterface({ input: stdin, output: stderr, terminal: false });
      const answer = await new Promise<string>((resolve) => {
        lines.once('close', () => resolve(''));
        signal.addEventListener('abort', () => lines.close(), { once: true });
        lines.question(`${printable(question)} `, resolve);
      });
      lines.close();
      return /^\s*y/i.test(answer);
    },
  };
}
