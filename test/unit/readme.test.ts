import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { settingIds } from '../../src/ids.ts';

const root = join(import.meta.dirname, '../..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const strings = Object.keys(JSON.parse(readFileSync(join(root, 'l10n/bundle.l10n.json'), 'utf8')));

describe('the README', () => {
  test('names each message of its troubleshooting table exactly as the code says it', () => {
    const table = readme.slice(readme.indexOf('## Troubleshooting'));
    const messages = [...table.matchAll(/^\| \*(.+?)\* \|/gm)].map((match) => match[1] ?? '');
    assert.ok(messages.length >= 20);
    assert.deepEqual(
      messages.filter((message) => !strings.includes(message)),
      [],
    );
  });

  test('lists every setting', () => {
    assert.deepEqual(
      settingIds.filter((id) => !readme.includes(`\`${id}\``)),
      [],
    );
  });

  test('lists every code with which a command may fail', () => {
    const api = readFileSync(join(root, 'src/editor/api.ts'), 'utf8');
    const codes = [...api.slice(api.indexOf('type ErrorCode')).matchAll(/\| '([\w-]+)'/g)].map(
      (match) => match[1] ?? '',
    );
    assert.ok(codes.length > 30);
    assert.deepEqual(
      codes.filter((code) => !readme.includes(`\`${code}\``)),
      [],
    );
  });

  test('shows pictures that are there and of moderate size', () => {
    const pictures = [...readme.matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map((match) => match[1] ?? '');
    assert.ok(pictures.length >= 4);
    for (const picture of pictures) {
      assert.ok(existsSync(join(root, picture)), picture);
      assert.ok(statSync(join(root, picture)).size < 250_000, picture);
    }
  });
});
