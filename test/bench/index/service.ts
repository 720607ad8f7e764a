/**
 * A service that answers at once, in a process of its own: vectors are taken from a pool, their JSON written beforehand.
 * Prints its address; answers as `PARLEY_BENCH_LIMIT` says: at most so many texts a request.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const dimensions = 1024;
const limit = Number(process.env['PARLEY_BENCH_LIMIT'] ?? 2048);
const pool = Array.from({ length: 64 }, (_, row) => {
  const vector = Array.from({ length: dimensions }, (_, i) => Math.sin((row + 1) * (i + 1) * 0.7));
  return `"embedding":[${vector.map((value) => value.toFixed(6)).join(',')}]`;
});
let requests = 0;
let texts = 0;

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    if (request.method === 'GET') return response.end(JSON.stringify({ requests, texts }));
    requests++;
    const { input } = JSON.parse(Buffer.concat(parts).toString()) as { input: string | string[] };
    const inputs = [input].flat();
    if (inputs.length > limit) {
      response.writeHead(400, { 'content-type': 'application/json' });
      return response.end(JSON.stringify({ error: { message: `At most ${limit} inputs.`, param: 'input' } }));
    }
    texts += inputs.length;
    const data = inputs.map((text, index) => `{"index":${index},${pool[text.length % pool.length]}}`);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(`{"object":"list","data":[${data.join(',')}],"usage":{"prompt_tokens":${inputs.length}}}`);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
