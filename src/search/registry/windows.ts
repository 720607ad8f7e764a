import { readdir, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { ServiceError } from '../../base/errors.ts';
import {
  readAnnouncement,
  readReply,
  type VectorReply,
  vectorOf,
  type WindowAnnouncement,
} from './questionProtocol.ts';
import { readLine } from './readLine.ts';

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
        const window = readAnnouncement(await readFile(path, 'utf8').catch(() => ''));
        if (window === undefined || isRunning(window.pid)) return window;
        await rm(path, { force: true }).catch(() => undefined);
        return undefined;
      }),
  );
  return found.filter((window) => window !== undefined).filter((window) => window.directory === directory);
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

/**
 * The vector of a text, from a window that has the index open.
 * @param space the vector is compared in it (`spaceKey`)
 * @throws ServiceError `refused` where no window gives one, and `cancelled`
 */
export async function askWindows(
  folder: string,
  directory: string,
  text: string,
  space: string,
  signal: AbortSignal,
): Promise<Float32Array> {
  for (let round = 0; round < mostTries; round++) {
    let isUsedUp = false;
    for (const { socket, token } of await windowsOf(folder, directory)) {
      const reply = await ask(socket, `${JSON.stringify({ token, text, space })}\n`, signal);
      if (reply !== undefined && 'vector' in reply) return vectorOf(reply.vector);
      isUsedUp ||= reply?.refused === 'token';
    }
    if (!isUsedUp) break;
  }
  throw new ServiceError('refused');
}

/** Sends a line and reads the answer; undefined where there is none. */
function ask(socket: string, line: string, signal: AbortSignal): Promise<VectorReply | undefined> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(new ServiceError('cancelled'));
    const connection = connect(socket);
    const cancel = (): void => {
      connection.destroy();
      reject(new ServiceError('cancelled'));
    };
    signal.addEventListener('abort', cancel, { once: true });
    connection.on('error', () => resolve(undefined));
    connection.on('close', () => {
      signal.removeEventListener('abort', cancel);
      resolve(undefined);
    });
    readLine(connection, (answer) => {
      resolve(readReply(answer));
      connection.destroy();
    });
    connection.write(line);
  });
}
