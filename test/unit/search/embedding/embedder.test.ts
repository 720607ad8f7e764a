import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { isCancelled, ServiceError } from '../../../../src/base/errors.ts';
import { estimateTokens } from '../../../../src/base/tokens.ts';
import { type Ask, batchLimits, embedAll } from '../../../../src/search/embedding/embedder.ts';
import type { TextRefusal } from '../../../../src/search/embedding/textRefusals.ts';
import type { EmbedItem } from '../../../../src/search/store/files/chunkReader.ts';
import type { BatchSize } from '../../../../src/service/compat/fieldMemory.ts';

const never = new AbortController().signal;
const now = (): number => 0;
const vectorOf = (text: string): Float32Array => Float32Array.of(text.length, 1);
const itemsOf = (texts: readonly string[]): EmbedItem[] => texts.map((text) => ({ hash: Buffer.from(text), text }));
const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => `text ${index}`);

/** A service that keeps what it was asked, and can be told to refuse. */
function createService(refuse: (texts: readonly string[]) => ServiceError | undefined = () => undefined) {
  const requests: string[][] = [];
  const embed: Ask = async (texts) => {
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
      await embedAll(itemsOf(numbered(count)), { embed, save, now }, never);
      assert.deepEqual(saved, new Map(numbered(count).map((text) => [text, vectorOf(text)])));
    }),
  );
});

test('batches are bounded by tokens', async () => {
  const texts = numbered(200).map((text) => text.padEnd(4_000, 'x'));
  const { requests, embed } = createService();
  await embedAll(itemsOf(texts), { embed, save: () => undefined, now }, never);
  for (const request of requests) {
    assert.ok(request.reduce((sum, text) => sum + estimateTokens(text), 0) <= batchLimits.tokens);
  }
});

describe('quirk 46: how many texts a service takes at once', () => {
  /** Embeds so many texts at a service that takes at most so many at once. */
  async function run(count: number, most: number, batchSize?: BatchSize, clock = now, refusal = tooMany(400)) {
    const { requests, embed } = createService((texts) => (texts.length > most ? refusal : undefined));
    const { saved, save } = createSaved();
    let learned: BatchSize | undefined;
    const learn = (size: BatchSize): void => {
      learned = size;
    };
    await embedAll(itemsOf(numbered(count)), { embed, save, batchSize, learn, now: clock }, never);
    assert.equal(saved.size, count);
    return { requests, sizes: requests.map(({ length }) => length), learned };
  }
  const tooMany = (status: number): ServiceError => new ServiceError('bad-request', { status });

  for (const refusal of [tooMany(400), tooMany(422), new ServiceError('too-large', { status: 413 })]) {
    test(`a batch refused with ${refusal.status} is sent in smaller ones, and the size is learned`, async () => {
      const { learned } = await run(1_000, 10, undefined, now, refusal);
      assert.deepEqual(learned, { taken: 10, refused: 11 });
    });
  }

  test('a 413 that speaks of tokens a minute is one of size as well', async () => {
    const { learned } = await run(100, 10, undefined, now, new ServiceError('rate-limit', { status: 413 }));
    assert.equal(learned?.taken, 10);
  });

  test('it is doubled until it is refused, or answers would hold up the editor', async () => {
    const { sizes, learned } = await run(8_000, 2_048);
    assert.deepEqual(
      sizes.filter((size, i) => size > Math.max(0, ...sizes.slice(0, i))),
      [32, 64, 128],
    );
    assert.deepEqual(learned, { taken: 128 });
  });

  for (const most of [1, 7, 10, 32, 50, 63]) {
    test(`at most ${most}: requests stay within 15 % of the fewest, the refused ones included`, async () => {
      const { sizes } = await run(most * 100, most);
      assert.ok(sizes.length <= 115, `${sizes.length} requests`);
    });
  }

  test('what was learned is used at once, and a refused size is not tried again', async () => {
    const { sizes, learned } = await run(1_000, 10, { taken: 10, refused: 11 });
    assert.deepEqual([Math.max(...sizes), sizes.length, learned], [10, 100, undefined]);
  });

  test('one request at a time tries a new size', async () => {
    let taken = 32;
    let [open, most] = [0, 0];
    const embed: Ask = async (texts) => {
      const isNew = texts.length > taken;
      if (isNew) most = Math.max(most, ++open);
      await new Promise((resolve) => setImmediate(resolve));
      if (isNew) open--;
      taken = Math.max(taken, texts.length);
      return texts.map(vectorOf);
    };
    await embedAll(itemsOf(numbered(5_000)), { embed, save: () => undefined, now }, never);
    assert.deepEqual([taken, most], [128, 1]);
  });

  test('a slow service is not asked for more at once', async () => {
    let time = 0;
    const { sizes } = await run(500, 2_048, undefined, () => (time += 6_000));
    assert.equal(Math.max(...sizes), 32);
  });

  test('a text that is refused alone teaches nothing about the size, and is left out', async () => {
    const { embed } = createService((texts) => (texts.includes('text 7') ? tooMany(400) : undefined));
    const learned: BatchSize[] = [];
    const learn = (size: BatchSize): unknown => learned.push(size);
    const refusals: string[] = [];
    const keepRefused = (texts: readonly TextRefusal[]): unknown =>
      refusals.push(...texts.map(({ hash }) => hash.toString()));
    const { saved, save } = createSaved();
    await embedAll(itemsOf(numbered(1_000)), { embed, save, keepRefused, learn, now }, never);
    assert.deepEqual([saved.size, refusals], [999, ['text 7']]);
    assert.deepEqual(learned, [{ taken: 128 }]);
  });
});

