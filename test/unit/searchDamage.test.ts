import assert from 'node:assert/strict';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createEngine, type Engine, type Meant } from '../../src/search/engine.ts';
import { storageError } from '../../src/search/storage.ts';
import { ServiceError } from '../../src/service/errors.ts';
import { temporaryFolder } from './searchFolder.ts';
import { numbersOf, vectorOf } from './searchVectors.ts';
import { sentenceOf } from './vscodeStub.ts';

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
  const meant: Meant = {
    model: 'm',
    embed: async (texts) => {
      service.sent += texts.filter((text) => !text.startsWith(question)).length;
      return texts.map((text) => vectorOf(numberOf(text)));
    },
  };
  const scope = { roots: [root], maxBytes: 1_000_000 };
  const engine = createEngine(directory);
  await engine.index(scope, meant, never, () => undefined);
  engine.close();
  return { root, directory, scope, meant, service };
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
async function lost({ root, meant }: Built, engine: Engine, said: Set<string>): Promise<string[]> {
  const missing: string[] = [];
  for (const i of numbers) {
    const ask = (text: string, by?: Meant) =>
      call(engine, said, () => engine.search([root], { text, limit: 3, globs: [] }, by, never));
    const words = await ask(`topic${i}`);
    if (!words?.hits.some(({ path, text }) => path === `f${i}.ts` && text.includes(`ship${i} `)))
      missing.push(`words ${i}`);
    const meaning = await ask(`${question}ship${i}`, meant);
    // A name in a chunk's row has no checksum: it decides of the order only.
    if (!meaning?.hits.some(({ path }) => path === `f${i}.ts`)) missing.push(`meaning ${i}`);
  }
  return missing;
}

/** Files of an index, and how many texts may be asked for again after a flipped byte there. */
const files = { 'index.db': 0, 'vectors.db': 1, 'vectors-1.values': 1, 'vectors-1.rest': 1, 'vectors-1.bits': 0 };
const places = 12;

for (const [name, price] of Object.entries(files)) {
  test(`a byte flipped anywhere in ${name} ends in a whole index, for ${price} texts at most`, {
    timeout: 300_000,
  }, async (t) => {
    const sound = await built(t);
    const size = readFileSync(join(sound.directory, name)).length;
    for (const place of numbersOf(0, places)) {
      const directory = join(temporaryFolder(t), 'index');
      cpSync(sound.directory, directory, { recursive: true });
      const at = Math.floor(((place + 0.5) / places) * size);
      const bytes = readFileSync(join(directory, name));
      bytes[at] = (bytes[at] ?? 0) ^ 0x55;
      writeFileSync(join(directory, name), bytes);
      sound.service.sent = 0;
      const engine = createEngine(directory);
      const said = new Set<string>();
      let missing = await lost(sound, engine, said);
      for (const end = performance.now() + 20_000; performance.now() < end; ) {
        await call(engine, said, () => engine.index(sound.scope, sound.meant, never, () => undefined));
        missing = await lost(sound, engine, said);
        if (missing.length === 0) break;
      }
      engine.close();
      assert.deepEqual(missing, [], `byte ${at}`);
      assert.ok(sound.service.sent <= price, `${sound.service.sent} texts were sent for byte ${at}`);
      for (const sentence of said) assert.match(sentence, /damaged on the disk.*the next run builds it again/);
    }
  });
}
