import { constants, type FileHandle, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isMissing } from '../../base/diskReason.ts';
import { fileMode, makeFolder } from '../../base/privateFiles.ts';
import { createTaskQueue } from '../../base/taskQueue.ts';
import type { Action } from '../conversation/conversation.ts';
import { logLine, readLog } from './logLine.ts';
import { writeNew } from './writeNew.ts';

/** The file of a conversation, to which every window that has it open appends. */
export interface ConversationLog {
  /** Notes an action of this window: it is written soon, with those that come meanwhile. */
  append(action: Action): void;
  /** Says where all of the conversation is to be had, so that a file that is gone can be written anew. */
  keepWhole(whole: () => readonly Action[]): void;
  /** Resolves when all that was noted is written. @throws the error of the disk; what is not written stays noted */
  flush(): Promise<void>;
  /** Reads what other windows have appended since the last reading; at first, everything. */
  readNew(): Promise<{ readonly actions: readonly Action[]; readonly corrupted: number }>;
  /** Whether the last write failed. */
  readonly isUnsaved: boolean;
}

/** The end of a file's name while its conversation is deleted, and can be brought back. */
export const removedEnding = '.removed';

/** Time after which a write that failed is tried again, in milliseconds. */
const againMs = 5_000;

/** Time for which actions are gathered, in milliseconds: a process that is killed loses the text of that time. */
export const gatherMs = 500;

/**
 * @param writer the name of this window, which no other has
 * @param onWritten called after each write, with the error of one that failed; it is tried again
 */
export function createConversationLog(
  path: string,
  writer: string,
  onWritten: (error?: unknown) => void,
): ConversationLog {
  const queue = createTaskQueue();
  let noted: Action[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isUnsaved = false;
  /** The file that was read last, and how many bytes of it. */
  let inode: bigint | undefined;
  let length = 0;
  let whole: (() => readonly Action[]) | undefined;

  const add = (actions: readonly Action[]): Promise<void> =>
    appendTo(
      path,
      actions.map((action) => logLine({ writer, action })),
      actions[0]?.type === 'create',
    );

  /** Writes the file anew, which is gone for good. @param actions those that were to be appended, which the whole has as well */
  async function writeAgain(actions: readonly Action[], all: readonly Action[]): Promise<void> {
    const meanwhile = noted;
    noted = [];
    try {
      if (await writeNew(path, writer, all)) {
        inode = undefined;
        length = 0;
      } else {
        // Another window was first; it may not know what is noted here.
        await add([...actions, ...meanwhile]);
      }
    } catch (error) {
      noted = [...meanwhile, ...noted];
      throw error;
    }
  }

  async function write(): Promise<void> {
    const actions = noted;
    if (actions.length === 0) return;
    noted = [];
    try {
      await add(actions).catch((error: unknown) => {
        if (whole === undefined || !isMissing(error)) throw error;
        return writeAgain(actions, whole());
      });
      isUnsaved = false;
      onWritten();
    } catch (error) {
      // What is in the file already is not written again: text would stand there twice.
      noted = [...actions.slice(error instanceof PartialWrite ? error.lines : 0), ...noted];
      isUnsaved = true;
      writeIn(againMs);
      onWritten(error);
      throw error;
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    return queue(write);
  }

  function writeIn(ms: number): void {
    timer ??= setTimeout(() => void flush().catch(() => {}), ms);
  }

  async function readNew() {
    const { bytes, size, ...file } = await readFrom(path, length);
    const isOther = inode !== undefined && inode !== file.inode;
    inode = file.inode;
    if (isOther) {
      // Another window wrote it anew, with what is known here.
      length = size;
      return { actions: [], corrupted: 0 };
    }
    const part = readLog(bytes);
    length += part.length;
    const actions = part.entries.flatMap((entry) => (entry.writer === writer ? [] : [entry.action]));
    return { actions, corrupted: part.corrupted };
  }

  return {
    append(action) {
      const kept = forFile(action);
      if (kept === undefined) return;
      noted = joined(noted, kept);
      writeIn(gatherMs);
    },
    keepWhole(from) {
      whole = from;
    },
    flush,
    readNew: () => queue(readNew),
    get isUnsaved() {
      return isUnsaved;
    },
  };
}

/** A write that the disk took a part of: so many whole lines are in the file. */
class PartialWrite extends Error {
  readonly code = 'ENOSPC';
  readonly lines: number;
  constructor(lines: number) {
    super('The disk took a part of a write.');
    this.lines = lines;
  }
}

/**
 * Appends in one write, which no other window's can come into: Node's appendFile makes several of a long text.
 * @param isNew whether the file may have to be made. One that another window has deleted comes back: what is written is wanted
 */
async function appendTo(path: string, lines: readonly string[], isNew: boolean): Promise<void> {
  if (isNew) await makeFolder(dirname(path));
  const file = isNew ? await open(path, 'a', fileMode) : await openWritten(path);
  try {
    const { bytesWritten } = await file.write(Buffer.from(lines.join('')));
    let length = 0;
    const whole = lines.findIndex((line) => {
      length += Buffer.byteLength(line);
      return length > bytesWritten;
    });
    if (whole >= 0) throw new PartialWrite(whole);
  } finally {
    await file.close();
  }
}

async function openWritten(path: string): Promise<FileHandle> {
  const flags = constants.O_WRONLY | constants.O_APPEND;
  try {
    return await open(path, flags);
  } catch (error) {
    if (!isMissing(error)) throw error;
    await rename(path + removedEnding, path);
    return open(path, flags);
  }
}

/** @returns the bytes from there on, the number of the file, and its size */
async function readFrom(path: string, from: number): Promise<{ bytes: Buffer; inode: bigint; size: number }> {
  const file = await open(path, 'r');
  try {
    const { ino, size: bigSize } = await file.stat({ bigint: true });
    const size = Number(bigSize);
    const bytes = Buffer.alloc(Math.max(0, size - from));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, from);
    return { bytes: bytes.subarray(0, bytesRead), inode: ino, size };
  } finally {
    await file.close();
  }
}

/** The action without what is of the moment only: the seconds of a wait. */
function forFile(action: Action): Action | undefined {
  if (action.type !== 'describe') return action;
  const { waitSeconds: _, isWaitAsked: _asked, ...facts } = action.facts;
  return Object.keys(facts).length === 0 ? undefined : { ...action, facts };
}

/** The actions with one more; text that follows text of the same answer is one action with it. */
function joined(actions: Action[], next: Action): Action[] {
  const last = actions.at(-1);
  const isMore = last?.type === 'append' && next.type === 'append' && last.id === next.id && last.field === next.field;
  if (!isMore) return [...actions, next];
  return actions.with(-1, { ...next, text: last.text + next.text });
}