test('a single text that is too long is embedded in halves, and their mean stands for it', async () => {
  const long = `${'a'.repeat(1_000)}${'b'.repeat(1_000)}`;
  const { embed } = createService((texts) =>
    texts.some((text) => text.length > 1_000) ? new ServiceError('context-length', { status: 400 }) : undefined,
  );
  const { saved, save } = createSaved();
  await embedAll(itemsOf([long]), { embed, save, now }, never);
  assert.deepEqual(saved.get(long), Float32Array.of(1_000, 1));
});

test('another error ends the run; what came back, and what was still out, is saved', async () => {
  let answered = 0;
  const { requests, embed } = createService(() =>
    ++answered === 3 ? new ServiceError('auth', { status: 401 }) : undefined,
  );
  const { saved, save } = createSaved();
  await assert.rejects(embedAll(itemsOf(numbered(500)), { embed, save, now }, never), { kind: 'auth' });
  const answeredTexts = requests.filter((_, index) => index !== 2).flat();
  assert.deepEqual(new Set(saved.keys()), new Set(answeredTexts));
  assert.ok(requests.length <= batchLimits.concurrency + 2);
});

test('a batch is saved before another request takes its place', async () => {
  const log: string[] = [];
  const embed: Ask = async (texts) => {
    log.push('ask');
    await Promise.resolve();
    return texts.map(vectorOf);
  };
  await embedAll(itemsOf(numbered(400)), { embed, save: () => void log.push('save'), now }, never);
  let out = 0;
  for (const step of log) {
    out += step === 'ask' ? 1 : -1;
    assert.ok(out <= batchLimits.concurrency);
  }
});

test('a cancel ends all requests at once and rejects as cancelled', async () => {
  const controller = new AbortController();
  let open = 0;
  const embed: Ask = (_, signal) =>
    new Promise((_resolve, reject) => {
      if (++open === batchLimits.concurrency) queueMicrotask(() => controller.abort());
      signal.addEventListener('abort', () => reject(new ServiceError('cancelled')));
    });
  const saves: unknown[] = [];
  await assert.rejects(
    embedAll(
      itemsOf(numbered(500)),
      { embed, save: (answer) => saves.push(answer), batchSize: { taken: 32 }, now },
      controller.signal,
    ),
    isCancelled,
  );
  assert.equal(open, batchLimits.concurrency);
  assert.deepEqual(saves, []);
});

test('too few vectors are refused rather than shifted', async () => {
  const embed: Ask = async (texts) => texts.slice(1).map(vectorOf);
  await assert.rejects(embedAll(itemsOf(numbered(5)), { embed, save: () => undefined, now }, never), {
    kind: 'malformed',
  });
});
