import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { writeWhole } from '../../base/privateFiles.ts';
import { createTaskQueue } from '../../base/taskQueue.ts';
import { readQuestion, type VectorRefusal, type VectorReply, vectorText } from './questionProtocol.ts';
import { readLine } from './readLine.ts';
import { announcementsIn, socketFolder, windowsOf } from './windows.ts';

/** A window's door for questions from other programs of this user. */
export interface QuestionServer {
  close(): Promise<void>;
}

/** Gives the vector of a text by the model that this space is of, or says why not. */
export type AnswerQuestion = (
  text: string,
  space: string,
  signal: AbortSignal,
) => Promise<Float32Array | Exclude<VectorRefusal, 'token'>>;

/** Connections at one time; further ones are refused by the system. */
const mostConnections = 16;
/** How long a connection may take to send its question, in milliseconds. */
const questionMs = 10_000;

/**
 * Opens the door, and announces it in a file that only this user can read.
 * @param folder the data folder of this user
 * @param directory of the index that questions are about
 * @throws the error of the system where there can be no socket or file
 */
export async function openQuestionServer(
  folder: string,
  directory: string,
  answer: AnswerQuestion,
): Promise<QuestionServer> {
  // What windows left that were killed is taken out by whoever looks, and this one looks for nothing else.
  await windowsOf(folder, directory);
  const name = randomBytes(8).toString('hex');
  const file = join(announcementsIn(folder), `${name}.json`);
  const socket = await socketPath(name);
  let token = '';
  const announce = async (): Promise<void> => {
    token = randomBytes(32).toString('base64url');
    await writeWhole(file, JSON.stringify({ pid: process.pid, directory, socket, token }));
  };
  const inTurn = createTaskQueue();
  const open = new Set<Socket>();

  async function reply(line: string, signal: AbortSignal): Promise<VectorReply> {
    const question = readQuestion(line);
    if (question === undefined) return { refused: 'token' };
    const isKnown = await inTurn(async () => {
      if (question.token !== token) return false;
      await announce();
      return true;
    });
    if (!isKnown) return { refused: 'token' };
    const found = await answer(question.text, question.space, signal);
    return typeof found === 'string' ? { refused: found } : { vector: vectorText(found) };
  }

  const server = createServer((connection) => {
    open.add(connection);
    const gone = new AbortController();
    connection.on('close', () => {
      open.delete(connection);
      gone.abort();
    });
    connection.on('error', () => connection.destroy());
    connection.setTimeout(questionMs, () => connection.destroy());
    readLine(connection, async (line) => {
      connection.setTimeout(0);
      connection.end(`${JSON.stringify(await reply(line, gone.signal))}\n`);
    });
  });
  server.maxConnections = mostConnections;
  await listen(server, socket);
  server.on('error', () => undefined);
  await announce();

  return {
    close: () =>
      new Promise((resolve) => {
        rmSync(file, { force: true });
        server.close(() => {
          if (process.platform !== 'win32') rmSync(dirname(socket), { recursive: true, force: true });
          resolve();
        });
        for (const connection of open) connection.destroy();
      }),
  };
}

/** The paths of Unix sockets are short (108 bytes on Linux, 104 on macOS), so this one is in a new folder for temporary files. */
async function socketPath(name: string): Promise<string> {
  if (process.platform === 'win32') return `\\\\.\\pipe\\parley-${name}`;
  const folderIn = (folder: string): Promise<string> => mkdtemp(join(folder, socketFolder));
  // The folder for sockets may be another user's, or gone, where a shell was made by `su` or in a container.
  const folder = await folderIn(process.env['XDG_RUNTIME_DIR'] || tmpdir()).catch(() => folderIn(tmpdir()));
  return join(folder, 's');
}

function listen(server: Server, socket: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(socket, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
