import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { errorKinds, type ServiceError } from '../../src/base/errors.ts';
import { readJson } from '../../src/service/answers/readAnswer.ts';
import type { ChatEvent } from '../../src/service/chat/completion.ts';
import { readEmbeddingBody } from '../../src/service/embeddings/embeddingBody.ts';
import { embed } from '../../src/service/embeddings/embeddings.ts';
import { errorFromAnswer } from '../../src/service/errors/errorFromAnswer.ts';
import { anyBody, cut, cuts, embeddingsAnswer, errorAnswer } from './brokenInput.ts';
import { answeringEndlessly, endlessBodies } from './endlessBody.ts';
import { answering, asServiceError, drain, endpoint, key, read } from './reading.ts';
import { type ValidStream, validStream } from './validStream.ts';
import { vectorText } from './vectorText.ts';

/** What holds for every input, and how many inputs `npm test` spends on it: 10,000 in all. */
export interface Property {
  runs: number;
  /** Where inputs are few and large: all of them, taken in turn by the seed. More runs would say nothing new. */
  cases?: readonly unknown[][];
  property: fc.IAsyncPropertyWithHooks<unknown[]>;
}

const unstopped = new AbortController().signal;

/** A single input may take no longer than this, in milliseconds. */
const longest = 20_000;

function forAll<T extends [unknown, ...unknown[]]>(
  ...args: [...{ [K in keyof T]: fc.Arbitrary<T[K]> }, (...values: T) => Promise<void>]
): Property['property'] {
  return (fc.asyncProperty as (...all: unknown[]) => unknown)(...args) as Property['property'];
}

export const properties: Readonly<Record<string, Property>> = {
  'a valid stream gives what was put into it, however its bytes are cut': {
    runs: 3_000,
    property: forAll<[ValidStream, 'everywhere' | number[]]>(validStream, cuts, async ({ bytes, expected }, at) => {
      const whole = await read([bytes]);
      assert.equal(whole.error, undefined, `failed: ${whole.error?.kind}`);
      assert.deepEqual(summary(whole.events), plain(expected));
      assert.deepEqual(await read(cut(bytes, at)).then(({ events, error }) => ({ events, error })), {
        events: whole.events,
        error: undefined,
      });
    }),
  },
  'a stream that is cut off before a finish_reason is never a success, and keeps its text': {
    runs: 1_000,
    property: forAll<[ValidStream, number]>(validStream, fc.nat(), async ({ bytes, unfinished, expected }, where) => {
      const { events, error } = await read([bytes.subarray(0, unfinished === 0 ? 0 : where % unfinished)]);
      assert.ok(error?.kind === 'truncated' || error?.kind === 'malformed', `${error?.kind}`);
      const got = summary(events);
      assert.deepEqual(got.calls, {}, 'a tool call of an answer that was cut off');
      for (const [choice, text] of Object.entries(got.texts))
        assert.ok(expected.texts[Number(choice)]?.startsWith(text));
    }),
  },
  'any body ends in a result or a ServiceError, in bounds and the same however it is cut': {
    runs: 4_000,
    property: forAll<[Uint8Array, 'everywhere' | number[], boolean]>(
      anyBody,
      cuts,
      fc.boolean(),
      async (body, at, stream) => {
        const { events, error, count } = await read([body], stream);
        // After every byte a long body takes long for no other reason than its length.
        const again = await read(cut(body, body.length > 2_000 && at === 'everywhere' ? [1_000] : at), stream);
        assert.deepEqual(withoutMadeIds(again.events), withoutMadeIds(events));
        assert.deepEqual(again.error?.toJSON(), error?.toJSON());
        assert.ok(count <= 16 + body.length, `${count} events out of ${body.length} bytes`);
        assert.ok(JSON.stringify(events).length <= 4_000 + 16 * body.length, 'much more came out than went in');
        for (const event of events) if ('choice' in event) assert.ok(isPlace(event.choice), `choice ${event.choice}`);
        if (error !== undefined) assertFit(error);
        assertUnpolluted();
      },
    ),
  },
  'any refusal becomes a ServiceError that is fit to be shown': {
    runs: 1_000,
    property: forAll<[{ status: number; headers: Record<string, string>; body: string }]>(
      errorAnswer,
      async ({ status, headers, body }) => {
        assertFit(errorFromAnswer(status, headers, body, { url: endpoint.baseUrl, key, now: 0 }));
        assertUnpolluted();
      },
    ),
  },
  'any embeddings answer gives one usable vector a text, or a ServiceError': {
    runs: 1_000,
    property: forAll<[{ inputs: number; body: Uint8Array }]>(embeddingsAnswer, async ({ inputs, body }) => {
      const texts = Array.from({ length: inputs }, (_, place) => `text ${place}`);
      try {
        const { vectors } = await embed(answering([body]), endpoint, texts, unstopped);
        assert.equal(vectors.length, inputs);
        assert.ok(vectors.every((each) => each.length > 0 && each.length === vectors[0]?.length));
        assert.ok(vectors.every((each) => each.every(Number.isFinite) && each.some((value) => value !== 0)));
      } catch (error) {
        assertFit(asServiceError(error));
      }
      assertUnpolluted();
    }),
  },
  'vectors are read from the pieces of an answer as from the whole of its JSON': {
    runs: 1_000,
    property: forAll<[string, 'everywhere' | number[]]>(vectorText, cuts, async (text, at) => {
      const bytes = Buffer.from(text);
      const response = (packets: readonly Uint8Array[]) =>
        answering(packets).send({ method: 'GET', url: '' }, unstopped);
      const outcome = (reading: Promise<unknown>): Promise<unknown> =>
        reading.then(withVectors, (error: unknown) => asServiceError(error).toJSON());
      assert.deepEqual(
        await outcome(readEmbeddingBody(await response(cut(bytes, at)), key)),
        await outcome(readJson(await response([bytes]), key)),
      );
    }),
  },
  'a body without an end fills no memory': {
    runs: endlessBodies.length,
    cases: endlessBodies.map((name) => [name]),
    property: forAll<[string]>(fc.string(), async (name) => {
      try {
        await drain(answeringEndlessly(name), true);
      } catch (error) {
        assertFit(asServiceError(error));
      }
    }),
  },
};

