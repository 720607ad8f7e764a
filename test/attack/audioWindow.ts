/**
 * A window of its own: a process that translates recordings as `parley.audio.translate` does, while others do the same or
 * until it is killed. It says on its output what happens, a line each. SIGTERM is the user's Cancel.
 * `node audioWindow.ts <folder of the journal> <base URL> <recording>…`
 */
import { writeSync } from 'node:fs';
import { prepare } from '../../src/audio/jobs/translate.ts';
import { createJournal } from '../../src/audio/transcript/journal.ts';
import { ApiKey } from '../../src/service/apiKey.ts';
import { createServiceClient } from '../../src/service/client.ts';
import { createTestTransport, testKey } from '../contract/client.ts';
import { runBatch } from '../support/audioBatch.ts';

const [folder = '', baseUrl = '', ...paths] = process.argv.slice(2);
const say = (line: string): unknown => writeSync(1, `${line}\n`);
const stop = new AbortController();
process.on('SIGTERM', () => stop.abort());

const journal = createJournal(folder);
const transport = createTestTransport();
const endpoint = { baseUrl, model: 'parley-whisper', apiKey: new ApiKey(testKey) };
const options = { prompt: '', responseFormat: 'json', temperature: 0, fileField: 'file' } as const;
const client = createServiceClient(transport);

const candidates = await Promise.all(paths.map((path) => prepare(path, journal, stop.signal)));
const outcomes = await runBatch(
  {
    candidates: candidates.filter(({ saved }) => saved === undefined),
    model: endpoint.model,
    send: ({ path, format }, _sha256, { signal }) =>
      client.translate(endpoint, { ...options, path, contentType: format.contentType }, signal),
    journal,
    onSaved: ({ fileName }) => say(`saved ${fileName}`),
    report: ({ fileName }) => say(`begins ${fileName}`),
    reportWait: ({ fileName }) => say(`waits ${fileName}`),
    now: Date.now,
  },
  stop.signal,
);
for (const outcome of outcomes) {
  say(
    'error' in outcome
      ? `failed ${outcome.error.kind}`
      : `text ${outcome.transcript.fileName}: ${outcome.transcript.text}`,
  );
}
say('ends');
await transport.close();
