import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { commands, Uri, window } from 'vscode';
import { Command } from '../../../../src/ids/ids.ts';
import { folder, writeScratch } from '../support/codeIndex.ts';
import { closeEditors } from '../support/editors.ts';
import { notification } from '../support/hands.ts';
import { connectTo, disconnect, setting, startService } from '../support/service.ts';
import { until } from '../support/until.ts';

const write = (path: string, content: string): Uri => Uri.file(writeScratch(path, content));

describe('Why Is This File (Not) Indexed?', () => {
  let service: Awaited<ReturnType<typeof startService>>;

  const why = (uri?: Uri): Thenable<string> => commands.executeCommand<string>(Command.searchWhyFile, uri);
  const paths = async (query: string): Promise<string[]> => {
    const hits = await commands.executeCommand<{ uri: Uri }[]>(Command.searchQuery, query);
    return hits.map(({ uri }) => uri.fsPath);
  };

  beforeEach(async () => {
    service = await startService();
    await connectTo(service);
  });
  afterEach(async () => {
    await closeEditors();
    rmSync(join(folder(), 'scratch'), { recursive: true, force: true });
    await service.close();
    await notification.clear();
  });
  after(disconnect);

  it('tells of the file in the active editor that it is indexed, or waits to be', async () => {
    const uri = write('lantern.ts', 'export const lantern = 1;\n');
    await window.showTextDocument(uri);
    assert.match(await why(), /lantern\.ts (is indexed as it was on|belongs to the index)/);
    // What another program writes is known when VS Code's watcher tells of it.
    await until('the file is found', async () => (await paths('lantern')).includes(uri.fsPath));
    assert.match(await why(), /lantern\.ts is indexed as it was on .*: 1 chunk\. It is found by keywords\./);
    await notification.untilSaid('lantern.ts is indexed');
  });

  it('names the rule of a chosen file, and opens it at its line', async () => {
    write('.parleyignore', '# not for the index\ndrafts/\n');
    const uri = write('drafts/idea.md', '# An idea\n');
    assert.match(await why(uri), /idea\.md is not indexed: line 2 of \.parleyignore says “drafts\/”\./);
    await notification.press('Open File');
    await until('the ignore file is open', () => window.activeTextEditor?.document.fileName.endsWith('.parleyignore'));
    assert.equal(window.activeTextEditor?.selection.active.line, 1);
  });

  it('tells the kind of a secret and its line, never its text', async () => {
    const uri = write('keys.ts', `const a = 1;\nconst key = 'AKIA${'QWERTYUI98765432'}';\n`);
    const sentence = await why(uri);
    assert.match(sentence, /keys\.ts is not indexed: line 2 holds what looks like a key of AWS\./);
    assert.doesNotMatch(sentence, /QWERTY/);
  });

  it('tells what is left out of a source file with a sample key, and leads to its line', async () => {
    const filler = (name: string): string =>
      Array.from({ length: 80 }, (_, at) => `export function ${name}${at}() {\n  return ${at};\n}\n`).join('\n');
    const uri = write(
      'sample.test.ts',
      `${filler('mizzen')}const key = 'AKIA${'QWERTYUI98765432'}';\n${filler('jib')}`,
    );
    await until('the file is found', async () => (await paths('mizzen3')).includes(uri.fsPath));
    const sentence = await why(uri);
    assert.match(
      sentence,
      /is indexed as .*Left out is what stands about line 320, which holds what looks like a key of AWS\./,
    );
    await notification.press('Open File');
    await until('it is shown', () => window.activeTextEditor?.selection.active.line === 319);
  });

  it('a setting that leaves files out takes effect at once, and is named', async () => {
    const uri = write('harpoon.ts', 'export const harpoon = 1;\n');
    await until('the file is found', async () => (await paths('harpoon')).includes(uri.fsPath));
    try {
      await setting('parley.search.exclude', ['harpoon.*']);
      await until('the file is gone', async () => !(await paths('harpoon')).includes(uri.fsPath));
      assert.match(await why(uri), /the setting parley\.search\.exclude names “harpoon\.\*”/);
    } finally {
      await setting('parley.search.exclude', undefined);
    }
    await until('the file is back', async () => (await paths('harpoon')).includes(uri.fsPath));
  });

  it('a new .parleyignore takes effect at once', async () => {
    const uri = write('gallery/anchor.ts', 'export const anchorage = 1;\n');
    await until('the file is found', async () => (await paths('anchorage')).includes(uri.fsPath));
    write('.parleyignore', 'gallery\n');
    await until('the file is gone', async () => !(await paths('anchorage')).includes(uri.fsPath));
  });

  it('a file that is no part of the workspace is said to be none', async () => {
    assert.match(await why(Uri.file('/etc/hostname')), /it is no file of this workspace/);
  });
});
