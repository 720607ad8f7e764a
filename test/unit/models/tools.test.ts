import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { markdownText } from '../../../src/editor/text/markdownText.ts';
import { hitText, transcriptLines } from '../../../src/models/tools/toolText.ts';
import { withinBudget } from '../../../src/models/tools/withinBudget.ts';
import { findWorkspaceFile } from '../../../src/models/tools/workspaceFile.ts';

describe('a hit, as a model reads it', () => {
  test('is its place and its lines, fenced', () => {
    const text = hitText('src/a.ts', { startLine: 3, endLine: 4, text: 'one\ntwo\n' });
    assert.equal(text, 'src/a.ts:3-4\n```ts\none\ntwo\n```');
  });

  test('has a fence longer than any inside, so that code cannot end it', () => {
    const text = hitText('README', { startLine: 1, endLine: 1, text: '````\nx\n````' });
    assert.equal(text, 'README:1-1\n`````\n````\nx\n````\n`````');
  });
});

describe('what a model wrote, in a question to the user', () => {
  test('stays text in Markdown, whatever it holds', () => {
    assert.equal(markdownText('a `b` \n\n# ![c] d'), 'a \\`b\\` \\# \\!\\[c\\] d');
    assert.equal(markdownText('see https://a.b, www.a.b and c@d.e'), 'see https\\://a.b, www\\.a.b and c\\@d.e');
    assert.equal(markdownText('1. one'), '1\\. one');
  });
});

describe('a transcript, as a model reads it', () => {
  test('has each segment after its second, or the text alone', () => {
    const segments = [
      { start: 0, end: 2, text: ' Hello. ' },
      { start: 61.25, end: 62, text: 'Bye.' },
    ];
    assert.deepEqual(transcriptLines({ text: 'x', segments }), ['[0.0 s] Hello.', '[61.3 s] Bye.']);
    assert.deepEqual(transcriptLines({ text: 'One\ntwo' }), ['One', 'two']);
  });
});

describe('an answer within its budget', () => {
  const budget = (tokenBudget: number) => ({ tokenBudget, countTokens: async (text: string) => text.length });
  const leftOut = (count: number): string => `(${count} more)`;
  const blocks = ['a'.repeat(10), 'b'.repeat(10), 'c'.repeat(10)];

  test('is whole where there is room, or no budget', async () => {
    assert.equal(await withinBudget(blocks, '\n', undefined, leftOut), blocks.join('\n'));
    assert.equal(await withinBudget(blocks, '\n', budget(60), leftOut), blocks.join('\n'));
  });

  test('is cut between blocks, says how many are missing, and is never over', async () => {
    for (let room = 8; room < 45; room++) {
      const text = await withinBudget(blocks, '\n', budget(room), leftOut);
      assert.ok(text.length <= room, `${text.length} of ${room}`);
      if (text !== blocks.join('\n')) assert.match(text, /\(\d more\)$/);
    }
  });
});

describe('the file that a model names', () => {
  const base = mkdtempSync(join(tmpdir(), 'parley-models-'));
  const root = { name: 'work', path: join(base, 'work') };
  const other = { name: 'other', path: join(base, 'other') };
  for (const folder of [join(root.path, 'audio'), other.path]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(root.path, 'audio', 'a.wav'), '12345');
  writeFileSync(join(other.path, 'b.wav'), '1');
  writeFileSync(join(base, 'secret.wav'), 'secret');
  symlinkSync(join(base, 'secret.wav'), join(root.path, 'link.wav'));
  symlinkSync(join(root.path, 'audio'), join(root.path, 'inner'));
  after(() => rmSync(base, { recursive: true, force: true }));

  const problemOf = async (path: string, roots = [root]): Promise<string> => {
    const found = await findWorkspaceFile(path, roots);
    return found.ok ? 'none' : found.problem;
  };

  test('is found by its way from the folder, and by its whole path', async () => {
    const path = join(root.path, 'audio', 'a.wav');
    assert.deepEqual(await findWorkspaceFile('audio/a.wav', [root]), { ok: true, path, size: 5 });
    assert.deepEqual(await findWorkspaceFile(path, [root]), { ok: true, path, size: 5 });
    assert.equal((await findWorkspaceFile('inner/a.wav', [root])).ok, true, 'a link that stays inside');
  });

  test('is found in any of several folders, with the folder’s name in front or without', async () => {
    for (const path of ['b.wav', 'other/b.wav', 'work/audio/a.wav', 'audio/a.wav'])
      assert.equal(await problemOf(path, [root, other]), 'none', path);
  });

  test('is refused when it leads out, by its name or by a link', async () => {
    for (const path of ['../secret.wav', 'audio/../../secret.wav', join(base, 'secret.wav'), 'link.wav', '/etc/passwd'])
      assert.equal(await problemOf(path), 'outside', path);
    assert.equal(await problemOf('../work-2/x.wav'), 'outside');
    assert.equal(await problemOf('audio/a.wav', []), 'outside');
  });

  test('is refused when it is missing, or no file', async () => {
    assert.equal(await problemOf('audio/none.wav'), 'missing');
    assert.equal(await problemOf('audio'), 'not-a-file');
    assert.equal(await problemOf('.'), 'not-a-file');
  });
});
