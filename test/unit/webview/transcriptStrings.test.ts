import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { transcriptStrings } from '../../ui/strings.ts';

const source = join(import.meta.dirname, '../../../src');
const keysIn = (file: string, pattern: RegExp): string[] =>
  [...readFileSync(join(source, file), 'utf8').matchAll(pattern)].map(([, key]) => key ?? '');

describe('Strings of the page of a transcript', () => {
  const list = readFileSync(join(source, 'audio/ui/transcript/panel/panelMessages.ts'), 'utf8');
  const sent = [...list.matchAll(/^ {4}(\w+): (?:l10n\.t|env\.|openExtraFields)/gm)].map(([, key]) => key ?? '');
  const parts = ['findBar', 'menuButton'].map((name) => `webview/parts/${name}.ts`);
  const files = [...globSync('webview/transcript/**/*.ts', { cwd: source }), ...parts];
  const used = files.flatMap((file) => keysIn(file, /(?:strings\[|phrase\(|isPlaying \? )'(\w+)'/g));

  it('are all sent by the host', () => {
    assert.ok(used.length > 40, String(used.length));
    assert.deepEqual(
      used.filter((key) => !sent.includes(key)),
      [],
    );
  });

  it('are all used', () => {
    assert.deepEqual(
      sent.filter((key) => !used.includes(key)),
      [],
    );
  });

  it('are the ones that the tests of the page use', () => {
    assert.deepEqual(Object.keys(transcriptStrings).sort(), [...sent].sort());
  });
});
