import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { ExtensionContext } from 'vscode';
import { createFieldMemory, type FieldMemory } from '../../../src/service/compat/fieldMemory.ts';
import { createLearnedStore } from '../../../src/start/learnedStore.ts';

const url = 'https://one.example/v1';

describe('what several windows learn of services', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-learned-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** VS Code's own state of a window, as it was when the window was opened. */
  function openWindow(state = new Map<string, unknown>()): FieldMemory {
    const globalState = {
      get: (key: string) => state.get(key),
      update: async (key: string) => void state.delete(key),
    };
    const context = { globalState, globalStorageUri: { fsPath: folder } } as unknown as ExtensionContext;
    return createFieldMemory(
      createLearnedStore(context, (error) => {
        throw error;
      }),
    );
  }

  /** Waits until another window reads that it is so. */
  async function untilAll(isSo: (memory: FieldMemory) => boolean): Promise<void> {
    while (!isSo(openWindow())) await new Promise((resolve) => setImmediate(resolve));
  }

  it('is all kept, also what they learn of one model at the same time', async () => {
    const [one, other] = [openWindow(), openWindow()];
    one.add(url, 'm', { field: 'seed' });
    other.setUploadLimit(url, 'm', 1_000_000);
    other.add(url, 'n', { field: 'logprobs' });
    one.setBatchSize(url, 'm', { taken: 64 });
    assert.equal(one.adjustments(url, 'm').length, 1);
    assert.equal(other.uploadLimit(url, 'm'), 1_000_000);
    await untilAll(
      (memory) =>
        memory.adjustments(url, 'm').length === 1 &&
        memory.adjustments(url, 'n').length === 1 &&
        memory.uploadLimit(url, 'm') === 1_000_000 &&
        memory.batchSize(url, 'm')?.taken === 64,
    );
  });

  it('is forgotten by one, and stays so when the other learns something else', async () => {
    const [one, other] = [openWindow(), openWindow()];
    one.add(url, 'm', { field: 'seed' });
    await untilAll((memory) => memory.adjustments(url, 'm').length === 1);
    one.forget(url);
    await untilAll((memory) => memory.all().length === 0);
    other.add('https://two.example/v1', 'n', { field: 'seed' });
    await untilAll((memory) => memory.all().length === 1);
  });

  it('takes over, once, what earlier versions kept in the state of VS Code', async () => {
    const before = new Map<string, unknown>();
    createFieldMemory(before).add(url, 'm', { field: 'seed' });
    const window = openWindow(before);
    assert.equal(window.adjustments(url, 'm').length, 1);
    assert.equal(existsSync(join(folder, 'service.learned.json')), false);
    window.add(url, 'n', { field: 'seed' });
    await untilAll((memory) => memory.all().length === 2);
    while (before.size > 0) await new Promise((resolve) => setImmediate(resolve));
  });
});
