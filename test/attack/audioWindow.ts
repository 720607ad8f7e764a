/**
 * A window of its own: a process that translates recordings as `parley.audio.translate` does, while others do the same or
 * until it is killed. It says on its output what happens, a line each; `turned` a turn after a text came. SIGTERM is the user's Cancel.
 * `node audioWindow.ts <folder of the journal> <base URL> <recording>…`
 */

import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { createPieceStore } from '../../src/audio/jobs/pieceStore.ts';
import { createServiceWait } from '../../src/audio/jobs/serviceWait.ts';
import { prepare } from '../../src/audio/jobs/translate.ts';
import { translateRecording } from '../../src/audio/jobs/translateRecording.ts';
import { mergePieces } from '../../src/audio/merge/mergePieces.ts';
import { buildTranslationPrompt } from '../../src/audio/prompt/translationPrompt.ts';
import { createJournal } from '../../src/audio/transcript/journal.ts';
import { systemClock } from '../../src/base/clock.ts';
import { ServiceError } from '../../src/base/errors.ts';
import { ApiKey } from '../../src/service/apiKey.ts';
import { createServiceClient } from '../../src/service/client.ts';
import { createTestTransport, testKey } from '../contract/client.ts';
import { runBatch } from '../support/audioBatch.ts';
import { proveAlone } from '../support/proveAlone.ts';

const [folder = '', baseUrl = '', ...paths] = process.argv.slice(2);
const say = (line: string): unknown => writeSync(1, `${line}\n`);
const stop = new AbortController();
process.on('SIGTERM', () => stop.abort());

const journal = createJournal(folder);
const store = createPieceStore(join(folder, 'pieces'));
const transport = createTestTransport();
const endpoint = { baseUrl, model: 'parley-whisper', apiKey: new ApiKey(testKey) };
const options = { responseFormat: 'json', temperature: 0, fileField: 'file' } as const;
const client = createServiceClient(transport);

const candidates = await Promise.all(paths.map((path) => prepare(path, journal, stop.signal)));
const outcomes = await runBatch(
  {
    candidates: candidates.filter(({ saved }) => saved === undefined),
    model: endpoint.model,
    send: (recording, sha256, job) =>
      translateRecording(
        recording,
        sha256,
        {
          store,
          limit: { bytes: 25 * 1024 ** 2, learn: () => {} },
          request: { baseUrl, model: endpoint.model, options },
          parallel: 1,
          wait: createServiceWait(systemClock),
          promptFor: async () => buildTranslationPrompt({ instruction: '', glossary: [] }),
          carryOver: (prompt) => prompt,
          async send(file, signal) {
            const translation = await client.translate(endpoint, { ...options, ...file }, signal);
            setImmediate(() => say(`turned ${recording.fileName}`));
            return translation;
          },
          openSplit: () => Promise.reject(new ServiceError('not-audio')),
          proveAlone: proveAlone(),
          merge: mergePieces,
          now: Date.now,
        },
        job,
      ),
    journal,
    onSaved({ fileName }, sha256) {
      say(`saved ${fileName}`);
      void store.remove(sha256);
    },
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
