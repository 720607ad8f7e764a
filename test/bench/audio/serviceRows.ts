import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { audioFolder } from '../../attack/audioFolder.ts';
import type { CleanUp } from '../../attack/openWindow.ts';
import { killPieces, saidOf } from '../../attack/pieceKills.ts';
import { type Row, toRow } from '../row.ts';

const bench = 'audio';
const kills = 30;

/** Recordings of ten pieces whose windows are killed, or whose service fails. */
export async function serviceRows(): Promise<Row[]> {
  const ended: (() => unknown)[] = [];
  const cleanUp: CleanUp = { after: (run) => void ended.push(run) };
  try {
    const { killed, again, lost } = await killPieces(await audioFolder(cleanUp), kills);
    const { pieces, failed, uploads, isWhole } = await failEachThird(cleanUp);
    return [
      toRow({ bench, metric: '10 pieces, windows killed at random moments', value: killed, unit: 'kills' }),
      toRow({
        bench,
        metric: '10 pieces, windows killed: pieces that were on the disk and are sent again',
        value: again,
        unit: '',
        goal: { of: 'value', is: '=', bound: 0 },
      }),
      toRow({
        bench,
        metric: '10 pieces, windows killed: pieces that had come, and are sent again',
        value: lost,
        unit: '',
        goal: { of: 'value', is: '=', bound: 0 },
      }),
      toRow({
        bench,
        metric: `${pieces} pieces of which each third fails: jobs that end right`,
        value: isWhole ? 1 : 0,
        unit: '',
        goal: { of: 'value', is: '=', bound: 1 },
      }),
      toRow({
        bench,
        metric: `${pieces} pieces of which each third fails: pieces sent again`,
        value: uploads - pieces,
        unit: '',
        peer: { name: 'pieces that failed', value: failed },
        goal: { of: 'ratio', is: '=', bound: 1 },
      }),
    ];
  } finally {
    for (const run of ended.reverse()) await run();
  }
}

/** Translates a recording with a service that answers each third piece with half of its answer, the first time. */
async function failEachThird(cleanUp: CleanUp) {
  const folder = await audioFolder(cleanUp);
  const seen = new Set<string>();
  let [uploads, failed] = [0, 0];
  const server = createServer(async (request, response) => {
    const hash = await hashOfFile(request);
    uploads++;
    const isFirst = !seen.has(hash);
    seen.add(hash);
    const body = JSON.stringify({ text: 'said', segments: [{ id: 0, start: 0, end: 1, text: 'said' }] });
    const fails = isFirst && seen.size % 3 === 0;
    if (fails) failed++;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(fails ? body.slice(0, body.length / 2) : body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUp.after(() => server.close());
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const window = folder.openLong(folder.recordLong('failing.wav', 3), baseUrl);
  await window.ended;
  return { pieces: seen.size, failed, uploads, isWhole: saidOf(window, 'text').length === 1 };
}

/** Forms have boundaries of their own, so that what is alike is the file alone. */
async function hashOfFile(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const body = Buffer.concat(parts);
  const start = body.indexOf('RIFF');
  return createHash('sha256')
    .update(body.subarray(start, start + body.readUInt32LE(start + 4)))
    .digest('hex');
}
