import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fileInComment, fileInInfo, fileInProse, type NamedInText } from '../../../src/webview/shared/namedInText.ts';

/** The path, `?` where the text names a file that cannot be told, or undefined. */
function told(named: NamedInText | undefined): string | undefined {
  return named?.kind === 'unclear' ? '?' : named?.path;
}

const inProse = (text: string): string | undefined => told(fileInProse(text.split('\n')));
const inComment = (text: string): string | undefined => told(fileInComment(text));
const inInfo = (text: string): string | undefined => told(fileInInfo(text));

describe('The text above a fence', () => {
  it('names its file as a heading, in bold letters, in a sentence, or behind a word that says so', () => {
    for (const line of [
      ...['### src/a.ts', '**src/a.ts**', '**`src/a.ts`**:', '1. `src/a.ts`', 'File: src/a.ts', '**File:** `src/a.ts`'],
      ...[
        'In `src/a.ts`, change the name.',
        'Change this in `src/a.ts`:',
        'Update src/a.ts:',
        'Here is src/a.ts (updated):',
      ],
      ...[
        'New file: `src/a.ts`',
        '#### 2. `src/a.ts` (new file)',
        '<summary>src/a.ts</summary>',
        '### [a.ts](src/a.ts)',
      ],
      ...[
        '[a.ts](src/a.ts#L1-L2):',
        'See [the file](src/a.ts) for this.',
        '<file path="src/a.ts">',
        '- src/a.ts — updated',
      ],
      ...['Use the names of `b.ts`; now change this in `src/a.ts`:', '__src/a.ts__', '> **src/a.ts:12**'],
    ])
      assert.equal(inProse(line), 'src/a.ts', line);
  });

  it('names it in any language', () => {
    for (const line of [
      ...[
        '文件：src/a.ts',
        '「src/a.ts」',
        'src/a.tsを次のように変更します',
        '修改 src/a.ts：',
        '修改src/a.ts：',
        '文件名：`src/a.ts`',
      ],
      ...[
        'ファイル：src/a.ts',
        'ファイルsrc/a.tsを変更します',
        'src/a.ts를 수정합니다',
        'Datei: `src/a.ts`',
        'Файл: src/a.ts',
      ],
      ...['Dans « src/a.ts », remplacez :', 'In „src/a.ts“ ändern:', '更新《src/a.ts》', '请修改`src/a.ts`：'],
    ])
      assert.equal(inProse(line), 'src/a.ts', line);
    for (const name of [
      'src/größe.ts',
      'src/工具.ts',
      'отчёт.py',
      'users.$id.tsx',
      'Vagrantfile',
      'src/app/(group)/page.tsx',
    ])
      for (const line of [`Create \`${name}\`:`, `### ${name}`, `${name}:`, `File: ${name}`])
        assert.equal(inProse(line), name, line);
  });

  it('names it in the heading a sentence above, unless that sentence names another', () => {
    assert.equal(inProse('### src/a.ts\n\nThe name is changed.'), 'src/a.ts');
    assert.equal(inProse('**src/a.ts**\nThe helper of `b.ts` is used.'), 'src/a.ts');
    assert.equal(inProse('### src/a.ts\n\nAnd in `src/b.ts`:'), 'src/b.ts');
    assert.equal(inProse('We change src/a.ts first.\n\nThe name is changed.'), undefined);
    assert.equal(inProse('### src/b.ts\n\n### src/a.ts (no changes needed)'), 'src/a.ts');
    assert.equal(inProse('### 更新日志.md'), '更新日志.md');
    assert.equal(inProse('### The result\n\nThe name is changed.'), undefined);
  });

  it('names none in words that are none', () => {
    for (const line of [
      ...[
        'This uses Node.js and/or read/write, e.g. TCP/IP.',
        'Replace `console.log` by `logger.info`:',
        'Call `obj.method`:',
      ],
      ...[
        'Version 1.2.3:',
        'See https://example.com/a.ts for more.',
        '### Input/Output',
        'Change `a.ts` and `b.ts`.',
        '',
      ],
      ...[
        'Run `npm run build`:',
        'The endpoint `GET /api/users`:',
        'The file is changed as follows:',
        'File:',
        '`.map` is used:',
      ],
    ])
      assert.equal(inProse(line), undefined, line);
  });

  it('is unclear where it says that it names one, and nobody can tell which', () => {
    for (const line of [
      'File: ../a.ts',
      '文件：那个',
      'New file: `Foo`',
      'Create the file `Foo`:',
      '次に工具.tsを開く',
    ])
      assert.equal(inProse(line), '?', line);
  });
});

