/**
 * A service that answers at once, in a process of its own: vectors are taken from a pool, their JSON written beforehand.
 * `node service.ts MANNERS` prints its port; how it treats requests is said in fixture.ts.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Manners } from './fixture.ts';
import { numbersAt, placeOf, poolSize } from './pool.ts';

const { limit = 2048, thirdRefused = false, reversed = false } = JSON.parse(process.argv[2] ?? '{}') as Manners;
const pool = Array.from({ length: poolSize }, (_, place) =>
  Buffer.from(`"embedding":[${numbersAt(place).join(',')}]}`),
);
const counts = { requests: 0, rateLimited: 0, texts: 0 };

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json', 'retry-after-ms': '1' });
  response.end(JSON.stringify({ error: { message } }));
}

function answer(response: ServerResponse, inputs: readonly string[]): void {
  counts.texts += inputs.length;
  const items = inputs.map((text, index) =>
    Buffer.concat([Buffer.from(`{"index":${index},`), pool[placeOf(text)] ?? Buffer.alloc(0)]),
  );
  if (reversed) items.reverse();
  const parts = items.flatMap((item, place) => (place === 0 ? [item] : [Buffer.from(','), item]));
  const end = Buffer.from(`],"usage":{"prompt_tokens":${inputs.length}}}`);
  const body = Buffer.concat([Buffer.from('{"object":"list","data":['), ...parts, end]);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
}

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    if (request.method === 'GET') return response.end(JSON.stringify(counts));
    const { input } = JSON.parse(Buffer.concat(parts).toString()) as { input: string | string[] };
    const inputs = [input].flat();
    counts.requests++;
    if (thirdRefused && counts.requests % 3 === 0) {
      counts.rateLimited++;
      return refuse(response, 429, 'Too many requests.');
    }
    if (inputs.length > limit) return refuse(response, 400, `At most ${limit} inputs.`);
    answer(response, inputs);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
