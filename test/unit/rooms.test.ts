import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, test } from 'node:test';

const root = join(import.meta.dirname, '../..');
const files = globSync('src/**/*.ts', { cwd: root });

/** The modules a file imports: paths from the root for its own, names for packages. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  const found = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\s[^'"]*?from\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]|(?:^|\n)import\s+['"]([^'"]+)['"]/g,
  );
  return [...found]
    .map((match) => match[1] ?? match[2] ?? match[3] ?? '')
    .map((name) => (name.startsWith('.') ? relative(root, join(root, dirname(file), name)) : name));
}
const imports = new Map(files.map((file) => [file, importsOf(file)]));
const roomOf = (file: string): string => file.split('/')[1] ?? '';
const features = ['chat', 'edits', 'search', 'audio', 'models', 'connect'];
const mayImportVscode = /^src\/(extension\.ts|editor\/|models\/|[a-z]+\/ui\/)/;

/** Pairs of file and import that break a rule; the message of the assertion lists them. */
function offences(breaks: (file: string, imported: string) => boolean): string[] {
  return [...imports].flatMap(([file, list]) =>
    list.filter((name) => breaks(file, name)).map((name) => `${file} → ${name}`),
  );
}

describe('the rooms', () => {
  test('are all looked at', () => {
    assert.ok(files.length > 30);
    assert.ok([...imports.values()].flat().includes('vscode'));
  });

  test('vscode is imported only by the entry, editor, models and the ui folders', () => {
    assert.deepEqual(
      offences((file, name) => name === 'vscode' && !mayImportVscode.test(file)),
      [],
    );
  });

  test('a pure room does not reach vscode through editor or a ui folder', () => {
    assert.deepEqual(
      offences(
        (file, name) => !mayImportVscode.test(file) && (/^src\/editor\//.test(name) || /^src\/\w+\/ui\//.test(name)),
      ),
      [],
    );
  });

  test('imports point down: no feature imports another, editor and service import no feature', () => {
    assert.deepEqual(
      offences((file, name) => {
        if (!name.startsWith('src/') || file === 'src/extension.ts') return false;
        const [from, to] = [roomOf(file), roomOf(name)];
        return features.includes(to) && from !== to;
      }),
      [],
    );
    assert.deepEqual(
      offences((file, name) => roomOf(file) === 'service' && name.startsWith('src/') && roomOf(name) !== 'service'),
      [],
    );
  });

  test('api.ts stands alone, so that it can be copied', () => {
    assert.deepEqual(imports.get('src/editor/api.ts'), ['vscode']);
    assert.match(readFileSync(join(root, 'src/editor/api.ts'), 'utf8'), /\nimport type \{ Uri \} from 'vscode';/);
  });

  test('webview and host share one file, the protocol', () => {
    assert.deepEqual(
      offences((file, name) => {
        if (!name.startsWith('src/')) return false;
        if (roomOf(file) === 'webview') return roomOf(name) !== 'webview';
        return roomOf(name) === 'webview' && name !== 'src/webview/protocol.ts';
      }),
      [],
    );
  });

  test('the webview bundle holds neither Node nor zod nor undici', () => {
    assert.deepEqual(
      offences((file, name) => roomOf(file) === 'webview' && /^(node:|zod|undici|vscode$)/.test(name)),
      [],
    );
  });

  test('no file is longer than 350 lines', () => {
    const long = files.filter((file) => readFileSync(join(root, file), 'utf8').split('\n').length > 350);
    assert.deepEqual(long, []);
  });
});
