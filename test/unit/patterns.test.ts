import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planAnswer, planCode, planEdit } from '../../src/edits/plan.ts';
import { streamedEdits } from '../../src/edits/review/streamedEdit.ts';
import { chunkFile } from '../../src/search/chunker/chunker.ts';
import { parseQuery } from '../../src/search/query/filter/parseQuery.ts';
import { betterBaseUrl } from '../../src/service/errors/addressHint.ts';
import { htmlTitle } from '../../src/service/errors/htmlPage.ts';
import { definedNames } from '../../src/syntax/lines/definedNames.ts';
import { languages } from '../../src/syntax/lines/lineLanguages.ts';
import { generatedLine } from '../../src/workspace/exclusions.ts';
import { findSecret } from '../../src/workspace/secrets.ts';

// Each text costs its square or worse where a pattern can begin or divide in many places: the test would not end.

test('no text makes the search for secrets slow', () => {
  const texts = [
    'eyJ-',
    'token=',
    'password = a1B2',
    'machine a login b ',
    'aws_secret_',
    'https://a:',
    '-----BEGIN A ',
    '\n ',
  ];
  for (const text of texts) assert.equal(findSecret(text.repeat(800_000 / text.length)), undefined, text);
  const token = `eyJ${'hbGciOiJIUzI1NiJ9'}.eyJ${'zdWIiOiIxMjM0NTY3ODkw'}.${'dozjgNryP4J3jVmNHl0w5N'}`;
  for (const before of ['', 'Bearer ', 'a-', '{"t":"', `${'eyJ-'.repeat(100_000)} `])
    assert.equal(findSecret(`first\n${before}${token}`)?.kind, 'web-token', before.slice(0, 20));
});

/** Parts of lines in which a form of a declaration can begin, or go on, at many places. */
const hostile = [
  ...[
    'public ',
    'a.',
    'a::',
    '<a',
    '(',
    'a ',
    ' ',
    '@a(b) ',
    'fun <',
    'def ',
    'const a: ',
    'a(b) ',
    'let a ',
    'class (a) => ',
  ],
  ...[
    'create or replace ',
    'a, ',
    '"a".',
    '(def ^a ',
    'static const a ',
    'a<b> ',
    "'a ",
    'impl<a> a for ',
    '#',
    '*',
    'a=',
    'a:',
  ],
];

test('no heading, line or name of a file makes cutting it slow', async () => {
  const texts = {
    'a.md': `# a${' '.repeat(400_000)}b\n`,
    'b.md': `# a${' #'.repeat(200_000)}b\n`,
    'c.md': '```'.repeat(200_000),
    'd.ts': `export const a${' '.repeat(300_000)}= 1;\n`,
    'e.ts': `${'func ('.repeat(49)}\n`.repeat(2_000),
  };
  for (const [path, text] of Object.entries(texts)) assert.ok((await chunkFile(path, text)).length > 0, path);
  assert.equal((await chunkFile('f.md', '# Mooring ## \n\ntext\n'))[0]?.text.includes('Mooring'), true);
  definedNames(`${'const async func ('.repeat(16)}\n`.repeat(5_000));
  // Each language by its own forms, on lines as long as are looked at.
  for (const [endings] of languages) {
    for (const part of hostile)
      definedNames(`${part.repeat(300 / part.length)}\n`.repeat(200), `a.${endings.split(' ')[0]}`);
  }
  generatedLine(`// ${'Code generated '.repeat(5_000)}\n`.repeat(20));
  parseQuery('path:"'.repeat(100_000));
});

test('no page, no title and no address of a service makes reading it slow', () => {
  for (const text of ['<title', '<title ', '<h1', '<title a="']) assert.equal(htmlTitle(text.repeat(200_000)), '');
  assert.equal(htmlTitle('<TITLE lang="en">Sign in</TITLE>'), 'Sign in');
  assert.equal(betterBaseUrl(`https://a.example/${'a/'.repeat(50_000)}`), undefined);
  assert.equal(betterBaseUrl('https://a.example/v1/v1/models'), 'https://a.example/v1');
});

test('no line of an answer, or of the file that it is for, makes placing it slow', async () => {
  const starts = [
    'func (',
    '~~~',
    '@@',
    'const ',
    'export default ',
    'A',
    '<',
    '`',
    '/*',
    '// src/',
    'The code, so to say, ',
  ];
  const parts = [' ', '@@', 'public ', 'a, ', 'a.', '(', '`', '# ', 'x: ', '<a '];
  const files = ['a.ts', 'a.go', 'a.css', 'a.md', 'a.sql', 'a.html', 'a.toml'];
  for (const start of starts) {
    for (const part of parts) {
      const line = `${start}${part.repeat(8_000 / part.length)}(x`;
      for (const path of files) {
        const lines = [line, 'y()', line];
        const document = { path, lines, selection: { first: 1, last: 1 } };
        await planCode(`x {\n${line}\n}`, document, 0);
        await planEdit({ text: `${line}\n${line} (see above).`, finishReason: 'stop' }, document);
        const text = `${line}\n\`${path}\`:\n\`\`\`\n${line}\nfoo()\n\`\`\``;
        await planAnswer({ text, isCut: false, mayBeCut: false }, new Map([[path, lines]]));
        streamedEdits(text, lines, document.selection);
      }
    }
  }
});
