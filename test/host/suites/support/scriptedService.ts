/** A service whose answers a suite writes itself, byte by byte: for lists and streams that no sound service sends. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setting } from './service.ts';

export type Answer = (response: ServerResponse, body: Record<string, unknown>) => void | Promise<void>;

export interface ScriptedService {
  readonly baseUrl: string;
  /** Bodies of the questions so far. */
  readonly bodies: Record<string, unknown>[];
  /** How often the list of models was asked for. */
  readonly lists: number;
  /** How many of the questions' connections were closed before they were answered. */
  readonly closed: number;
  /** What `GET models` answers from now on. */
  list(answer: unknown): void;
  /** What a question is answered with from now on. */
  answer(answer: Answer): void;
  close(): Promise<void>;
}

/** Starts it with a list of one model, `m`, and no answer. It asks for no key. */
export async function startScripted(): Promise<ScriptedService> {
  const bodies: Record<string, unknown>[] = [];
  let lists = 0;
  let closed = 0;
  let listed: Answer = listOf([{ id: 'm' }]);
  let answered: Answer = (response) => void response.writeHead(500).end();
  const server = createServer(async (request, response) => {
    const body = await readBody(request);
    response.on('close', () => {
      if (!response.writableFinished) closed++;
    });
    if (request.method === 'GET') {
      lists++;
      await listed(response, {});
      return;
    }
    bodies.push(body);
    await answered(response, body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    bodies,
    get lists() {
      return lists;
    },
    get closed() {
      return closed;
    },
    list(answer) {
      listed = typeof answer === 'function' ? (answer as Answer) : listOf(answer);
    },
    answer(answer) {
      answered = answer;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Makes it the service of the settings, without a model that the user named. */
export async function connectToScripted({ baseUrl }: ScriptedService): Promise<void> {
  await setting('parley.chat.model', undefined);
  await setting('parley.baseUrl', baseUrl);
}

/** Server events of these data, and what comes at their end. */
export function streamed(data: readonly (string | object)[], end: (response: ServerResponse) => void): Answer {
  return async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const each of data) {
      const text = typeof each === 'string' ? each : JSON.stringify(each);
      await new Promise((resolve) => response.write(`data: ${text}\n\n`, resolve));
    }
    end(response);
  };
}

const listOf =
  (data: unknown): Answer =>
  (response) => {
    const text = typeof data === 'string' ? data : JSON.stringify({ object: 'list', data });
    response.writeHead(200, { 'content-type': 'application/json' }).end(text);
  };

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  const text = Buffer.concat(pieces).toString();
  return text === '' ? {} : JSON.parse(text);
}
