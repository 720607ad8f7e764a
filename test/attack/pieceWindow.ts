/**
 * A window of its own: a process that translates one long recording in pieces, while others do the same or until it is killed. It
 * says on its output what happens, a line each: `sends`, `came`, `turned` (a turn after that) and `kept` with the second at which a
 * piece begins.
 * `node pieceWindow.ts <folder of the journal> <base URL> <most bytes of a request> <recording>`
 */

import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { openSplit } from '../../src/audio/jobs/openSplit.ts';
import { createPieceStore } from '../../src/audio/jobs/pieceStore.ts';
import { createServiceWait } from '../../src/audio/jobs/serviceWait.ts';
import { proveSoundAlone } from '../../src/audio/jobs/soundAlone.ts';
import { prepare } from '../../src/audio/jobs/translate.ts';
import { translateRecording } from '../../src/audio/jobs/translateRecording.ts';
import { mergePieces } from '../../src/audio/merge/mergePieces.ts';
import { buildTranslationPrompt } from '../../src/audio/prompt/translationPrompt.ts';
import { createSplitter } from '../../src/audio/split/splitter.ts';
import { createJournal } from '../../src/audio/transcript/journal.ts';
import { systemClock } from '../../src/base/clock.ts';
import { ApiKey } from '../../src/service/apiKey.ts';
import { createServiceClient } from '../../src/service/client.ts';
import { createTestTransport, testKey } from '../contract/client.ts';
import { runBatch } from '../support/audioBatch.ts';

const [folder = '', baseUrl = '', mostBytes = '', path = ''] = process.argv.slice(2);
const say = (line: string): unknown => writeSync(1, `${line}\n`);
const { signal } = new AbortController();

const journal = createJournal(folder);
const store = createPieceStore(join(folder, 'pieces'));
const splitter = createSplitter(new URL('../../src/audio/split/thread/splitThread.ts', import.meta.url));
const transport = createTestTransport();
const client = createServiceClient(transport);
const endpoint = { baseUrl, model: 'parley-whisper', apiKey: new ApiKey(testKey) };
const options = { responseFormat: 'verbose_json', temperature: 0, fileField: 'file' } as const;

const candidate = await prepare(path, journal, signal);
const [outcome] = await runBatch(
  {
    candidates: candidate.saved === undefined ? [candidate] : [],
    model: endpoint.model,
    send: (recording, sha256, job) =>
      translateRecording(
        recording,
        sha256,
        {
          store: {
            ...store,
            async save(request, translation) {
              say(`came ${request.from}`);
              setImmediate(() => say(`turned ${request.from}`));
              await store.save(request, translation);
              say(`kept ${request.from}`);
            },
          },
          limit: { bytes: Number(mostBytes), learn: () => {} },
          request: { baseUrl, model: endpoint.model, options },
          parallel: 3,
          wait: createServiceWait(systemClock),
          promptFor: async () => buildTranslationPrompt({ instruction: '', glossary: [] }),
          carryOver: (prompt) => prompt,
          send: (file, stop) => client.translate(endpoint, { ...options, ...file }, stop),
          openSplit: (each, stop) =>
            openSplit(splitter, each, stop).then((split) => ({
              ...split,
              async write(piece, target, cancelled) {
                const written = await split.write(piece, target, cancelled);
                say(`sends ${piece.from}`);
                return written;
              },
            })),
          proveAlone: (each, stop) => proveSoundAlone(splitter, each, stop),
          merge: mergePieces,
          now: Date.now,
        },
        job,
      ),
    journal,
    onSaved: (_recording, sha256) => void store.remove(sha256).then(() => say('removed')),
    report: ({ fileName }) => say(`begins ${fileName}`),
    reportWait: ({ fileName }) => say(`waits ${fileName}`),
    now: Date.now,
  },
  signal,
);
// A window before this one was killed once all was on the disk.
if (candidate.saved !== undefined) say('saved');
if (outcome !== undefined)
  say('error' in outcome ? `failed ${outcome.error.kind}` : `text ${outcome.transcript.segments?.length ?? 0}`);
say('ends');
splitter.dispose();
await transport.close();
