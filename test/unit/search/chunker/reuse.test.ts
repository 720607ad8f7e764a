import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { estimateTokens } from '../../../../src/base/tokens.ts';
import { type Chunk, chunkFile, chunkText, chunkTokens, textHash } from '../../../../src/search/chunker/chunker.ts';

/** Real files of about a thousand lines. */
const files = globSync('{undici,mocha,zod,markdown-it,glob,fast-check}/**/*.{js,d.ts,md}', {
  cwd: new URL('../../../../node_modules/', import.meta.url),
})
  .sort()
  .map((path) => ({
    path,
    lines: readFileSync(new URL(`../../../../node_modules/${path}`, import.meta.url), 'utf8').split('\n'),
  }))
  .filter(({ lines }) => lines.length >= 700 && lines.length <= 1_400)
  .slice(0, 30);

/** Texts that were embedded. */
function createPaid() {
  const hashes = new Set<string>();
  const key = (hash: Uint8Array): string => Buffer.from(hash).toString('hex');
  const hasVector = (hash: Uint8Array): boolean => hashes.has(key(hash));
  return {
    hasVector,
    /** How many of these texts are sent; then they are known. */
    pay(chunks: readonly Chunk[]): number {
      const sent = chunks.filter(({ text }) => !hasVector(textHash(text))).length;
      for (const { text } of chunks) hashes.add(key(textHash(text)));
      return sent;
    },
  };
}

/** Whole numbers under a bound that look like chance, always the same. */
function createRandom(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % bound;
  };
}

const pasted = readFileSync(new URL(import.meta.url), 'utf8')
  .split('\n')
  .slice(25, 45);
const edits: Record<string, { most: number; edit: (lines: string[], at: number) => string[] }> = {
  'a line added': { most: 2, edit: (lines, at) => lines.toSpliced(at, 0, `const added${at} = ${at};`) },
  'a line that breaks the syntax': { most: 2, edit: (lines, at) => lines.toSpliced(at, 0, `if (broken${at}) { [`) },
  'a line taken out': { most: 2, edit: (lines, at) => lines.toSpliced(at, 1) },
  'a line changed': { most: 2, edit: (lines, at) => lines.toSpliced(at, 1, `${lines[at]} // changed`) },
  'a line at the end': { most: 2, edit: (lines, at) => [...lines, `export const last${at} = true;`, ''] },
  'twenty lines pasted': { most: 4, edit: (lines, at) => lines.toSpliced(at, 0, ...pasted) },
};

for (const [name, { most, edit }] of Object.entries(edits)) {
  test(`${name} in a file of a thousand: at most ${most} texts are new, and the chunks are as good as any`, async () => {
    assert.ok(files.length >= 20, `${files.length} files`);
    const random = createRandom(7);
    let [whole, small] = [0, 0];
    for (const { path, lines } of files) {
      const before = await chunkFile(path, lines.join('\n'));
      for (let tries = 0; tries < 6; tries++) {
        const at = random(lines.length);
        const text = edit(lines, at).join('\n');
        const paid = createPaid();
        paid.pay(before);
        const chunks = await chunkFile(path, text, { hasVector: paid.hasVector, isKnown: true });
        assert.equal(chunks.map((chunk) => chunk.text).join(''), text);
        for (const chunk of chunks) assert.ok(estimateTokens(chunk.text) <= chunkTokens.max);
        whole += chunks.length - 1;
        small += chunks.slice(0, -1).filter((chunk) => estimateTokens(chunk.text) < chunkTokens.min).length;
        assert.ok(paid.pay(chunks) <= most, `${path}, line ${at + 1}`);
      }
    }
    assert.ok(small <= whole / 50, `${small} of ${whole} chunks are too small`);
  });
}

test('after a day of edits the file as it was, and as it became, is found again by its texts: nothing is sent', async () => {
  const random = createRandom(11);
  const kinds = Object.values(edits).filter(({ most }) => most === 2);
  for (const { path, lines } of files.slice(0, 12)) {
    const paid = createPaid();
    const cut = async (text: string, isKnown: boolean): Promise<number> =>
      paid.pay(await chunkFile(path, text, { hasVector: paid.hasVector, isKnown }));
    await cut(lines.join('\n'), false);
    const states = [lines];
    for (let save = 0; save < 10; save++) {
      const last = states.at(-1) as string[];
      states.push((kinds[save % kinds.length] as (typeof kinds)[0]).edit(last, random(last.length)));
      assert.ok((await cut((states.at(-1) as string[]).join('\n'), true)) <= 2, `${path}, save ${save}`);
    }
    // Back, there again, and in a clone that has never seen the file.
    for (const [state, isKnown] of [
      [0, true],
      [10, true],
      [5, true],
      [7, false],
      [10, false],
    ] as const) {
      assert.equal(await cut((states[state] as string[]).join('\n'), isKnown), 0, `${path}, as after save ${state}`);
    }
  }
});

test('chunks that are kept have the lines and the names of where they stand now', async () => {
  const method = (name: string): string =>
    `  ${name}(): void {\n${'    this.value = compute(this.value);\n'.repeat(28)}  }\n\n`;
  const textOf = (name: string): string => `class ${name} {\n${['open', 'close', 'count'].map(method).join('')}}\n`;
  const paid = createPaid();
  paid.pay(await chunkFile('a.ts', textOf('Ledger')));
  const text = `// One more line.\n${textOf('Book')}`;
  const chunks = await chunkFile('a.ts', text, { hasVector: paid.hasVector, isKnown: true });
  assert.ok(paid.pay(chunks) < chunks.length);
  assert.deepEqual(chunks.at(-1)?.enclosing, ['class Book']);
  const lines = text.split('\n');
  for (const chunk of chunks) assert.equal(chunk.text.split('\n')[0], lines[chunk.startLine - 1]);
});

test('whatever was paid for, chunks tile the text, and none is larger than the largest allowed', () => {
  const line = fc.oneof(
    fc.string({ maxLength: 80 }),
    fc.constantFrom('', '  ', 'function a() {', '}', '    return 1'),
    fc.string({ minLength: 300, maxLength: 2_000, unit: 'grapheme' }),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 120 }), fc.nat(120), line, fc.boolean(), (lines, at, added, isKnown) => {
      const paid = createPaid();
      paid.pay(chunkText(lines.join('\n')));
      const text = lines.toSpliced(at, 0, added).join('\n');
      const chunks = chunkText(text, { hasVector: paid.hasVector, isKnown });
      assert.equal(chunks.map((chunk) => chunk.text).join(''), text);
      for (const chunk of chunks) assert.ok(chunk.text !== '' && estimateTokens(chunk.text) <= chunkTokens.max);
    }),
  );
});

test('a large text of which nothing is known is cut at once, by its best borders', () => {
  const text = Array.from({ length: 20_000 }, (_, i) => (i % 7 === 0 ? '' : `  a(${i});`)).join('\n');
  let asked = 0;
  const hasVector = (): boolean => {
    asked++;
    return false;
  };
  const chunks = chunkText(text, { hasVector, isKnown: true });
  assert.ok(asked < 20_000, `${asked} texts were asked for`);
  assert.deepEqual(chunks, chunkText(text));
});
