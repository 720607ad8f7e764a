import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Action } from '../../../../src/chat/conversation/conversation.ts';
import { type LogEntry, logLine, readLog } from '../../../../src/chat/history/logLine.ts';

const id = fc.string({ minLength: 1, maxLength: 64 });
const at = fc.nat();
/** Texts with all that a line could stumble over: line breaks of every kind, quotes, half a character, any character. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ unit: fc.constantFrom('\n', '\r', '\u2028', '"', '\\', '\ud800', '\udc00', '\ufffd', '\0', 'é') }),
);
const attachment = fc.record({
  id: text,
  label: text,
  languageId: text,
  path: text,
  range: fc.record({ startLine: fc.nat(), endLine: fc.nat() }),
  text,
});
const facts = fc.record(
  {
    model: text,
    usage: fc.record({ promptTokens: fc.nat(), totalTime: fc.nat() }, { requiredKeys: [] }),
    timings: fc.record({ firstTokenMs: fc.nat(), totalMs: fc.nat() }, { requiredKeys: [] }),
    finishReason: text,
    declined: fc.boolean(),
    adjustments: fc.array(fc.record({ field: text, renamedTo: text }, { requiredKeys: ['field'] }), { maxLength: 2 }),
  },
  { requiredKeys: [] },
);
const type = <Type extends Action['type']>(type: Type) => fc.constant(type);
/** Every action, as it may stand in a file. */
const action = fc.oneof(
  fc.record(
    { type: type('create'), id, at, workspace: fc.record({ uri: text, name: text }) },
    { requiredKeys: ['type', 'id', 'at'] },
  ),
  fc.record(
    { type: type('ask'), id, parent: id, text, attachments: fc.array(attachment, { maxLength: 2 }), label: text, at },
    { requiredKeys: ['type', 'id', 'text', 'attachments', 'at'] },
  ),
  fc.record({ type: type('answer'), id, parent: id, at }),
  fc.record({ type: type('append'), id, field: fc.constantFrom('text' as const, 'reasoning' as const), text }),
  fc.record({ type: type('describe'), id, facts }),
  fc.record(
    {
      type: type('end'),
      id,
      state: fc.constantFrom('complete' as const, 'stopped' as const, 'failed' as const),
      error: fc.record({ kind: fc.constant('server' as const), status: fc.nat(), message: text }),
      totalMs: fc.nat(),
      at,
    },
    { requiredKeys: ['type', 'id', 'state', 'totalMs', 'at'] },
  ),
  fc.record({ type: type('choose'), id, at }),
  fc.record({ type: type('delete'), ids: fc.array(id, { maxLength: 3 }), at }),
  fc.record({ type: type('restore'), ids: fc.array(id, { maxLength: 3 }), at }),
  fc.record({ type: type('rename'), title: text, at }),
  fc.record({ type: type('pin'), isPinned: fc.boolean(), at }),
  fc.record(
    {
      type: type('configure'),
      model: fc.option(text),
      systemPrompt: fc.option(text),
      parameters: fc.record(
        {
          temperature: fc.option(fc.nat()),
          top_p: fc.option(fc.nat()),
          max_tokens: fc.option(fc.nat()),
          seed: fc.nat(),
        },
        { requiredKeys: [] },
      ),
      instructions: fc.dictionary(text, fc.boolean(), { maxKeys: 2 }),
      at,
    },
    { requiredKeys: ['type', 'at'] },
  ),
) satisfies fc.Arbitrary<Action>;
// Records without a prototype are not what JSON gives.
const entry = fc.record({ writer: text, action }).map((each): LogEntry => structuredClone(each));
const entries = fc.array(entry, { minLength: 1, maxLength: 8 });
const bytesOf = (all: readonly LogEntry[]): Buffer => Buffer.from(all.map(logLine).join(''));

