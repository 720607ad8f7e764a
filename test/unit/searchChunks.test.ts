import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { chunkText, chunkTokens, embeddedText } from '../../src/search/chunks.ts';
import { estimateTokens } from '../../src/service/tokens.ts';

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

test('chunks of real code have the size that is aimed at, and most borders stand before a definition or a blank line', () => {
  const text = readFileSync(new URL('../../src/search/ranking.ts', import.meta.url), 'utf8');
  const chunks = chunkText(text);
  assert.ok(chunks.length > 2);
  for (const chunk of chunks.slice(0, -1)) assert.ok(estimateTokens(chunk.text) >= chunkTokens.min);
  const clean = chunks.slice(1).filter((chunk) => /^(\S|\s*\n)/.test(chunk.text));
  assert.ok(clean.length >= (chunks.length - 1) / 2, `${clean.length} of ${chunks.length - 1}`);
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
