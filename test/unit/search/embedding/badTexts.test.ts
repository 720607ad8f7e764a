import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { ServiceError } from '../../../../src/base/errors.ts';
import { type Ask, batchLimits, embedAll } from '../../../../src/search/embedding/embedder.ts';
import type { EmbedItem } from '../../../../src/search/store/files/chunkReader.ts';
import { readEmbeddings } from '../../../../src/service/embeddings/embeddingAnswer.ts';
import { kindOf } from '../../../../src/service/errors/errorKind.ts';

const never = new AbortController().signal;
const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => `text ${index}`);
const itemsOf = (texts: readonly string[]): EmbedItem[] => texts.map((text) => ({ hash: Buffer.from(text), text }));
const numberOf = (text: string): number => Number(/\d+/.exec(text)?.[0] ?? 0) + 1;

/** One item of an answer, as JSON has it. */
type Item = { embedding: unknown; index?: number };
/** What a service makes of the answer to these texts; an error is a refusal. */
type Manner = (items: Item[], texts: readonly string[]) => Item[] | ServiceError;

const refusal = (status: number, message: string): ServiceError =>
  new ServiceError(kindOf(status, { message, type: '', code: '' }), { status, message });

async function run(texts: readonly string[], manner: Manner) {
  let requests = 0;
  const paid = new Map<string, number>();
  const saved = new Map<string, number>();
  const refused: string[] = [];
  const embed: Ask = async (asked) => {
    requests++;
    const items = manner(
      asked.map((text, index) => ({ embedding: [numberOf(text), 1], index })),
      asked,
    );
    if (items instanceof ServiceError) throw items;
    for (const text of asked) paid.set(text, (paid.get(text) ?? 0) + 1);
    const data = items as Parameters<typeof readEmbeddings>[0]['data'];
    return readEmbeddings({ data }, asked.length, undefined, 'https://models.example/v1').vectors;
  };
  const error: unknown = await embedAll(
    itemsOf(texts),
    {
      embed,
      save: (answer) => {
        for (const { hash, vector } of answer) saved.set(hash.toString(), vector[0] ?? 0);
      },
      keepRefused: (list) => refused.push(...list.map(({ hash }) => hash.toString())),
      now: () => 0,
    },
    never,
  ).then(
    () => undefined,
    (failure: unknown) => failure,
  );
  for (const [text, value] of saved) assert.equal(value, numberOf(text), 'a vector of another text');
  return { error, requests, paid, saved, refused };
}

const nan = refusal(500, 'failed to encode response: json: unsupported value: NaN');
const isBad = (text: string): boolean => numberOf(text) % 100 === 18;

describe('A text that the service cannot take', () => {
  const manners: Record<string, Manner> = {
    'makes it answer 500': (items, texts) => (texts.some(isBad) ? nan : items),
    'makes it refuse the batch': (items, texts) => (texts.some(isBad) ? refusal(400, 'input is invalid') : items),
    'is over its physical batch': (items, texts) =>
      texts.some(isBad)
        ? refusal(
            500,
            'input (596 tokens) is too large to process. increase the physical batch size (current batch size: 512)',
          )
        : items,
    'is over its KV size': (items, texts) =>
      texts.some(isBad) ? refusal(500, 'input prompt is too big compared to KV size') : items,
    'gets null': (items, texts) =>
      items.map((item, at) => (isBad(texts[at] ?? '') ? { ...item, embedding: null } : item)),
    'is not in the list': (items, texts) => items.filter((_, at) => !isBad(texts[at] ?? '')),
  };
  for (const [what, manner] of Object.entries(manners)) {
    test(`${what}: all others have their vectors after one run, and it is named`, async () => {
      const texts = numbered(1_000);
      const { error, saved, refused, paid } = await run(texts, manner);
      assert.equal(error, undefined);
      assert.deepEqual(new Set(refused), new Set(texts.filter(isBad)));
      assert.equal(saved.size, 990);
      const twice = [...paid].filter(([text, times]) => times > 1 && !isBad(text)).length;
      if (!what.includes('list')) assert.equal(twice, 0, 'good texts were paid twice');
    });
  }

  test('is over what a server takes at once, as either message says, and costs itself alone', async () => {
    for (const what of ['is over its physical batch', 'is over its KV size']) {
      const texts = numbered(200);
      const { error, saved } = await run(texts, manners[what] as Manner);
      assert.equal(error, undefined);
      assert.equal(saved.size, 198, what);
    }
  });

  test('is found among 10,000 with few requests, also where lists are cut and indices shifted at times', async () => {
    const texts = numbered(10_000);
    let answers = 0;
    const { error, requests, saved, refused, paid } = await run(texts, (items, asked) => {
      if (asked.some(isBad)) return nan;
      answers++;
      if (answers % 50 === 0) return items.slice(0, -1);
      return items.map((item, index) => ({ ...item, index: index + (answers % 7) }));
    });
    assert.equal(error, undefined);
    assert.deepEqual([saved.size, refused.length], [9_900, 100]);
    assert.ok(requests < 2_500, `${requests} requests`);
    assert.ok([...paid.values()].filter((times) => times > 1).length < 2_000);
  });
});

