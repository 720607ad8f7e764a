import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Where what is to be ended or deleted is left, such as the context of a test. */
export interface CleanUp {
  after(run: () => unknown): void;
}

/** A process that does what a window of VS Code does, and says on its output what happens. */
export interface Window {
  process: ChildProcess;
  /** All it has said. */
  lines: string[];
  /** Resolves once this holds of what it has said, or when it has ended. */
  untilLines(test: (lines: readonly string[]) => boolean): Promise<void>;
  /** Resolves once it says a line that begins so, or has said it. */
  says(start: string): Promise<void>;
  /** Resolves when it has ended; gives the signal that ended it, if any. */
  ended: Promise<NodeJS.Signals | null>;
}

/** @param script a file of this folder */
export function openWindow(t: CleanUp, script: string, args: readonly string[]): Window {
  const path = join(import.meta.dirname, script);
  const child = spawn(process.execPath, [path, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  const lookAgain = (): void => {
    for (const look of waiting) look();
  };
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    lookAgain();
  });
  let isOver = false;
  const ended = new Promise<NodeJS.Signals | null>((resolve) => {
    child.once('close', (_code, signal) => {
      isOver = true;
      lookAgain();
      resolve(signal);
    });
  });
  const untilLines: Window['untilLines'] = (test) =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!isOver && !test(lines)) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
    });
  return {
    process: child,
    lines,
    untilLines,
    says: (start) => untilLines((all) => all.some((line) => line.startsWith(start))),
    ended,
  };
}
