import { existsSync } from 'node:fs';
import { lstat, readdir, rm, rmdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { ServiceError } from '../../base/errors.ts';
import {
  readAnnouncement,
  readReply,
  type VectorRefusal,
  type VectorReply,
  vectorOf,
  type WindowAnnouncement,
} from './questionProtocol.ts';
import { readLine } from './readLine.ts';
import { readSmallFile } from './readSmallFile.ts';

/** The folder in which windows announce themselves. */
export const announcementsIn = (folder: string): string => join(folder, 'windows');

/** The windows that have an index open. Those that ended without saying so are taken out. */
export async function windowsOf(folder: string, directory: string): Promise<WindowAnnouncement[]> {
  const names = await readdir(announcementsIn(folder)).catch(() => []);
  const found = await Promise.all(
    names
      .filter((name) => name.endsWith('.json'))
      .map(async (name) => {
        const path = join(announcementsIn(folder), name);
        const window = readAnnouncement(await readSmallFile(path));
        if (window === undefined || isThere(window)) return window;
        await rm(path, { force: true }).catch(() => undefined);
        await removeSocket(window.socket).catch(() => undefined);
        return undefined;
      }),
  );
  return found.filter((window) => window !== undefined).filter((window) => window.directory === directory);
}

/** What the names of folders for sockets begin with; six letters of the system follow. */
export const socketFolder = 'parley-';

/**
 * Removes a socket that nobody listens at any more, and the folder that was made for it where nothing else is in it. What an announcement names
 * may be anything: what has not the form of ours stays.
 */
async function removeSocket(socket: string): Promise<void> {
  const folder = dirname(socket);
  const isOurs = basename(folder).startsWith(socketFolder) && basename(folder).length === socketFolder.length + 6;
  if (process.platform === 'win32' || !isOurs) return;
  const found = await lstat(socket).catch(() => undefined);
  if (found?.isSocket() && !(await isListenedAt(socket))) await rm(socket);
  await rmdir(folder);
}

/** Whether a program may be behind a socket: only a refused connection says that there is none. */
function isListenedAt(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(socket);
    connection.on('connect', () => {
      connection.destroy();
      resolve(true);
    });
    connection.on('error', (error) => resolve(!('code' in error && error.code === 'ECONNREFUSED')));
  });
}

/** After a restart of the machine another program may have the number of the window's process, but its socket is gone. */
function isThere({ pid, socket }: WindowAnnouncement): boolean {
  return isRunning(pid) && (process.platform === 'win32' || existsSync(socket));
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user runs, too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Tries that a question has: another program may have used up the token that was read. */
const mostTries = 5;
/** How long a window may take for an answer, in milliseconds. An agent waits a minute for all of its own. */
const patience = 20_000;

/**
 * What a window answered: the vector, or why there is none. `silent`: it took the question, and what came back is no answer; `none`: there
 * is no window.
 */
export type WindowAnswer = { readonly vector: Float32Array } | { readonly refused: VectorRefusal | 'silent' | 'none' };

/**
 * Asks a window that has the index open for the vector of a text. Further windows are asked where one has none.
 * @param space the vector is compared in it (`spaceKey`)
 * @param patienceMs how long each of them may take
 * @throws ServiceError `cancelled`
 */
export async function askWindows(
  folder: string,
  directory: string,
  text: string,
  space: string,
  signal: AbortSignal,
  patienceMs: number = patience,
): Promise<WindowAnswer> {
  let refused: VectorRefusal | 'silent' | 'none' = 'none';
  const silent = new Set<string>();
  for (let round = 0; round < mostTries; round++) {
    let isUsedUp = false;
    for (const { socket, token } of await windowsOf(folder, directory)) {
      if (silent.has(socket)) continue;
      const line = `${JSON.stringify({ token, text, space })}\n`;
      const reply = await ask(socket, line, AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]));
      if (signal.aborted) throw new ServiceError('cancelled');
      if (typeof reply === 'object' && 'vector' in reply) {
        const vector = vectorOf(reply.vector);
        if (isVector(vector)) return { vector };
      }
      const answer = typeof reply === 'object' && 'refused' in reply ? reply.refused : reply;
      if (answer === 'token') isUsedUp = true;
      else if (answer !== 'none') silent.add(socket);
      if (answer !== 'none') refused = typeof answer === 'string' ? answer : 'silent';
    }
    if (!isUsedUp) break;
  }
  return { refused };
}

/** Nothing is near to a vector without a direction, or with numbers that are none. */
function isVector(vector: Float32Array): boolean {
  return vector.every(Number.isFinite) && vector.some((value) => value !== 0);
}

/** Sends a line and reads the answer. `none`: nobody took it; `silent`: there was no answer that can be read, or the signal fired. */
function ask(socket: string, line: string, signal: AbortSignal): Promise<VectorReply | 'silent' | 'none'> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve('none');
    let isConnected = false;
    const connection = connect(socket);
    const cancel = (): void => {
      connection.destroy();
      resolve('silent');
    };
    signal.addEventListener('abort', cancel, { once: true });
    connection.on('connect', () => {
      isConnected = true;
    });
    connection.on('error', () => undefined);
    connection.on('close', () => {
      signal.removeEventListener('abort', cancel);
      resolve(isConnected ? 'silent' : 'none');
    });
    readLine(connection, (answer) => {
      resolve(readReply(answer) ?? 'silent');
      connection.destroy();
    });
    connection.write(line);
  });
}
