import { type BareServer, createBareServer } from '../contract/sockets.ts';
import type { HostileAnswer } from './hostileAnswers.ts';

export interface HostileService {
  /** The base address at which every request meets this answer. */
  baseUrl(answer: HostileAnswer): string;
  /** Bytes written to the client since the last call. */
  takeWritten(): number;
  /** Told when `bytes` have been written to one socket, once; or the answer has been written to its end. */
  onWritten(bytes: number, then: () => void): void;
  /** Resolves when no socket is open. */
  allClosed(): Promise<void>;
  close(): Promise<void>;
}

/** Plays the answers byte by byte, so that nothing stands between what the table says and the wire. */
export async function serveHostile(answers: readonly HostileAnswer[]): Promise<HostileService> {
  let written = 0;
  let watch: { bytes: number; then: () => void } | undefined;
  const look = (sent: number, ended: boolean): void => {
    if (watch === undefined || (sent < watch.bytes && !ended)) return;
    const { then } = watch;
    watch = undefined;
    then();
  };
  let server: BareServer | undefined;
  server = await createBareServer((socket) => {
    let head = '';
    let missing = Number.POSITIVE_INFINITY;
    const onData = (bytes: Buffer): void => {
      if (missing === Number.POSITIVE_INFINITY) {
        head += bytes.toString('latin1');
        const end = head.indexOf('\r\n\r\n');
        if (end < 0) return;
        const length = Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? 0);
        missing = /transfer-encoding: *chunked/i.test(head) ? Number.NaN : length - (head.length - end - 4);
      } else missing -= bytes.length;
      const isWhole = Number.isNaN(missing) ? head.endsWith('\r\n0\r\n\r\n') : missing <= 0;
      if (Number.isNaN(missing)) head = head.slice(0, 4_096) + bytes.toString('latin1').slice(-4_096);
      if (!isWhole) return;
      socket.off('data', onData).resume();
      const answer = answers[Number(/\/answer-(\d+)\//.exec(head)?.[1])];
      if (answer !== undefined) void play(answer);
    };
    socket.on('data', onData);

    async function play(answer: HostileAnswer): Promise<void> {
      let sent = 0;
      for await (const piece of answer.bytes(server?.origin ?? '')) {
        if (socket.destroyed) return;
        const bytes = typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece;
        const hasRoom = socket.write(bytes);
        sent += bytes.length;
        written += bytes.length;
        look(sent, false);
        if (!hasRoom) await drained();
        else if (sent % 1_048_576 < bytes.length) await new Promise(setImmediate);
      }
      look(sent, true);
      if (answer.ending === 'cut') socket.destroy();
      else if (answer.ending !== 'open') socket.end();
    }
    const drained = (): Promise<void> =>
      new Promise((resolve) => {
        if (socket.destroyed) return resolve();
        const done = (): void => {
          socket.off('drain', done).off('close', done);
          resolve();
        };
        socket.on('drain', done).on('close', done);
      });
  });
  const { origin, sockets } = server;
  return {
    baseUrl: (answer) => `${origin}/answer-${answers.indexOf(answer)}/v1`,
    takeWritten: () => {
      const before = written;
      written = 0;
      return before;
    },
    onWritten: (bytes, then) => {
      watch = { bytes, then };
    },
    allClosed: async () => {
      while (sockets.some((socket) => !socket.closed)) await new Promise(setImmediate);
    },
    close: () => server.close(),
  };
}
