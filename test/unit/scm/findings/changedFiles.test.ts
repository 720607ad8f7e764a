import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import fc from 'fast-check';
import { newLineText, readChangedFiles } from '../../../../src/scm/findings/changedFiles.ts';

describe('the files of a diff', () => {
  it('have their hunks, numbered by the old and the new file', () => {
    const text = [
      'diff --git a/src/a.ts b/src/a.ts',
      'index 1..2 100644',
      '--- a/src/a.ts',
      '+++ b/src/a.ts',
      '@@ -10,3 +12,4 @@ function a() {',
      ' one',
      '-two',
      '+TWO',
      '+two and a half',
      ' three',
      '\\ No newline at end of file',
      '',
    ].join('\n');
    assert.deepEqual(readChangedFiles(text), [
      {
        path: 'src/a.ts',
        hunks: [
          {
            oldFirst: 10,
            first: 12,
            count: 4,
            lines: [
              { mark: ' ', text: 'one' },
              { mark: '-', text: 'two' },
              { mark: '+', text: 'TWO' },
              { mark: '+', text: 'two and a half' },
              { mark: ' ', text: 'three' },
            ],
          },
        ],
      },
    ]);
  });

  it('are told apart where a removed line looks like the head of a file', () => {
    const text =
      '--- a/a.sql\n+++ b/a.sql\n@@ -1,2 +1,2 @@\n--- a/x\n+++ b/x\n keep\n--- a/b.sql\n+++ b/b.sql\n@@ -1 +1 @@\n-a\n+b\n';
    const files = readChangedFiles(text);
    assert.deepEqual(
      files.map(({ path }) => path),
      ['a.sql', 'b.sql'],
    );
    assert.deepEqual(files[0]?.hunks[0]?.lines.slice(0, 2), [
      { mark: '-', text: '-- a/x' },
      { mark: '+', text: '++ b/x' },
    ]);
  });

  it('are those that are there afterwards, and have text', () => {
    const gone = '--- a/gone.ts\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-x\n';
    const binary = 'diff --git a/p.png b/p.png\nBinary files a/p.png and b/p.png differ\n';
    const added = '--- /dev/null\n+++ b/new.ts\n@@ -0,0 +1,1 @@\n+x\n';
    const [only, ...others] = readChangedFiles(gone + binary + added);
    assert.equal(only?.path, 'new.ts');
    assert.equal(only?.hunks[0]?.first, 1);
    assert.deepEqual(others, []);
  });

  it('have their names back from the way git writes them', () => {
    const named = (name: string): string | undefined =>
      readChangedFiles(`--- /dev/null\n+++ ${name}\n@@ -0,0 +1 @@\n+x\n`)[0]?.path;
    assert.equal(named('b/a b.ts\t'), 'a b.ts');
    assert.equal(named('"b/\\303\\244 \\"q\\" \\\\ \\t.ts"'), 'ä "q" \\ \t.ts');
  });

  it('hold every line of the new file that is near a change', () => {
    const line = fc.constantFrom('a', 'b', '', '-- a', '++ b', '@@ -1 +1 @@', '\\ x');
    fc.assert(
      fc.property(fc.array(line), fc.array(line), (before, after) => {
        const [old, now] = [before, after].map((lines) => lines.map((each) => `${each}\n`).join(''));
        const patch = createTwoFilesPatch('a/f', 'b/f', old ?? '', now ?? '', undefined, undefined, {
          context: 3,
          headerOptions: FILE_HEADERS_ONLY,
        });
        for (const file of readChangedFiles(patch ?? '')) {
          const { hunks } = file;
          after.forEach((text, at) => {
            assert.equal(newLineText(file, at + 1) ?? text, text);
          });
          for (const { first, count, lines } of hunks) {
            const shown = lines.filter(({ mark }) => mark !== '-').map(({ text }) => text);
            assert.deepEqual(shown, after.slice(first - 1, first - 1 + count));
          }
        }
      }),
    );
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void readChangedFiles(text)));
  });
});
