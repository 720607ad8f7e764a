import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { ServiceError } from '../../../src/base/errors.ts';
import { readCompletionEvents } from '../../../src/service/chat/chat.ts';
import type { ChatEvent } from '../../../src/service/chat/completion.ts';

/** The bytes of a text in pieces that end where `cuts` say, wherever in a character that is. */
async function* inPieces(text: string, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  let from = 0;
  for (const to of ends) {
    if (to > from) yield bytes.subarray(from, to);
    from = Math.max(from, to);
  }
}

async function readAll(text: string, cuts: readonly number[] = []) {
  const events: ChatEvent[] = [];
  try {
    for await (const event of readCompletionEvents(inPieces(text, cuts), { url: 'https://host/v1' }))
      events.push(event);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { text: textOf(events), events, kind: error.kind, message: error.message };
  }
  return { text: textOf(events), events, kind: 'complete' as const, message: '' };
}
const textOf = (events: ChatEvent[]): string =>
  events.map((event) => (event.type === 'text' ? event.text : '')).join('');

const delta = (content: string): string => JSON.stringify({ choices: [{ index: 0, delta: { content } }] });
const finish = JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
const stream = (...data: string[]): string => data.map((each) => `data: ${each}\n\n`).join('');

describe('a stream', () => {
  test('gives the same text however its bytes are cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: 'grapheme', minLength: 1 })),
        fc.array(fc.nat(5000)),
        fc.constantFrom('\n', '\r\n', '\r'),
        async (words, cuts, newline) => {
          const bytes = stream(...words.map(delta), finish, '[DONE]').replaceAll('\n', newline);
          assert.deepEqual(await readAll(bytes, cuts).then(({ text, kind }) => [text, kind]), [
            words.join(''),
            'complete',
          ]);
        },
      ),
    );
  });

  const whole: [name: string, body: string][] = [
    ['a byte order mark', `\uFEFF${stream(delta('hi'), finish, '[DONE]')}`],
    ['comments and pings', `: hello\n\nevent: ping\n\n${stream(delta('hi'))}data:\n\n${stream(finish, '[DONE]')}`],
    ['no space after the colon', stream(delta('hi'), finish, '[DONE]').replaceAll('data: ', 'data:')],
    ['spaces around [DONE]', `${stream(delta('hi'))}data: [DONE] \n\n`],
    ['an end without [DONE]', stream(delta('hi'), finish)],
    ['a last event without its blank line', `${stream(delta('hi'))}data: ${finish}`],
    [
      'events separated by a single line feed',
      `data: ${delta('h')}\ndata: ${delta('i')}\ndata: ${finish}\ndata: [DONE]\n\n`,
    ],
    ['"error": null in each piece', stream(delta('hi').replace('{', '{"error":null,'), finish, '[DONE]')],
    ['one JSON body', JSON.stringify({ choices: [{ message: { content: 'hi' } }] })],
    ['NDJSON', `${delta('hi')}\n${finish}\n`],
    [
      'content in parts',
      stream(JSON.stringify({ choices: [{ delta: { content: [{ type: 'text', text: 'hi' }] } }] }), '[DONE]'),
    ],
  ];
  for (const [name, body] of whole) {
    test(`with ${name} is whole`, async () => {
      const read = await readAll(body);
      assert.deepEqual([read.text, read.kind], ['hi', 'complete']);
    });
  }

  const broken: [name: string, body: string, kind: string, text: string][] = [
    ['ends in the middle', stream(delta('hi')), 'truncated', 'hi'],
    ['is empty', '', 'malformed', ''],
    ['is a web page', '<!DOCTYPE html><title>Sign in</title>', 'login-page', ''],
    ['is noise', 'Service unavailable', 'malformed', ''],
    ['holds an error', stream(delta('hi'), '{"error":{"message":"over capacity"}}'), 'overloaded', 'hi'],
    ['holds an error as text', stream(delta('hi'), '{"error":"it broke"}'), 'server', 'hi'],
    ['holds a flat error', stream(delta('hi'), '{"object":"error","message":"it broke"}'), 'server', 'hi'],
    ['holds an error event', `${stream(delta('hi'))}event: error\ndata: {"message":"it broke"}\n\n`, 'server', 'hi'],
    ['holds an error line', `${stream(delta('hi'))}error: {"message":"it broke"}\n\n`, 'server', 'hi'],
    [
      'holds an x_groq error',
      stream(delta('hi'), '{"choices":[],"x_groq":{"error":"over capacity"}}'),
      'overloaded',
      'hi',
    ],
    ['is an error in one body', '{"error":{"message":"it broke"}}', 'server', ''],
    ['has choices: null in one body', '{"choices":null}', 'malformed', ''],
  ];
  for (const [name, body, kind, text] of broken) {
    test(`that ${name} is never a complete answer`, async () => {
      const read = await readAll(body);
      assert.deepEqual([read.kind, read.text], [kind, text]);
    });
  }

  test('keeps the text that stands in the same piece as an error', async () => {
    const both = JSON.stringify({ choices: [{ delta: { content: 'last words' } }], error: { message: 'it broke' } });
    const read = await readAll(stream(both));
    assert.deepEqual([read.text, read.kind], ['last words', 'server']);
  });

  test('leaves usage unknown where the service gives none', async () => {
    const usage = JSON.stringify({ choices: [], usage: { prompt_tokens: 3, completion_tokens: null } });
    const read = await readAll(stream(delta('hi'), finish, usage, '[DONE]'));
    assert.deepEqual(read.events.at(-1), { type: 'usage', usage: { promptTokens: 3 } });
  });
});
