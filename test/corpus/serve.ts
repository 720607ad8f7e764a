import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CorpusCase } from './case.ts';

export interface CorpusService {
  /** The base address at which every request meets this case. */
  baseUrl(each: CorpusCase): string;
  /** How many requests a case has met. */
  requests(each: CorpusCase): number;
  close(): Promise<void>;
}

/** Plays the cases on a real socket, each under a path of its own. */
export async function serveCorpus(cases: readonly CorpusCase[]): Promise<CorpusService> {
  const counts = new Map<number, number>();
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', async () => {
      const number = Number(/^\/case-(\d+)\//.exec(request.url ?? '')?.[1]);
      const each = cases[number];
      if (each === undefined) return response.writeHead(404).end();
      counts.set(number, (counts.get(number) ?? 0) + 1);
      const type = each.operation === 'chat' && each.stream ? 'text/event-stream' : 'application/json';
      response.writeHead(each.status ?? 200, { 'content-type': type, ...each.headers });
      response.flushHeaders();
      for (const piece of piecesOf(each.body)) {
        await new Promise<void>((resolve) => response.write(piece, () => resolve()));
      }
      if (each.ending === 'cut') response.socket?.destroySoon();
      else response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: (each) => `http://127.0.0.1:${port}/case-${cases.indexOf(each)}/v1`,
    requests: (each) => counts.get(cases.indexOf(each)) ?? 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function piecesOf(body: CorpusCase['body']): readonly (string | Uint8Array)[] {
  return typeof body === 'string' || body instanceof Uint8Array ? [body] : body;
}
