import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type FileName, type NameMark, readFileName } from '../../../src/webview/shared/fileName.ts';

function reads(text: string, expected: string | FileName | undefined, mark: NameMark = 'marked'): void {
  const name = typeof expected === 'string' ? { path: expected } : expected;
  assert.deepEqual(readFileName(text, mark), name, `${mark}: ${text}`);
}

describe('A name of a file is read', () => {
  it('in the letters of any language, and with the signs that frameworks put in names', () => {
    const names = ['src/größe.ts', 'größe.ts', 'src/工具.ts', 'отчёт.py', 'données/été.csv', 'src/ファイル.rs'];
    const signs = [
      'src/app/(group)/page.tsx',
      'src/[id].tsx',
      'app/[...slug]/page.tsx',
      'users.$id.tsx',
      '+page.svelte',
    ];
    for (const name of [...names, ...signs, 'a-b_c.test.ts', '@types/a.d.ts', 'c++/a.cpp', 'c#/A.cs', '__init__.py'])
      reads(name, name);
  });

  it('without an ending, or with nothing before it', () => {
    for (const name of ['Vagrantfile', 'Dockerfile', 'Makefile', 'BUILD', 'go.mod', 'CODEOWNERS', 'Dockerfile.dev'])
      reads(name, name);
    for (const name of ['.env', '.gitignore', '.env.local', '.prettierrc.json', '.github/workflows/ci.yml'])
      reads(name, name);
    for (const text of ['.map', '.ts', '.NET', 'Profile', 'Function', 'build']) reads(text, undefined);
  });

  it('with the line, the column or the lines of it', () => {
    reads('a.ts:12', { path: 'a.ts', line: 12 });
    reads('a.ts:12:80', { path: 'a.ts', line: 12, column: 80 });
    reads('a.ts:3:5', { path: 'a.ts', line: 3, column: 5 });
    reads('a.ts:3-5', { path: 'a.ts', line: 3, lastLine: 5 });
    reads('a.ts#L12', { path: 'a.ts', line: 12 });
    reads('a.ts#L3C5', { path: 'a.ts', line: 3, column: 5 });
    reads('a.ts#L3-L5', { path: 'a.ts', line: 3, lastLine: 5 });
    reads('a.ts(3,5)', { path: 'a.ts', line: 3, column: 5 });
    reads('src/a.ts (lines 3-5)', { path: 'src/a.ts', line: 3, lastLine: 5 });
    reads('C:\\p\\a.ts:7', { path: 'C:/p/a.ts', line: 7 });
    reads('Makefile:3', { path: 'Makefile', line: 3 });
    reads('docs/a.md#usage', 'docs/a.md');
  });

  it('as a place of this machine', () => {
    reads('/home/u/proj/src/a.ts', '/home/u/proj/src/a.ts');
    reads('C:\\proj\\src\\util.py', 'C:/proj/src/util.py');
    reads('src\\a.ts', 'src/a.ts');
    reads('file:///home/u/My%20Code/a.ts#L3', { path: '/home/u/My Code/a.ts', line: 3 });
    reads('file:///C:/p/a.ts', 'C:/p/a.ts');
    reads('file:///c%3A/p/a.ts', 'c:/p/a.ts');
    reads('./src/./a.ts', 'src/a.ts');
  });

  it('within quotes and brackets, and with spaces where it is marked as one', () => {
    for (const text of [
      '`src/a.ts`',
      '"src/a.ts"',
      '<src/a.ts>',
      '**`src/a.ts`**',
      '「src/a.ts」',
      '(src/a.ts)',
      '`src/a.ts`:3',
    ])
      assert.equal(readFileName(text)?.path, 'src/a.ts', text);
    reads('folder/Stored Procedures/f.sql', 'folder/Stored Procedures/f.sql');
    reads('folder/Stored%20Procedures/f.sql', 'folder/Stored Procedures/f.sql');
    reads('Stored Procedures/f.sql', 'Stored Procedures/f.sql', 'label');
    for (const text of ['In src/a.ts', 'git add src/a.ts', 'src/a.ts and src/b.ts', 'the file a.ts'])
      reads(text, undefined);
    for (const text of ['src/a.ts and src/b.ts', 'a.ts, b.ts']) reads(text, undefined, 'label');
  });

  it('not where words, numbers, code and addresses look like one', () => {
    for (const mark of ['plain', 'marked'] as const) {
      const words = [
        'e.g.',
        'e.g',
        'i.e.',
        'Node.js',
        'ASP.NET',
        'and/or',
        'read/write',
        'TCP/IP',
        'Input/Output',
        'v1.2.x',
      ];
      const code = [
        '1.2.3',
        '1.2.3-beta',
        'console.log',
        'process.env',
        'this.name',
        'Math.max',
        'a.b.call',
        'List.Add',
      ];
      const addresses = [
        'https://example.com/a.ts',
        'example.com',
        'github.com/u/r/a.ts',
        'mailto:a@b.io',
        'www.example.com/a.html',
      ];
      for (const text of [...words, ...code, ...addresses, '', '.', '/', 'src/', '../a.ts', 'a/../b.ts'])
        reads(text, undefined, mark);
    }
    for (const text of ['obj.method', 'app.use', 'path.join', '.env-like', 'BUILD']) reads(text, undefined, 'plain');
    for (const text of [
      'javascript:alert(1)',
      'command:a.b',
      'data:text/plain,a',
      'vscode://file/a.ts',
      'a\u202e.ts',
      'a\n.ts',
    ])
      reads(text, undefined, 'link');
  });

  it('by any ending where it stands alone, and by any word where a link leads', () => {
    reads('src/a.xyz', 'src/a.xyz', 'plain');
    reads('foo.xyz', 'foo.xyz');
    reads('foo.xyz', undefined, 'plain');
    reads('bin/rails', undefined);
    reads('bin/rails', 'bin/rails', 'label');
    reads('Foo', undefined, 'label');
    reads('Foo', 'Foo', 'link');
  });
});
