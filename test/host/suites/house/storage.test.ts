import assert from 'node:assert/strict';
import { globSync, lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { commands, Selection, Uri, window, workspace } from 'vscode';
import { Command } from '../../../../src/ids/ids.ts';
import type { ReferenceService } from '../../../service/options.ts';
import { closeEditors } from '../support/editors.ts';
import { dialog, notification, visible } from '../support/hands.ts';
import { connectTo, disconnect, startService } from '../support/service.ts';
import { subject } from '../support/subject.ts';
import { until } from '../support/until.ts';

const folder = (): string => workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';

/** The folders that VS Code gives Parley: the run has a folder of its own for all that VS Code keeps. */
function storages(): string[] {
  const found = globSync('data/{,data/}{User/{globalStorage,workspaceStorage/*},logs/**}/parley.parley', {
    cwd: dirname(folder()),
  });
  return found.map((path) => join(dirname(folder()), path));
}

function walk(path: string): string[] {
  const inside = lstatSync(path).isDirectory() ? readdirSync(path).map((name) => join(path, name)) : [];
  return [path, ...inside.flatMap(walk)];
}

/** What others on the machine could read of Parley's files. Of the log, which VS Code writes, the folder keeps them out. */
function open(): string[] {
  return storages()
    .flatMap((folder) => (folder.includes(`${sep}logs${sep}`) ? [folder] : walk(folder)))
    .flatMap((path) => {
      const stats = lstatSync(path);
      const mode = stats.mode & 0o777;
      return mode === (stats.isDirectory() ? 0o700 : 0o600) ? [] : [`${path} ${mode.toString(8)}`];
    });
}

describe('What Parley keeps on this machine', () => {
  let service: ReferenceService;
  before(async () => {
    await subject().activate();
    service = await startService();
    await connectTo(service);
    await notification.clear();
  });
  after(async () => {
    await commands.executeCommand(Command.editRejectSet);
    await closeEditors();
    rmSync(join(folder(), 'changed.ts'));
    await notification.clear();
    await disconnect();
    await service.close();
  });

  it('is for its user alone, after chat, edits, search and audio have written', async () => {
    await commands.executeCommand('parley.chat.ask', 'What is a harbour?', { newConversation: true });
    const recording = join(folder(), 'recordings', 'kept.ogg');
    // A few bytes behind its end make another recording of it.
    const spoken = readFileSync(join(folder(), 'recordings', 'aviso.ogg'));
    writeFileSync(recording, Buffer.concat([spoken, Buffer.from(`#${Date.now() % 1e9}`)]));
    await commands.executeCommand('parley.audio.translate', Uri.file(recording));
    const indexing = commands.executeCommand('parley.search.index');
    let isIndexed = false;
    void indexing.then(() => {
      isIndexed = true;
    });
    await until('the question about the upload, or the end', async () => isIndexed || visible('.monaco-dialog-box'));
    if (!isIndexed) await dialog.press('Index Now');
    await indexing;
    const changed = join(folder(), 'changed.ts');
    writeFileSync(changed, 'use(tide);\nuse(keel);\nend(tide);\n');
    const editor = await window.showTextDocument(Uri.file(changed));
    editor.selection = new Selection(0, 0, 3, 0);
    await commands.executeCommand(Command.editStart, { instruction: 'rename tide to flood' });
    await commands.executeCommand(Command.editAccept, Uri.file(changed), 0);
    const written = ['conversations', 'search/index.db', 'search/vectors.db', 'vectorCache.db'];
    for (const part of [...written, 'proposed/', 'checkpoints/']) {
      await until(`${part} is there`, () =>
        storages()
          .flatMap(walk)
          .some((name) => name.includes(part)),
      );
    }
    await until('others can read none of it', () => open().length === 0).catch(() => assert.deepEqual(open(), []));
    const parents = storages().map((path) => lstatSync(dirname(path)).mode & 0o777);
    assert.ok(
      parents.some((mode) => mode !== 0o700),
      "the folders above are VS Code's, and stay as they were",
    );
  });
});
