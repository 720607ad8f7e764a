/** A server that speaks the protocol of PostgreSQL, and says what a test wants. */
import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer } from 'node:net';

/** A message of a server (https://www.postgresql.org/docs/current/protocol-message-formats.html). */
export function message(kind: string, ...parts: readonly (Buffer | string | number)[]): Buffer {
  const body = Buffer.concat(parts.map(encode));
  const head = Buffer.alloc(5);
  head.write(kind, 'latin1');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

function encode(part: Buffer | string | number): Buffer {
  if (typeof part === 'string') return Buffer.from(`${part}\0`);
  if (typeof part !== 'number') return part;
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(part);
  return bytes;
}

const short = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff]);

export const ready = (state = 'I'): Buffer => message('Z', Buffer.from(state));
export const done = (tag: string): Buffer => message('C', tag);

/** The columns of an answer, all of a type. */
export const columns = (names: readonly string[], type = 25): Buffer =>
  message(
    'T',
    short(names.length),
    ...names.flatMap((name) => [name, 0, short(0), type, short(-1 & 0xffff), -1, short(0)]),
  );

/** A row of texts. */
export const row = (...fields: readonly string[]): Buffer =>
  message('D', short(fields.length), ...fields.flatMap((text) => [Buffer.byteLength(text), Buffer.from(text)]));

/** The messages after a login that goes through. */
export const welcome = Buffer.concat([
  message('R', 0),
  message('S', 'server_version', '15.0'),
  message('K', 1, 2),
  ready(),
]);

export interface WireServer {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * A server that lets everybody in, says `BEGIN` and the like went well, and answers each other statement by `answer`, given its text; without an
 * answer it says nothing more.
 */
export function startWireServer(
  answer: (sql: string, socket: Socket) => Buffer | undefined,
  greet: (socket: Socket) => void = (socket) => void socket.write(welcome),
): Promise<WireServer> {
  return startSockets((socket) => {
    let rest = Buffer.alloc(0);
    let isIn = false;
    socket.on('data', (bytes) => {
      rest = Buffer.concat([rest, bytes]);
      while (rest.length >= 8) {
        const head = isIn ? 1 : 0;
        const length = rest.readInt32BE(head) + head;
        if (rest.length < length) return;
        const whole = rest.subarray(0, length);
        rest = rest.subarray(length);
        if (!isIn) {
          isIn = true;
          greet(socket);
          continue;
        }
        const kind = String.fromCharCode(whole[0] ?? 0);
        // A query alone, or one whose values follow it: `P` has its name before the text.
        if (kind !== 'Q' && kind !== 'P') continue;
        const sql =
          whole
            .subarray(kind === 'Q' ? 5 : 6)
            .toString()
            .split('\0')[0] ?? '';
        const isFrame = /^(?:BEGIN|COMMIT|ROLLBACK)/.test(sql);
        const said = isFrame ? Buffer.concat([done('BEGIN'), ready('T')]) : answer(sql, socket);
        if (said !== undefined) socket.write(kind === 'P' ? Buffer.concat([message('1'), message('2'), said]) : said);
      }
    });
  });
}

/** A way to a server on this machine that can be held up and cut. */
export interface CutProxy extends WireServer {
  /** Cuts each connection after so many bytes to the server; undefined for never. */
  cutAfter: number | undefined;
  /** Passes nothing on any more, and cuts nothing. */
  isHeld: boolean;
  /** Resolves when a connection was held up. */
  held(): Promise<void>;
}

export async function startCutProxy(port: number): Promise<CutProxy> {
  let tellHeld = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    tellHeld = resolve;
  });
  const server = await startSockets((socket) => {
    const behind = connect(port, '127.0.0.1');
    let passed = 0;
    const cut = (): void => {
      socket.destroy();
      behind.destroy();
    };
    socket.on('data', (bytes) => {
      if (proxy.isHeld) return tellHeld();
      passed += bytes.length;
      const over = passed - (proxy.cutAfter ?? Number.POSITIVE_INFINITY);
      behind.write(over > 0 ? bytes.subarray(0, Math.max(0, bytes.length - over)) : bytes);
      if (over > 0) cut();
    });
    behind.on('data', (bytes) => (proxy.isHeld ? undefined : socket.write(bytes)));
    behind.on('error', cut).on('close', cut);
    socket.on('close', cut);
  });
  const proxy: CutProxy = { ...server, cutAfter: undefined, isHeld: false, held: () => held };
  return proxy;
}

async function startSockets(serve: (socket: Socket) => void): Promise<WireServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    serve(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => void server.close(() => resolve()));
    },
  };
}
