import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { estimateTokens } from '../../../../src/base/tokens.ts';
import {
  chunkFile,
  chunkText,
  chunkTokens,
  coveredLines,
  linesToCover,
} from '../../../../src/search/chunker/chunker.ts';
import { embeddedText } from '../../../../src/search/chunker/outline.ts';
import { assertGrowsNoFaster } from '../../../support/growth.ts';
import { smallSources } from '../../../support/smallSources.ts';

const lineish = fc
  .array(
    fc.oneof(
      fc.string({ maxLength: 60 }),
      fc.constantFrom('', '\n', '\r\n', '  ', '\t', 'function a() {', '}', 'class B:', '    return 1'),
      fc.string({ minLength: 500, maxLength: 3000, unit: 'grapheme' }),
    ),
    { maxLength: 80 },
  )
  .map((parts) => parts.join('\n'));

test('chunks tile any text: put together they are the text, and their lines leave no hole', () => {
  fc.assert(
    fc.property(lineish, (text) => {
      const chunks = chunkText(text);
      assert.equal(chunks.map((chunk) => chunk.text).join(''), text);
      let line = 1;
      for (const chunk of chunks) {
        assert.ok(chunk.startLine === line || chunk.startLine === line - 1, 'a hole or an overlap of lines');
        assert.ok(chunk.endLine >= chunk.startLine);
        line = chunk.endLine + 1;
      }
      assert.equal(line - 1, text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0));
    }),
  );
});

test('no chunk is larger than the largest allowed, however long a line is', () => {
  fc.assert(
    fc.property(lineish, (text) => {
      for (const chunk of chunkText(text)) assert.ok(estimateTokens(chunk.text) <= chunkTokens.max);
    }),
  );
});

test('a very long line is split without breaking a character', () => {
  const text = '😀'.repeat(5_000);
  const chunks = chunkText(text);
  assert.ok(chunks.length > 1);
  assert.ok(chunks.every((chunk) => !/\p{Cs}/u.test(chunk.text) && chunk.startLine === 1 && chunk.endLine === 1));
});

const isSmall = ({ text }: { text: string }): boolean => estimateTokens(text) < chunkTokens.min;

test('chunks of real code have the size that is aimed at, and most borders stand before a definition or a blank line', () => {
  const source = new URL('../../../../src/', import.meta.url).pathname;
  const files = globSync('**/*.ts', { cwd: source }).map((path) => chunkText(readFileSync(source + path, 'utf8')));
  const borders = files.flatMap((chunks) => chunks.slice(1));
  assert.ok(borders.length > 500);
  // Only where no border leaves enough on both sides is a chunk smaller that is not the last.
  const small = files.flatMap((chunks) => chunks.slice(0, -1)).filter(isSmall);
  assert.ok(small.length < borders.length / 20, `${small.length} of ${borders.length}`);
  const clean = borders.filter((chunk) => /^(\S|\s*\n)/.test(chunk.text));
  assert.ok(clean.length >= borders.length / 2, `${clean.length} of ${borders.length}`);
});

test('a border falls before a top-level definition rather than inside the one before it', () => {
  const body = (name: string): string =>
    `function ${name}() {\n${Array.from({ length: 26 }, (_, i) => `  const value${i} = compute(${i});`).join('\n')}\n}\n`;
  const chunks = chunkText(`${body('first')}\n${body('second')}\n${body('third')}`);
  assert.deepEqual(
    chunks.map((chunk) => chunk.text.split('\n')[0]),
    ['function first() {', 'function second() {', 'function third() {'],
  );
});

test('a chunk inside a class knows what encloses it, and says so only in the text that is embedded', () => {
  const method = (name: string): string =>
    `    def ${name}(self):\n${Array.from({ length: 25 }, (_, i) => `        self.value${i} = compute(${i})`).join('\n')}\n\n`;
  const chunks = chunkText(`class Ledger:\n${method('open')}${method('close')}`);
  const inner = chunks.at(-1);
  assert.ok(inner);
  assert.equal(inner.enclosing[0], 'class Ledger:');
  assert.ok(!inner.text.includes('class Ledger'));
  assert.match(embeddedText('bank/ledger.py', inner.enclosing, inner.text), /^bank\/ledger\.py\nclass Ledger:\n/);
});

test('a comment stays with the definition it is about', () => {
  const body = (name: string): string =>
    `/** About ${name}. */\nfunction ${name}() {\n${Array.from({ length: 26 }, (_, i) => `  const value${i} = compute(${i});`).join('\n')}\n}\n`;
  for (const chunk of chunkText(`${body('first')}\n${body('second')}\n${body('third')}`)) {
    assert.match(chunk.text, /^\/\*\* About/);
  }
});

/** Real files of each language that is at hand. */
function realFiles(endings: string, most: number): { path: string; text: string }[] {
  const packages = new URL('../../../../node_modules/', import.meta.url).pathname;
  return globSync(`{undici,mocha,zod,markdown-it,@vscode/codicons,@vscode/tree-sitter-wasm}/**/*.${endings}`, {
    cwd: packages,
  })
    .sort()
    .slice(0, most)
    .map((path) => ({ path, text: readFileSync(packages + path, 'utf8') }))
    .filter(({ text }) => text !== '' && text.length < 300_000);
}