/** An answer with its lists of numbers as vectors, and without what else is called `embedding`: nobody reads that. */
function withVectors(value: unknown, path = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => withVectors(item, `${path}[]`));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      if (name !== 'embedding') return [[name, withVectors(member, `${path}.${name}`)]];
      const isVector = Array.isArray(member) && member.length > 0 && member.every((each) => typeof each === 'number');
      return path === '.data[]' ? [[name, isVector ? Float32Array.from(member) : member]] : [];
    }),
  );
}

/** Runs a property; gives what is needed to see a failure again: seed, path, and the smallest input that fails. */
export async function check({ property, cases }: Property, runs: number, seed: number): Promise<string | undefined> {
  const { failed, counterexample, counterexamplePath, errorInstance } = await fc.check(property, {
    numRuns: runs,
    seed,
    timeout: longest,
    ...(cases === undefined ? {} : { examples: [cases[seed % cases.length] ?? []] }),
  });
  if (!failed) return undefined;
  const input = JSON.stringify(counterexample?.map(readable), undefined, 2);
  const { stack = '', cause = '' } = errorInstance instanceof Error ? errorInstance : {};
  return `seed ${seed}, path ${counterexamplePath}, input ${input}\n${stack}\n${inspect(cause)}`;
}

/** Bytes as the text they are, so that a person can read the input. */
function readable(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString().slice(0, 2_000);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, readable(member)]));
}

/** What a reader has in the end: the texts whole, the calls and reasons by choice. */
function summary(events: readonly ChatEvent[]): ValidStream['expected'] {
  const sum: ValidStream['expected'] = { texts: {}, reasoning: {}, calls: {}, finishes: {}, usage: undefined };
  for (const event of events) {
    if (event.type === 'text') sum.texts[event.choice] = (sum.texts[event.choice] ?? '') + event.text;
    if (event.type === 'reasoning') sum.reasoning[event.choice] = (sum.reasoning[event.choice] ?? '') + event.text;
    if (event.type === 'replace') {
      sum.texts[event.choice] = event.text;
      sum.reasoning[event.choice] = event.reasoning;
    }
    if (event.type === 'tool-call')
      sum.calls[event.choice] = [...(sum.calls[event.choice] ?? []), { ...event.toolCall }];
    if (event.type === 'finish') sum.finishes[event.choice] = event.reason;
    if (event.type === 'usage') sum.usage = event.usage as NonNullable<ValidStream['expected']['usage']>;
  }
  return sum;
}

/** A call that came without an id is given one at random. */
function withoutMadeIds(events: readonly ChatEvent[]): ChatEvent[] {
  return events.map((event) =>
    event.type === 'tool-call' ? { ...event, toolCall: { ...event.toolCall, id: 'made' } } : event,
  );
}

/** Without the texts that stayed empty, which nobody needs to tell. */
function plain(expected: ValidStream['expected']): ValidStream['expected'] {
  const filled = (texts: Record<number, string>) =>
    Object.fromEntries(Object.entries(texts).filter(([, text]) => text));
  return { ...expected, texts: filled(expected.texts), reasoning: filled(expected.reasoning) };
}

function assertFit(error: ServiceError): void {
  assert.ok(errorKinds.includes(error.kind), `kind ${error.kind}`);
  const written = JSON.stringify(error);
  assert.ok(written.length <= 4_000, 'an error holds a body');
  assert.ok(!/[\n\r\t]/.test(error.message) && error.message.length <= 300, 'a message is one short line');
  assert.ok(!`${written} ${error.message}`.includes(key), 'an error holds the key');
}

/** At most 128 choices, which some services count from 1. */
const isPlace = (choice: number): boolean => Number.isInteger(choice) && choice >= 0 && choice <= 128;

function assertUnpolluted(): void {
  assert.deepEqual(Object.keys(Object.prototype), []);
  assert.equal(Reflect.get({}, 'polluted'), undefined);
}
