import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changesOf, isChangelog } from '../bench/retrieval/changes.ts';
import { documentedBodies } from '../bench/retrieval/documentation.ts';
import { byName, type LanguageName } from '../bench/retrieval/languages.ts';
import { figuresOf } from '../bench/retrieval/measure.ts';
import { inWords, symbolsOf } from '../bench/retrieval/symbols.ts';

function documented(language: LanguageName, text: string): [sentence: string, firstLine: number, end: number][] {
  return documentedBodies(text.split('\n'), byName[language]).map(({ sentence, body }) => [
    sentence,
    body.start,
    body.end,
  ]);
}

test('the first sentence of documentation asks for the body below it, in every way of writing it', () => {
  const go =
    '// Flush writes what is left to the file. It may fail.\nfunc (b *Buffer) Flush() error {\n\twork()\n\treturn nil\n}\n';
  assert.deepEqual(documented('Go', go), [['writes what is left to the file.', 1, 5]]);
  const java =
    '  /**\n   * Reads the next token of it.\n   * @return it\n   */\n  @Nullable\n  Token next() {\n    a();\n  }\n';
  assert.deepEqual(documented('Java', java), [['Reads the next token of it.', 4, 8]]);
  const python =
    'def read(path,\n         mode):\n    """Read the whole file at once.\n\n    More.\n    """\n    a = 1\n    return a\nb = 2\n';
  assert.deepEqual(documented('Python', python), [['Read the whole file at once.', 0, 8]]);
  const sharp =
    '/// <summary>\n/// Gets the <see cref="A.Type"/> of this value.\n/// </summary>\n[Pure]\nint Get()\n{\n  a();\n}\n';
  assert.deepEqual(documented('C#', sharp), [['Gets the Type of this value.', 3, 8]]);
  const ruby = '# Renders the given template to a string.\ndef render(name)\n  a\nend\n';
  assert.deepEqual(documented('Ruby', ruby), [['Renders the given template to a string.', 1, 4]]);
  const haskell = '-- | Parse the header of a message.\nheader :: Parser\nheader = do\n  a\n\nother = 1\n';
  assert.deepEqual(documented('Haskell', haskell), [['Parse the header of a message.', 1, 4]]);
});

test('what is no sentence, or documents no body, asks for nothing', () => {
  assert.deepEqual(documented('Java', '/** Copyright 2020 by some of us here. */\nclass A {\n  a;\n}\n'), []);
  assert.deepEqual(documented('C', '/* Reads the next token of it. */\nint next (void);\n'), []);
  assert.deepEqual(documented('Rust', '/// Short words.\nfn a() {\n  b();\n}\n'), []);
});

test('a change asks for the files it names, and no longer names them', () => {
  const gnu =
    '2020-01-02  A B  <a@b>\n\n\t* src/read.c (fill_buffer): Keep one byte of the\n\tfile before fill_buffer starts.\n';
  assert.deepEqual(changesOf(gnu, ['src/read.c', 'src/main.c'], new Map()), [
    { text: 'Keep one byte of the file before starts.', paths: ['src/read.c'] },
  ]);
  const symbols = symbolsOf([{ path: 'lib/view.js', lines: ['function renderView(a) {'] }], byName.JavaScript);
  const list =
    '# 2.0\n\n- Fix `renderView` when the template has no name at all\n- Something else was changed here, too\n';
  assert.deepEqual(changesOf(list, ['lib/view.js'], symbols), [
    { text: 'Fix when the template has no name at all', paths: ['lib/view.js'] },
  ]);
  assert.deepEqual(['CHANGELOG.md', 'docs/changelog/1.rst', 'History.js', 'NEWS'].map(isChangelog), [
    true,
    true,
    false,
    true,
  ]);
});

test('a symbol counts where one file alone declares it', () => {
  const files = [
    { path: 'a.py', lines: ['def parse_header(a):', 'def main():'] },
    { path: 'b.py', lines: ['parse_header(1)', 'def main():'] },
  ];
  assert.deepEqual(
    [...symbolsOf(files, byName.Python).values()],
    [{ name: 'parse_header', path: 'a.py', line: 0, uses: 1 }],
  );
  assert.equal(inWords('parseHTTPHeader'), 'parse http header');
  assert.equal(inWords('parse'), undefined);
});

test('figures count the first hit of each file, and of the chunks of an answer the first', () => {
  const question = { kind: 'documentation', text: '', paths: ['b'], lines: { start: 5, end: 9 } } as const;
  const hits = [
    { path: 'a', startLine: 1, endLine: 9 },
    { path: 'a', startLine: 10, endLine: 19 },
    { path: 'b', startLine: 1, endLine: 6 },
    { path: 'b', startLine: 7, endLine: 9 },
  ];
  const { ndcg, ...file } = figuresOf({ ...question, paths: ['b'] }, hits, 'file');
  assert.deepEqual(file, { questions: 1, first: 0, ten: 1, reciprocal: 1 / 2 });
  assert.ok(Math.abs(ndcg - 0.631) < 0.001);
  assert.equal(figuresOf({ ...question, paths: ['b'] }, hits, 'chunk').reciprocal, 1 / 3);
});