describe('A comment on the first line of code', () => {
  it('names its file', () => {
    for (const line of [
      ...[
        '// src/a.ts',
        '# src/a.ts',
        '# file: src/a.ts',
        '// filepath: src/a.ts',
        '//// src/a.ts',
        '// path: src/a.ts',
      ],
      ...[
        '// src/a.ts (updated)',
        '<!-- src/a.ts -->',
        '/* src/a.ts */',
        '/** src/a.ts */',
        '-- src/a.ts',
        '{/* src/a.ts */}',
      ],
      ...[
        '// File: src/a.ts:12',
        '// === src/a.ts ===',
        '// src/a.ts - the names',
        '// @file src/a.ts',
        '// src\\a.ts',
        '; src/a.ts',
      ],
      ...[
        '// filepath: "src/a.ts"',
        '// filepath: src/a.ts (lines 3-5)',
        '  // src/a.ts',
        '// filename: src/a.ts updated',
      ],
    ])
      assert.equal(inComment(line), 'src/a.ts', line);
    assert.equal(inComment('# file: /home/u/proj/src/a.ts'), '/home/u/proj/src/a.ts');
    assert.equal(inComment('// C:\\proj\\src\\util.py'), 'C:/proj/src/util.py');
    assert.equal(inComment('# Dockerfile'), 'Dockerfile');
    assert.equal(inComment('<!-- index.html -->'), 'index.html');
    assert.equal(inComment('-- schema.sql'), 'schema.sql');
  });

  it('names none otherwise', () => {
    for (const line of [
      ...[
        '// ...existing code...',
        '// e.g.',
        '// Node.js',
        '#!/usr/bin/env node',
        '#include "a.h"',
        '// 1.2.3',
        '# README',
        '#a.b {',
      ],
      ...[
        '// uses src/a.ts',
        '// path: the way to it',
        '// file: what is read',
        '// read/write',
        '// console.log',
        'src/a.ts',
        undefined,
      ],
      ...[
        'import a from "src/a.ts";',
        '// https://example.com/a.ts',
        '// com.foo.Bar',
        '--- a/src/a.ts',
        '// eslint-disable-next-line',
      ],
    ])
      assert.equal(told(fileInComment(line)), undefined, line);
  });

  it('is unclear where it says that it names one, and nobody can tell which', () => {
    for (const line of ['// filepath: ../a.ts', '# filename: the one above', '// file: ../src/a.ts'])
      assert.equal(inComment(line), '?', line);
  });
});

describe('What stands behind a fence', () => {
  it('names its file', () => {
    for (const info of [
      ...[
        'ts src/a.ts',
        'ts:src/a.ts',
        'ts title="src/a.ts"',
        'ts {file=src/a.ts}',
        'src/a.ts',
        '1:2:src/a.ts',
        'ts // src/a.ts',
      ],
      ...[
        '12:20:src/a.ts',
        'ts filename="src/a.ts"',
        'ts:src/a.ts:12',
        'src/a.ts:3-5',
        'ts (src/a.ts)',
        'ts path=src/a.ts {1,3}',
      ],
    ])
      assert.equal(inInfo(info), 'src/a.ts', info);
    assert.deepEqual(fileInInfo('12:20:src/a.ts'), { kind: 'path', path: 'src/a.ts', line: 12, lastLine: 20 });
    for (const name of ['src/größe.ts', 'src/app/[id]/page.tsx', 'C:/p/a.ts', '/home/u/a.ts', 'src/My File.ts'])
      for (const info of [`ts ${name}`, `ts title="${name}"`, name]) assert.equal(inInfo(info), name, info);
    assert.equal(inInfo('docker Dockerfile'), 'Dockerfile');
    assert.equal(inInfo('ts file:///p/a.ts'), '/p/a.ts');
    assert.equal(inInfo('ts C:\\p\\a.ts'), 'C:/p/a.ts');
  });

  it('names none otherwise', () => {
    for (const info of [
      '',
      'ts',
      'Makefile',
      'dockerfile',
      'js {1-3}',
      'js{1,3}',
      'asp.net',
      'c++',
      'ts title="The result"',
      'python3.11',
    ])
      assert.equal(inInfo(info), undefined, info);
  });

  it('is unclear where it says that it names one, and nobody can tell which', () => {
    for (const info of ['ts file="../a.ts"', 'ts:../a.ts', '1:2:x/']) assert.equal(inInfo(info), '?', info);
  });
});

describe('Lines that would be read again and again', () => {
  // Each would cost its square where a pattern can begin or divide in many places: the test would not end.
  it('are read once', () => {
    const parts = [
      '`',
      '「',
      '[',
      '](',
      'a.',
      'a/',
      '工.',
      '(',
      ':1',
      '**',
      '<file ',
      '// ',
      '<summary ',
      'file=',
      "'",
      '，',
    ];
    for (const part of [...parts, ' - ', 'File: ', '1:', ' ']) {
      for (const start of ['', '// ', '### ', 'File: ', '`', '<file ', '[', 'ts ']) {
        const line = start + part.repeat(Math.floor(980 / part.length));
        for (let round = 0; round < 20; round++) for (const read of [inProse, inComment, inInfo]) read(line);
        assert.equal(told(fileInComment(line + line)), undefined);
      }
    }
  });
});
