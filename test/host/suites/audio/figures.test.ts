/** Measures, for `npm run bench -- audio`, the way of a recording from the click to the service. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commands, Uri } from 'vscode';
import { Command } from '../../../../src/ids/ids.ts';
import { mp3Frame } from '../../../support/recordings.ts';
import { speechWav } from '../../../support/speech.ts';
import { closeEditors } from '../support/editors.ts';
import { notification } from '../support/hands.ts';
import { connectTo, disconnect, setting } from '../support/service.ts';
import { subject } from '../support/subject.ts';

const rounds = 11;
const size = 20e6;

describe('Figures of recordings', () => {
  const figures: Record<string, number> = {};
  let folder: string;
  let firstByteAt = 0;
  const server = createServer((request, response) => {
    request.once('data', () => {
      firstByteAt = performance.now();
    });
    request.resume().once('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ text: 'said', segments: [{ id: 0, start: 0, end: 1, text: 'said' }] }));
    });
  });

  before(async () => {
    await subject().activate();
    folder = await mkdtemp(join(tmpdir(), 'parley-figures-'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await connectTo({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` });
    await setting('parley.audio.askAboveMinutes', 10_000);
  });
  after(async () => {
    await setting('parley.audio.askAboveMinutes', undefined);
    await disconnect();
    server.close();
    server.closeAllConnections();
    await rm(folder, { recursive: true });
    const path = process.env.PARLEY_TEST_FIGURES;
    if (path !== undefined) await writeFile(path, JSON.stringify(figures));
  });

  /** A recording of 20 MB, each of other bytes. */
  function recordingOf(format: string, number: number): Buffer {
    if (format === 'wav') return speechWav(size / 16_000, number);
    const frame = mp3Frame(0.5);
    return Buffer.concat([
      ...Array.from({ length: Math.ceil(size / frame.length) }, () => frame),
      Buffer.from([number]),
    ]);
  }

  for (const format of ['wav', 'mp3']) {
    it(`20 MB of ${format}`, async () => {
      const times: number[] = [];
      for (let round = 0; round < rounds; round++) {
        const path = join(folder, `talk${round}.${format}`);
        await writeFile(path, recordingOf(format, round));
        const uri = Uri.file(path);
        firstByteAt = 0;
        const clicked = performance.now();
        await commands.executeCommand(Command.audioTranslate, uri, [uri]);
        assert.ok(firstByteAt > 0);
        times.push(firstByteAt - clicked);
        await closeEditors();
        await notification.clear();
      }
      times.sort((a, b) => a - b);
      figures[format] = times[rounds >> 1] ?? Number.NaN;
    });
  }
});
