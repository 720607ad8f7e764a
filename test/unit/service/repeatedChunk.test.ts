import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { createRepeatedChunk } from '../../../src/service/chat/assembly/repeatedChunk.ts';
import { readCompletionEvents } from '../../../src/service/chat/chat.ts';
import { chunk, done, events, finish, word } from '../../corpus/pieces.ts';
import { collectCompletion } from '../../support/collect.ts';

type Chunk = { choices?: { delta: { content: string } }[] };
const contentOf = (parsed: unknown): unknown => (parsed as Chunk).choices?.[0]?.delta?.content;

function learned(data = word('first')) {
  const repeated = createRepeatedChunk(contentOf);
  repeated.learn(data);
  return repeated;
}

describe('a chunk like the ones before it', () => {
  test('gives the content that parsing gives, whatever the content', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (content) => {
        assert.equal(learned().read(word(content)), content);
      }),
    );
  });

  test('is never read where parsing would fail, or would give more', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('"', '\\', ',', ':', '{', '}', 'u', '0', '\n', 'a') }),
        (inside) => {
          const data = word('MARK').replace('MARK', () => inside);
          let parsed: unknown;
          try {
            parsed = contentOf(JSON.parse(data));
          } catch {
            parsed = undefined;
          }
          const read = learned().read(data);
          if (read !== undefined) assert.equal(read, parsed);
        },
      ),
    );
  });

  test('is not taken for one when anything but the content differs', () => {
    assert.equal(learned().read(finish()), undefined);
    assert.equal(learned().read(word('x', { usage: { prompt_tokens: 1 } })), undefined);
    assert.equal(learned().read(''), undefined);
  });

  test('is not learned where its one content is not that of the answer', () => {
    const elsewhere = '{"choices":[{"delta":{"content" :"x"}}],"note":{"content":"x"}}';
    assert.equal(learned(elsewhere).read(elsewhere), undefined);
  });

  test('does not hide a chunk that says more in between', async () => {
    const thought = chunk({ content: 'c', reasoning_content: 'Hm.' });
    const other = chunk({ content: 'D' }, {}, { index: 1 });
    const end = chunk({}, {}, { index: 1, finish_reason: 'stop' });
    const body = events(other, word('a'), word('b'), thought, end, word('d'), word('e'), finish(), done);
    async function* bytes() {
      yield Buffer.from(body);
    }
    const { choices } = await collectCompletion(readCompletionEvents(bytes(), { url: 'https://host' }));
    assert.deepEqual(
      choices.map((choice) => [choice.text, choice.reasoning]),
      [
        ['abcde', 'Hm.'],
        ['D', ''],
      ],
    );
  });
});
