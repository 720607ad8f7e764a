/** Servers made of bare sockets, for what no well-behaved server does. */
import { type AddressInfo, createServer, type Socket } from 'node:net';

export interface BareServer {
  readonly port: number;
  readonly origin: string;
  /** The sockets in the order they came. */
  readonly sockets: readonly Socket[];
  /** Resolves when the n-th socket (from 0) is there. */
  opened(n?: number): Promise<Socket>;
  /** Resolves when that many sockets have come and all are closed. */
  allClosed(count?: number): Promise<void>;
  /** Resolves when what the clients sent holds this text. */
  heard(text: string): Promise<void>;
  close(): Promise<void>;
}

/** `onSocket` plays the server; errors of sockets are expected here. Without it, it listens and says nothing. */
export async function createBareServer(
  onSocket: (socket: Socket, n: number) => void = (socket) => void socket.resume(),
): Promise<BareServer> {
  const sockets: Socket[] = [];
  const looking = new Set<() => void>();
  const look = (): void => {
    for (const each of [...looking]) each();
  };
  let said = '';
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined).on('close', look);
    socket.on('data', (bytes) => {
      said = (said + bytes.toString('latin1')).slice(-100_000);
      look();
    });
    onSocket(socket, sockets.length - 1);
    look();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const until = <T>(ask: () => T | undefined): Promise<T> =>
    new Promise((resolve) => {
      const each = (): void => {
        const answer = ask();
        if (answer === undefined) return;
        looking.delete(each);
        resolve(answer);
      };
      looking.add(each);
      each();
    });
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    sockets,
    opened: (n = 0) => until(() => sockets[n]),
    allClosed: async (count = 1) =>
      void (await until(() => (sockets.length >= count && sockets.every((each) => each.closed) ? true : undefined))),
    heard: async (text) => void (await until(() => (said.includes(text) ? true : undefined))),
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => void server.close(() => resolve()));
    },
  };
}

/** An answer with a body that does not end. */
export const openAnswer = (status: number, body: string): string =>
  `HTTP/1.1 ${status} Said\r\nContent-Type: text/plain\r\nContent-Length: 1000000\r\n\r\n${body}`;

/** A whole answer, after which the connection stays open. */
export const wholeAnswer = (body: string, headers = ''): string =>
  `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`;
