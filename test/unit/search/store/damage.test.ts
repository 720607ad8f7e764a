import assert from 'node:assert/strict';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ServiceError } from '../../../../src/base/errors.ts';
import type { EmbeddingModel } from '../../../../src/search/embedding/embeddingModel.ts';
import { createEngine, type Engine } from '../../../../src/search/engine.ts';
import { storageError } from '../../../../src/search/store/storageError.ts';
import { temporaryFolder } from '../../../support/searchFolder.ts';
import { numbersOf, vectorOf } from '../../../support/searchVectors.ts';
import { sentenceOf } from '../../../support/vscodeStub.ts';

const never = new AbortController().signal;
const numbers = numbersOf(0, 40);
const question = 'question ';
const numberOf = (text: string): number => Number(/ship(\d+)/.exec(text)?.[1] ?? 0);

/** A workspace and an index of it, closed; and a service that counts the texts it is sent. */
async function built(t: TestContext) {
  const [root, directory] = [temporaryFolder(t), temporaryFolder(t)];
  for (const i of numbers) {
    const text = `// topic${i}\nexport const ship${i} = ${i};\n${'const filler = 1;\n'.repeat(20)}`;
    writeFileSync(join(root, `f${i}.ts`), text);
  }
  const service = { sent: 0 };
  const embeddingModel: EmbeddingModel = {
    model: 'm',
    embed: async (texts) => {
      service.sent += texts.filter((text) => !text.startsWith(question)).length;
      return texts.map((text) => vectorOf(numberOf(text)));
    },
  };
  const scope = { roots: [root], maxBytes: 1_000_000 };
  const engine = createEngine(directory);
  await engine.index(scope, embeddingModel, never, () => undefined);
  engine.close();
  return { root, directory, scope, embeddingModel, service };
}
type Built = Awaited<ReturnType<typeof built>>;

/** Calls as the worker does: what is said of damage has the index opened anew, with a thorough look. */
async function call<T>(engine: Engine, said: Set<string>, work: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    const known = storageError(error);
    assert.ok(known instanceof ServiceError && known.hint === 'damaged', String(error));
    said.add(sentenceOf(known));
    engine.suspect();
    return undefined;
  }
}

/** The files that are not found by their words, or not by the vector of their text. */
async function lost({ root, embeddingModel }: Built, engine: Engine, said: Set<string>): Promise<string[]> {
  const missing: string[] = [];
  for (const i of numbers) {
    const ask = (text: string, by?: EmbeddingModel) =>
      call(engine, said, () => engine.search([root], { text, limit: 3, globs: [] }, by, never));
    const words = await ask(`topic${i}`);
    if (!words?.hits.some(({ path, text }) => path === `f${i}.ts` && text.includes(`ship${i} `)))
      missing.push(`words ${i}`);
    const meaning = await ask(`${question}ship${i}`, embeddingModel);
    // A name in a chunk's row has no checksum: it decides of the order only.
    if (!meaning?.hits.some(({ path }) => path === `f${i}.ts`)) missing.push(`meaning ${i}`);
  }
  return missing;
}

/** Files of an index, and how many texts may be asked for again after a flipped byte there. */
const files = { 'index.db': 0, 'vectors.db': 1, 'vectors-1.values': 1, 'vectors-1.rest': 1, 'vectors-1.bits': 0 };
const places = 12;

/** Flips a byte of a file of a copy of the index; the next runs have to bring all of it back, for so many texts at most. */
async function survives(t: TestContext, sound: Built, name: string, at: number, price: number): Promise<void> {
  const directory = join(temporaryFolder(t), 'index');
  cpSync(sound.directory, directory, { recursive: true });
  const bytes = readFileSync(join(directory, name));
  bytes[at] = (bytes[at] ?? 0) ^ 0x55;
  writeFileSync(join(directory, name), bytes);
  sound.service.sent = 0;
  const engine = createEngine(directory);
  const said = new Set<string>();
  let missing = await lost(sound, engine, said);
  for (let round = 0; round < 20; round++) {
    await call(engine, said, () => engine.index(sound.scope, sound.embeddingModel, never, () => undefined));
    missing = await lost(sound, engine, said);
    if (missing.length === 0) break;
  }
  engine.close();
  assert.deepEqual(missing, [], `byte ${at}`);
  assert.ok(sound.service.sent <= price, `${sound.service.sent} texts were sent for byte ${at}`);
  for (const sentence of said) assert.match(sentence, /damaged on the disk.*the next run builds it again/);
}

for (const [name, price] of Object.entries(files)) {
  test(`a byte flipped anywhere in ${name} ends in a whole index, for ${price} texts at most`, async (t) => {
    const sound = await built(t);
    const size = readFileSync(join(sound.directory, name)).length;
    for (const place of numbersOf(0, places)) {
      await survives(t, sound, name, Math.floor(((place + 0.5) / places) * size), price);
    }
  });
}

test('a byte flipped in the path of a file, in its row or in an index of it, ends in a whole index', async (t) => {
  const sound = await built(t);
  const bytes = readFileSync(join(sound.directory, 'index.db'));
  const found: number[] = [];
  for (let at = bytes.indexOf('f13.ts'); at >= 0; at = bytes.indexOf('f13.ts', at + 1)) found.push(at);
  assert.ok(found.length >= 2, 'in the row and in the unique index');
  for (const at of found) await survives(t, sound, 'index.db', at + 5, 0);
});
