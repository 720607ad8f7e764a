import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parseFromPanel } from '../../../src/chat/ui/panel/panelMessages.ts';
import { strings } from '../../ui/strings.ts';

const source = join(import.meta.dirname, '../..', '..', 'src');

describe('Messages of the chat panel', () => {
  it('are taken as they are when they are exactly of the protocol', () => {
    for (const message of [
      { type: 'ready' },
      { type: 'send', text: 'Why?' },
      { type: 'suggestion', index: 2 },
      { type: 'search', text: 'Where?' },
      { type: 'helpWith', message: 'id' },
      { type: 'regenerate', message: 'id' },
      { type: 'edit', message: 'id', text: 'Why not?' },
      { type: 'choose', message: 'id' },
      { type: 'forkToken', message: 'id', at: 12, other: 19 },
      { type: 'insert', text: 'a', message: 'id' },
      { type: 'continue', message: 'id' },
      { type: 'fork', message: 'id' },
      { type: 'delete', message: 'id' },
      { type: 'openLink', href: 'https://example.com' },
      { type: 'complete', trigger: '@', text: '' },
      { type: 'chooseCompletion', trigger: '/', id: '7', text: 'fix' },
      { type: 'setField', name: 'temperature', text: '0.5' },
      { type: 'sendFile', id: 'id', isSent: false },
      { type: 'resetConfiguration' },
    ]) {
      assert.deepEqual(parseFromPanel(message), message);
    }
  });

  it('are refused when anything is missing, too much, too long or of another type', () => {
    for (const message of [
      undefined,
      null,
      'ready',
      {},
      { type: 'run', command: 'workbench.action.quit' },
      { type: 'send' },
      { type: 'send', text: 7 },
      { type: 'send', text: 'x'.repeat(1_000_001) },
      { type: 'stop', command: 'x' },
      { type: 'edit', message: 'id' },
      { type: 'edit', message: 'id', text: 'x'.repeat(1_000_001) },
      { type: 'choose', message: 'x'.repeat(1000) },
      { type: 'delete', message: 'id', also: 'more' },
      { type: 'forkToken', message: 'id', at: -1, other: 0 },
      { type: 'forkToken', message: 'id', at: 0, other: 20 },
      { type: 'forkToken', message: 'id', at: 0.5, other: 0, text: 'x' },
      { type: 'continue' },
      { type: 'fork', message: 'x'.repeat(65) },
      { type: 'setField', name: 'temperature', text: 2 },
      { type: 'setField', name: 'tools', text: 'x'.repeat(200_001) },
      { type: 'sendFile', id: 'id', isSent: 'yes' },
      { type: 'suggestion', index: -1 },
      { type: 'suggestion', index: 0.5 },
      { type: 'openLink', href: `https://${'x'.repeat(5000)}` },
      { type: 'complete', trigger: '#', text: '' },
      { type: 'complete', trigger: '@', text: 'x'.repeat(201) },
      { type: 'chooseCompletion', trigger: '@', id: 'x'.repeat(65), text: '' },
      [{ type: 'ready' }],
    ]) {
      assert.equal(parseFromPanel(message), undefined, JSON.stringify(message)?.slice(0, 60));
    }
  });
});

describe('Strings of the chat panel', () => {
  const keysIn = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, key]) => key ?? '');
  const sent = new Set(
    keysIn(readFileSync(join(source, 'chat', 'ui', 'panel', 'strings.ts'), 'utf8'), /^ {4}(\w+): l10n\.t/gm),
  );
  const used = new Set(
    ['chat', 'parts'].flatMap((folder) =>
      globSync('**/*.ts', { cwd: join(source, 'webview', folder) }).flatMap((file) =>
        keysIn(readFileSync(join(source, 'webview', folder, file), 'utf8'), /(?:strings\[|say\(|\[busy \? )'(\w+)'/g),
      ),
    ),
  );

  it('are all sent by the host', () => {
    assert.ok(used.size > 20);
    assert.deepEqual(
      [...used].filter((key) => !sent.has(key)),
      [],
    );
  });

  it('are the ones that the tests of the page use', () => {
    assert.deepEqual(Object.keys(strings).sort(), [...sent].sort());
  });
});