test('real files of every language are tiled by chunks of the size that is aimed at: 100 % of their lines', async () => {
  const files = [
    ...['js', 'd.ts', 'css', 'md', 'json', 'mjs'].flatMap((ending) => realFiles(ending, 25)),
    ...Object.entries(smallSources).map(([path, text]) => ({ path, text: text.repeat(120) })),
  ];
  let whole = 0;
  let smaller = 0;
  for (const { path, text } of files) {
    const chunks = await chunkFile(path, text);
    assert.equal(chunks.map((chunk) => chunk.text).join(''), text, path);
    assert.equal(coveredLines(chunks), linesToCover(path, text), path);
    for (const chunk of chunks) assert.ok(estimateTokens(chunk.text) <= chunkTokens.max, path);
    for (const chunk of chunks.slice(0, -1)) {
      whole++;
      if (estimateTokens(chunk.text) < chunkTokens.min) smaller++;
    }
  }
  assert.ok(whole > 1_000 && smaller <= whole / 50, `${smaller} of ${whole} chunks are too small`);
});

test('an edit of a line in a file of a thousand changes at most two chunks, nineteen times of twenty', async () => {
  const counts: number[] = [];
  let seed = 7;
  for (const { path, text } of [...realFiles('js', 400), ...realFiles('d.ts', 400)]) {
    const lines = text.split('\n');
    if (lines.length < 700 || lines.length > 1_400) continue;
    const before = new Set((await chunkFile(path, text)).map((chunk) => chunk.text));
    for (let edit = 0; edit < 8; edit++) {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      const at = seed % lines.length;
      const changed =
        edit % 2 === 0 ? [`${lines[at]} // note`] : [`${/^\s*/.exec(lines[at] ?? '')?.[0]}// note`, lines[at] ?? ''];
      const after = await chunkFile(path, lines.toSpliced(at, 1, ...changed).join('\n'));
      counts.push(after.filter((chunk) => !before.has(chunk.text)).length);
    }
  }
  counts.sort((a, b) => a - b);
  assert.ok(counts.length >= 200, `${counts.length} edits`);
  const [p95 = 0, most] = [counts[Math.floor(counts.length * 0.95)], counts.at(-1)];
  assert.ok(p95 <= 2, `95 of 100 edits change at most ${p95} chunks, the worst ${most}`);
});

test('a chunk is named after what the syntax tree says it stands in', async () => {
  const method = (name: string): string =>
    `  /** About ${name}. */\n  ${name}(): void {\n${'    this.value = compute(this.value);\n'.repeat(30)}  }\n\n`;
  const text = `export class Ledger\n  extends Book\n{\n${['open', 'close', 'count'].map(method).join('')}}\n`;
  const chunks = await chunkFile('ledger.ts', text);
  assert.deepEqual(chunks.at(-1)?.enclosing, ['class Ledger']);
  for (const chunk of chunks.slice(1)) assert.match(chunk.text, /^ {2}\/\*\* About/);
});

test('Markdown is cut before headings, whose path encloses what stands below; a fenced block stays whole', async () => {
  const fenced = `\`\`\`sh\n${'# not a heading\n\nrun something\n'.repeat(24)}\`\`\`\n`;
  const prose = `${'A sentence of a guide that says how it is done.\n'.repeat(20)}\n`;
  const chunks = await chunkFile(
    'guide.md',
    `# Guide\n\n${prose}## Setting up\n\n${fenced}\n## Running\n\n${prose}${prose}`,
  );
  assert.ok(chunks.some((chunk) => chunk.text.includes(fenced)));
  assert.ok(chunks.some((chunk) => chunk.text.startsWith('## Running')));
  assert.deepEqual(chunks.at(-1)?.enclosing, ['Guide', 'Running']);
});

test('a notebook is cut by cells, without their outputs, at the lines of the file', async () => {
  const cell = (type: string, source: string[]): object => ({
    cell_type: type,
    metadata: {},
    outputs: [{ data: 'OUTPUT' }],
    source,
  });
  const text = JSON.stringify(
    {
      cells: [cell('markdown', ['# Prices\n', 'of oil']), cell('code', ['import pandas\n', '\n', 'read()'])],
      metadata: {},
    },
    undefined,
    1,
  );
  const chunks = await chunkFile('oil.ipynb', text);
  assert.deepEqual(
    chunks.map((chunk) => chunk.text),
    ['# Prices\nof oil', 'import pandas\n\nread()'],
  );
  const lines = text.split('\n');
  const [, code] = chunks;
  assert.match(lines[(code?.startLine ?? 0) - 1] ?? '', /import pandas/);
  assert.match(lines[(code?.endLine ?? 0) - 1] ?? '', /read\(\)/);
  assert.deepEqual(code?.enclosing, ['Prices']);
  assert.deepEqual([coveredLines(chunks), linesToCover('oil.ipynb', text)], [5, 5]);
  const broken = await chunkFile('oil.ipynb', text.slice(0, -3));
  assert.equal(broken.map((chunk) => chunk.text).join(''), text.slice(0, -3));
});

test('two megabytes in one line are cut in a time that grows with the line and no faster', async () => {
  const textOf = (numbers: number): string => `var a=[${'1234567,'.repeat(numbers)}]`;
  const text = textOf(262_144);
  const chunks = await chunkFile('data.js', text);
  assert.equal(chunks.map((chunk) => chunk.text).join(''), text);
  await assertGrowsNoFaster((numbers) => chunkFile('data.js', textOf(numbers)), 65_536);
});
