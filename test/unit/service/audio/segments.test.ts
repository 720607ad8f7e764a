import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { readSegments } from '../../../../src/service/audio/segments.ts';

const read = async (...raw: unknown[]): Promise<unknown[] | undefined> =>
  (await readSegments(raw, 'http://a'))?.map(({ start, end, text, isOpen }) => [
    start,
    end,
    text,
    ...(isOpen ? ['open'] : []),
  ]);
const of = (start: unknown, end: unknown, text: unknown = 'words'): object => ({ start, end, text });

describe('segments of an answer', () => {
  test('may have their times as texts', async () => {
    assert.deepEqual(await read(of('0.0', '4.3'), of('4.3', ' 9 '), of('9s', '12.5s')), [
      [0, 4.3, 'words'],
      [4.3, 9, 'words'],
      [9, 12.5, 'words'],
    ]);
  });

  test('without an end go on to the next one, and the last says that its end is open', async () => {
    for (const end of [null, undefined, 'NaN', 'soon', {}, 3]) {
      assert.deepEqual(await read(of(0, 4), of(4, end), of(9, 12)), [
        [0, 4, 'words'],
        [4, 9, 'words'],
        [9, 12, 'words'],
      ]);
    }
    assert.deepEqual(await read(of(0, 4), of(4, null)), [
      [0, 4, 'words'],
      [4, 4, 'words', 'open'],
    ]);
  });

  test('that are none lose only themselves', async () => {
    const good = [
      [0, 4, 'words'],
      [9, 12, 'words'],
    ];
    for (const bad of [null, 7, 'text', [], {}, of(4, 9, null), of(4, 9, 7), { start: 4, end: 9 }])
      assert.deepEqual(await read(of(0, 4), bad, of(9, 12)), good);
  });

  test('whose start is none stand between their neighbours, or are words of the one before', async () => {
    for (const start of [null, undefined, 'NaN', -7, 'x', true]) {
      assert.deepEqual(await read(of(0, 4), of(start, 9, 'more'), of(9, 12)), [
        [0, 4, 'words'],
        [4, 9, 'more'],
        [9, 12, 'words'],
      ]);
      assert.deepEqual(await read(of(0, 4), of(start, 9, 'more'), of(4, 12)), [
        [0, 4, 'words more'],
        [4, 12, 'words'],
      ]);
    }
    assert.deepEqual(await read(of(null, 4, 'Oh'), of(5, 9)), [
      [0, 5, 'Oh'],
      [5, 9, 'words'],
    ]);
  });

  test('have no times where most of them have none, and all where all are sound', async () => {
    assert.equal(await read(of(null, 1), of(null, 2), of(2, 3)), undefined);
    assert.deepEqual(await read(), []);
    assert.deepEqual(await read(of(0, 0), of(-0.4, 2), of(30, 28.5)), [
      [0, 0, 'words'],
      [-0.4, 2, 'words'],
      [30, 30, 'words', 'open'],
    ]);
  });

  const anyTime = fc.oneof(
    fc.double({ min: 0, max: 100, noNaN: true }),
    fc.constantFrom<unknown>(null, undefined, '4.3', 'NaN', -5, Number.POSITIVE_INFINITY, {}),
  );
  const anyText = fc.constantFrom<unknown>('hello', ' there', 'told told', '', null, 7);
  const anyPart = fc.oneof(
    { weight: 5, arbitrary: fc.record({ start: anyTime, end: anyTime, text: anyText }) },
    fc.constantFrom<unknown>(null, 7, 'x', []),
  );

  test('whatever comes: each has times that are numbers, and no word of a text is lost or said twice', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyPart, { maxLength: 12 }), async (raw) => {
        const segments = await readSegments(raw, 'http://a');
        if (segments === undefined) return;
        for (const { start, end } of segments)
          assert.ok(Number.isFinite(start) && Number.isFinite(end) && end >= start);
        const texts = raw.flatMap((part) => {
          const text = typeof part === 'object' && part !== null && 'text' in part ? part.text : undefined;
          return typeof text === 'string' && text.trim() !== '' ? [text.trim()] : [];
        });
        const given = segments.map(({ text }) => text).filter((text) => text !== '');
        assert.equal(given.join(' '), texts.join(' '));
      }),
      { numRuns: 1_000, seed: 13 },
    );
  });

  test('of which one is bad have the times that they have without it', async () => {
    const sound = fc.array(fc.tuple(fc.integer({ min: 1, max: 20 }), fc.constantFrom('one', 'two')), {
      minLength: 2,
      maxLength: 9,
    });
    const bad = fc.constantFrom<unknown>(null, {}, of(4, 9, null), of(null, null, ''), of(Number.NaN, 3, null));
    await fc.assert(
      fc.asyncProperty(sound, bad, fc.nat(9), async (lengths, one, at) => {
        let end = 0;
        const raw = lengths.map(([length, text]) => {
          const start = end;
          end += length;
          return { start, end, text };
        });
        assert.deepEqual(await readSegments(raw.toSpliced(at, 0, one as never), 'http://a'), raw);
      }),
      { numRuns: 300, seed: 13 },
    );
  });
});