describe('The lines of a conversation', () => {
  it('come back as they were written', () => {
    fc.assert(
      fc.property(entries, (all) => {
        const bytes = bytesOf(all);
        assert.deepEqual(readLog(bytes), { entries: all, corrupted: 0, length: bytes.length });
      }),
      { seed: 8, numRuns: 1000 },
    );
  });

  it('come back wherever reading stopped in between, and what was half written then comes later', () => {
    fc.assert(
      fc.property(entries, fc.nat(), (all, cut) => {
        const bytes = bytesOf(all);
        const first = readLog(bytes.subarray(0, cut % (bytes.length + 1)));
        const rest = readLog(bytes.subarray(first.length));
        assert.deepEqual([...first.entries, ...rest.entries], all);
        assert.deepEqual([first.corrupted, rest.corrupted, first.length + rest.length], [0, 0, bytes.length]);
      }),
      { seed: 8, numRuns: 1000 },
    );
  });

  it('lose no more than the line that a wrong byte is in, and the one before it where that was the line break', () => {
    let lost = 0;
    fc.assert(
      fc.property(entries, fc.nat(), fc.integer({ min: 1, max: 255 }), (all, place, flip) => {
        const bytes = bytesOf(all);
        const wrong = place % bytes.length;
        const hit = linesAt(all, wrong);
        bytes[wrong] = (bytes[wrong] ?? 0) ^ flip;
        const left = readLog(bytes).entries;
        // A byte that is no character is read as U+FFFD, which may be what stood there.
        const isHarmless = left.length === all.length;
        if (!isHarmless) lost++;
        assert.deepEqual(left, isHarmless ? all : all.filter((_, line) => !hit.includes(line)));
      }),
      { seed: 8, numRuns: 2000 },
    );
    assert.ok(lost > 1900, `${lost} wrong bytes were noticed`);
  });

  it('that are of any bytes are read without an error, and give nothing', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        assert.deepEqual(readLog(Buffer.from(bytes)).entries, []);
      }),
      { seed: 8, numRuns: 1000 },
    );
  });

  it('that are cut and followed by a whole one lose the cut one, and say so', () => {
    fc.assert(
      fc.property(entry, entry, fc.nat(), (cut, whole, place) => {
        const line = bytesOf([cut]);
        // The line break, its first byte, is there, and the last byte is not.
        const half = line.subarray(0, 2 + (place % (line.length - 2)));
        const { entries, corrupted } = readLog(Buffer.concat([half, bytesOf([whole])]));
        assert.deepEqual([entries, corrupted], [[whole], 1]);
      }),
      { seed: 8, numRuns: 500 },
    );
  });

  it('that are whole but no action of ours are counted, and skipped', () => {
    const right: LogEntry = { writer: 'w', action: { type: 'pin', isPinned: true, at: 1 } };
    for (const wrong of [
      { type: 'dance', at: 1 },
      { type: 'pin', isPinned: 'yes', at: 1 },
      { type: 'choose', id: '', at: 1 },
      { type: 'answer', id: 'x'.repeat(65), parent: 'q', at: 1 },
    ]) {
      const line = logLine({ writer: 'w', action: wrong as unknown as Action });
      const { entries, corrupted } = readLog(Buffer.from(line + logLine(right)));
      assert.deepEqual([entries, corrupted], [[right], 1], JSON.stringify(wrong));
    }
  });

  it('leave out what a later version of Parley says besides', () => {
    const action = { type: 'choose', id: 'a', at: 1, mood: 'good' } as Action;
    const { entries } = readLog(Buffer.from(logLine({ writer: 'w', action })));
    assert.deepEqual(entries, [{ writer: 'w', action: { type: 'choose', id: 'a', at: 1 } }]);
  });
});

/** The numbers of the lines that a byte belongs to; a line break ends one line and begins another. */
function linesAt(all: readonly LogEntry[], byte: number): number[] {
  let from = 0;
  for (const [line, each] of all.entries()) {
    if (byte === from) return [line - 1, line];
    from += Buffer.byteLength(logLine(each));
    if (byte < from) return [line];
  }
  return [];
}
