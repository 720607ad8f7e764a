import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { inspect } from 'node:util';
import { embed } from '../../src/service/embeddings/embeddings.ts';
import { listModels } from '../../src/service/models/models.ts';
import { createTransport } from '../../src/service/transport/transport.ts';
import type { ReferenceService } from '../service/options.ts';
import { createReferenceService } from '../service/server.ts';
import { ask, createPatientClock, endpointOf } from './client.ts';

describe('a key', () => {
  const key = 'Zx81-a-key-of-no-known-shape';
  const lines: string[] = [];
  const transport = createTransport({ clock: createPatientClock(), log: (line) => lines.push(line) });
  const { signal } = new AbortController();
  let service: ReferenceService;
  before(async () => {
    service = await createReferenceService({ key });
  });
  after(async () => {
    await transport.close();
    await service.close();
  });

  test('stands in no line of the log, no error and no address, whatever happens', async () => {
    const failures: unknown[] = [];
    const faults = [
      '401',
      '403',
      '429',
      '500',
      'html',
      'garbage',
      'cut',
      'reset',
      'redirect',
      'empty',
      'error-in-stream',
    ];
    for (const model of ['parley-chat', ...faults.map((fault) => `fault-${fault}`)]) {
      failures.push((await ask(transport, endpointOf(service, model, key), `say: ${model}`)).error);
      failures.push(await embed(transport, endpointOf(service, model, key), ['a'], signal).catch((error) => error));
    }
    failures.push(await listModels(transport, endpointOf(service, '', `${key}-wrong`), signal).catch((error) => error));
    assert.ok(lines.length > faults.length);
    const everything = inspect([failures, lines, service.requests.map((request) => request.path)], { depth: 9 });
    assert.doesNotMatch(everything, /Zx81/);
    assert.ok(service.requests.some((request) => request.headers['authorization'] === `Bearer ${key}`));
  });
});
