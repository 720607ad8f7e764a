import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { batchLimits, type Embed, type EmbedItem, embedAll } from '../../src/search/embedder.ts';
import { isCancelled, ServiceError } from '../../src/service/errors.ts';
import { estimateTokens } from '../../src/service/tokens.ts';

const never = new AbortController().signal;
const vectorOf = (text: string): Float32Array => Float32Array.of(text.length, 1);
const itemsOf = (texts: readonly string[]): EmbedItem[] => texts.map((text) => ({ hash: Buffer.from(text), text }));
const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => `text ${index}`);

/** A service that keeps what it was asked, and can be told to refuse. */
function createService(refuse: (texts: readonly string[]) => ServiceError | undefined = () => undefined) {
  const requests: string[][] = [];
  const embed: Embed = async (texts) => {
    requests.push([...texts]);
    const error = refuse(texts);
    if (error !== undefined) throw error;
    return texts.map(vectorOf);
  };
  return { requests, embed };
}

function createSaved() {
  const saved = new Map<string, Float32Array>();
  const save = (answer: { hash: Uint8Array; vector: Float32Array }[]): void => {
    for (const { hash, vector } of answer) saved.set(Buffer.from(hash).toString(), vector);
  };
  return { saved, save };
}

test('every text gets its own vector, whatever batch sizes the service takes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 150 }), fc.integer({ min: 1, max: 40 }), async (count, largest) => {
      const { embed } = createService((texts) =>
        texts.length > largest ? new ServiceError('bad-request', { status: 400 }) : undefined,
      );
      const { saved, save } = createSaved();
      await embedAll(itemsOf(numbered(count)), { embed, save }, never);
      assert.deepEqual(saved, new Map(numbered(count).map((text) => [text, vectorOf(text)])));
    }),
  );
});

test('batches are bounded by items and by tokens', async () => {
  const texts = numbered(200).map((text) => text.padEnd(4_000, 'x'));
  const { requests, embed } = createService();
  await embedAll(itemsOf(texts), { embed, save: () => undefined }, never);
  for (const request of requests) {
    assert.ok(request.length <= batchLimits.items);
    assert.ok(request.reduce((sum, text) => sum + estimateTokens(text), 0) <= batchLimits.tokens);
  }
});

for (const error of [
  new ServiceError('bad-request', { status: 400 }),
  new ServiceError('too-large', { status: 413 }),
  new ServiceError('bad-request', { status: 422 }),
]) {
  test(`a batch refused with ${error.status} is halved, and the size that works is remembered`, async () => {
    const { requests, embed } = createService((texts) => (texts.length > 10 ? error : undefined));
    const { saved, save } = createSaved();
    const limits: number[] = [];
    const onLimit = (limit: number): unknown => limits.push(limit);
    await embedAll(itemsOf(numbered(100)), { embed, save, onLimit }, never);
    assert.equal(saved.size, 100);
    assert.equal(limits.at(-1), 8);
    requests.length = 0;
    await embedAll(itemsOf(numbered(100)), { embed, save, maxItems: 8 }, never);
    assert.ok(requests.every((request) => request.length <= 8));
  });
}

test('a single text that is too long is embedded in halves, and their mean stands for it', async () => {
  const long = `${'a'.repeat(1_000)}${'b'.repeat(1_000)}`;
  const { embed } = createService((texts) =>
    texts.some((text) => text.length > 1_000) ? new ServiceError('context-length', { status: 400 }) : undefined,
  );
  const { saved, save } = createSaved();
  await embedAll(itemsOf([long]), { embed, save }, never);
  assert.deepEqual(saved.get(long), Float32Array.of(1_000, 1));
});

test('another error ends the run; what came back, and what was still out, is saved', async () => {
  let answered = 0;
  const { requests, embed } = createService(() =>
    ++answered === 3 ? new ServiceError('server', { status: 500 }) : undefined,
  );
  const { saved, save } = createSaved();
  await assert.rejects(embedAll(itemsOf(numbered(500)), { embed, save }, never), { kind: 'server' });
  const answeredTexts = requests.filter((_, index) => index !== 2).flat();
  assert.deepEqual(new Set(saved.keys()), new Set(answeredTexts));
  assert.ok(requests.length <= batchLimits.concurrency + 2);
});

test('a batch is saved before another request takes its place', async () => {
  const log: string[] = [];
  const embed: Embed = async (texts) => {
    log.push('ask');
    await Promise.resolve();
    return texts.map(vectorOf);
  };
  await embedAll(itemsOf(numbered(400)), { embed, save: () => void log.push('save') }, never);
  let out = 0;
  for (const step of log) {
    out += step === 'ask' ? 1 : -1;
    assert.ok(out <= batchLimits.concurrency);
  }
});

test('a cancel ends all requests at once and rejects as cancelled', async () => {
  const controller = new AbortController();
  let open = 0;
  const embed: Embed = (_, signal) =>
    new Promise((_resolve, reject) => {
      if (++open === batchLimits.concurrency) queueMicrotask(() => controller.abort());
      signal.addEventListener('abort', () => reject(new ServiceError('cancelled')));
    });
  const saves: unknown[] = [];
  await assert.rejects(
    embedAll(itemsOf(numbered(500)), { embed, save: (answer) => saves.push(answer) }, controller.signal),
    isCancelled,
  );
  assert.equal(open, batchLimits.concurrency);
  assert.deepEqual(saves, []);
});

test('too few vectors are refused rather than shifted', async () => {
  const embed: Embed = async (texts) => texts.slice(1).map(vectorOf);
  await assert.rejects(embedAll(itemsOf(numbered(5)), { embed, save: () => undefined }, never), { kind: 'malformed' });
});
