import { readFileSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { takeFileLock } from '../../base/fileLock.ts';
import { writeWhole } from '../../base/privateFiles.ts';
import { createTaskQueue } from '../../base/taskQueue.ts';

/**
 * A small value that all windows share, as JSON in a file. VS Code's `globalState` would not do: a window writes all of its keys as it
 * knows them, and takes away what another has written at the same time.
 */
export interface SharedValue {
  /** As this window knows it, with its own changes. What another window changed a second ago is in it. */
  readonly current: unknown;
  /** Reads what other windows have changed by now. */
  refresh(): Promise<void>;
  /**
   * Changes what is on the disk, one window at a time. `current` has the change at once, also where it cannot be written.
   * @param to the value after the change, from any that was there before; it is called more than once
   */
  change(to: Change): Promise<void>;
}

type Change = (before: unknown) => unknown;

/** The time for which what was read holds, in milliseconds. */
const freshFor = 1_000;
/** Between two tries to have the lock, in milliseconds, and how many there are. */
const askAgainMs = 20;
const mostTries = 250;

/**
 * @param initial the value while there is no file
 * @param onError a change could not be written, and is known to this window alone
 */
export function openSharedValue(path: string, initial: unknown, onError: (error: unknown) => void): SharedValue {
  const inTurn = createTaskQueue();
  /** Changes of this window that are not on the disk yet. */
  let unwritten: readonly Change[] = [];
  let stored = readAtOnce(path, initial);
  let mark = '';
  let lookedAt = 0;

  async function look(): Promise<void> {
    lookedAt = Date.now();
    const now = await markOf(path);
    if (now === mark || now === undefined) return;
    stored = parse(await readFile(path, 'utf8').catch(() => undefined), stored);
    mark = now;
  }

  async function write(change: Change): Promise<void> {
    let tries = 0;
    const lock = await takeFileLock(
      `${path}.lock`,
      new AbortController().signal,
      () => ++tries < mostTries,
      askAgainMs,
    );
    try {
      await look();
      const next = change(stored);
      await writeWhole(path, JSON.stringify(next));
      stored = next;
      unwritten = unwritten.filter((each) => each !== change);
    } finally {
      lock?.release();
    }
  }

  return {
    get current() {
      if (Date.now() - lookedAt > freshFor) void inTurn(look).catch(() => undefined);
      return unwritten.reduce((value, change) => change(value), stored);
    },
    refresh: () => inTurn(look).catch(() => undefined),
    change(to) {
      unwritten = [...unwritten, to];
      return inTurn(() => write(to)).catch(onError);
    },
  };
}

function readAtOnce(path: string, initial: unknown): unknown {
  try {
    return parse(readFileSync(path, 'utf8'), initial);
  } catch {
    return initial;
  }
}

/** What a text says; where it is no JSON, what was known before. */
function parse(text: string | undefined, before: unknown): unknown {
  try {
    return text === undefined ? before : JSON.parse(text);
  } catch {
    return before;
  }
}

/** Tells one state of a file from another, which is written in a file of its own. */
async function markOf(path: string): Promise<string | undefined> {
  const stats = await stat(path, { bigint: true }).catch(() => undefined);
  return stats && `${stats.ino} ${stats.mtimeNs} ${stats.size}`;
}