describe('A service that', () => {
  test('gives a list that is empty or short once is asked again', async () => {
    for (const length of [0, 31]) {
      let answers = 0;
      const { error, saved, refused } = await run(numbered(200), (items) =>
        ++answers === 3 ? items.slice(0, length) : items,
      );
      assert.deepEqual([error, saved.size, refused], [undefined, 200, []]);
    }
  });

  test('takes the first eight of each request is asked for eight', async () => {
    const { error, saved, refused, requests } = await run(numbered(200), (items) => items.slice(0, 8));
    assert.deepEqual([error, saved.size, refused], [undefined, 200, []]);
    assert.ok(requests < 50, `${requests} requests`);
  });

  test('counts indices on from another request, or gives all the same, is understood', async () => {
    for (const shift of [1, 5, 1_000]) {
      const { error, saved } = await run(numbered(100), (items) =>
        items.map((item, index) => ({ ...item, index: index + shift })),
      );
      assert.deepEqual([error, saved.size], [undefined, 100]);
    }
    const { error, saved } = await run(numbered(100), (items) => items.map((item) => ({ ...item, index: 0 })));
    assert.deepEqual([error, saved.size], [undefined, 100]);
  });

  test('gives its items in any order is understood', async () => {
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(fc.nat()), fc.nat({ max: 40 }), async (numbers, shift) => {
        const { error, saved } = await run(numbered(70), (items) =>
          items
            .map((item, index) => ({ item: { ...item, index: index + shift }, by: numbers.next().value ?? 0 }))
            .sort((left, right) => left.by - right.by)
            .map(({ item }) => item),
        );
        assert.deepEqual([error, saved.size], [undefined, 70]);
      }),
      { numRuns: 30 },
    );
  });

  test('gives two vectors for one text is not believed', async () => {
    const { error, saved } = await run(numbered(40), (items) =>
      items.map((item, at) => ({ ...item, index: at === 3 ? 2 : at })),
    );
    assert.ok(error instanceof ServiceError || saved.size === 40);
  });

  test('takes nothing at all ends the run soon, and no text is blamed', async () => {
    for (const manner of [
      () => nan,
      () => refusal(400, 'no'),
      () => [],
      (items: Item[]) => items.map((item) => ({ ...item, embedding: [0, 0] })),
    ]) {
      const { error, requests, refused } = await run(numbered(1_000), manner);
      assert.ok(error instanceof ServiceError);
      assert.deepEqual(refused, []);
      assert.ok(requests < 60, `${requests} requests`);
    }
  });

  test('dies in the middle ends the run, and no text is blamed', async () => {
    let answers = 0;
    const { error, refused, saved } = await run(numbered(1_000), (items) =>
      ++answers > 5 ? refusal(500, 'internal error') : items,
    );
    assert.ok(error instanceof ServiceError && error.kind === 'server');
    assert.deepEqual(refused, []);
    assert.ok(saved.size > 100);
  });

  test('fails at everything is asked for a plain text, and the run ends', async () => {
    const { error, requests, refused } = await run(numbered(1_000), () => refusal(500, 'internal error'));
    assert.ok(error instanceof ServiceError && error.kind === 'server');
    assert.deepEqual(refused, []);
    assert.ok(requests <= 2 * batchLimits.concurrency, `${requests} requests`);
  });

  test('is paused while a plain text is asked for ends the run as cancelled, and what runs beside is saved', async () => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const saved: string[] = [];
    let requests = 0;
    const embed: Ask = async (asked) => {
      if (asked.includes('text')) {
        setImmediate(() => release());
        throw new ServiceError('cancelled');
      }
      if (++requests === 1) throw refusal(500, 'internal error');
      await released;
      return asked.map((text) => Float32Array.of(numberOf(text), 1));
    };
    const save = (answer: { hash: Uint8Array }[]): unknown => saved.push(...answer.map(({ hash }) => hash.toString()));
    await assert.rejects(embedAll(itemsOf(numbered(96)), { embed, save, now: () => 0 }, never), { kind: 'cancelled' });
    assert.equal(saved.length, 64);
  });

  test('refuses the key ends the run at once', async () => {
    const { error, requests } = await run(numbered(1_000), () => refusal(401, 'no'));
    assert.ok(error instanceof ServiceError && error.kind === 'auth');
    assert.ok(requests <= batchLimits.concurrency, `${requests} requests`);
  });
});
