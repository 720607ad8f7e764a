/** The folder of the index, which somebody deletes while VS Code runs. */
import assert from 'node:assert/strict';
import { existsSync, globSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { commands, Position, Uri, window, workspace } from 'vscode';
import { Command } from '../../../../src/ids/ids.ts';
import type { ReferenceService } from '../../../service/options.ts';
import { deleteIndex, folder, indexAll, inputsOf, untilShown, writeScratch } from '../support/codeIndex.ts';
import { closeEditors } from '../support/editors.ts';
import { dialog, notification } from '../support/hands.ts';
import { connectTo, disconnect, startService } from '../support/service.ts';
import { until } from '../support/until.ts';

/** The indexes that VS Code has a folder for: the run has a folder of its own for all that VS Code keeps. */
const indexes = (): string[] =>
  globSync('data/{,data/}User/workspaceStorage/*/parley.parley/search', { cwd: dirname(folder()) }).map((path) =>
    join(dirname(folder()), path),
  );

describe('An index that vanishes underneath', () => {
  let service: ReferenceService;
  const sent = (): string[] => service.requests.filter(({ path }) => path.endsWith('/embeddings')).flatMap(inputsOf);

  before(async () => {
    service = await startService();
    await connectTo(service);
    await deleteIndex();
    writeScratch('ferry.ts', 'export const ferry = "leaves at noon";\n');
  });
  after(async () => {
    await closeEditors();
    await deleteIndex();
    rmSync(join(folder(), 'scratch'), { recursive: true, force: true });
    await notification.clear();
    await disconnect();
    await service.close();
  });

  async function save(text: string): Promise<void> {
    const document = await workspace.openTextDocument(Uri.file(join(folder(), 'scratch', 'ferry.ts')));
    const editor = await window.showTextDocument(document);
    await editor.edit((edit) => edit.insert(new Position(0, 0), text));
    assert.ok(await document.save());
  }

  it('is built anew with the next save, of the vectors that this machine has: only what was saved is sent', async () => {
    const { files } = await indexAll();
    const before = sent().length;
    for (const path of indexes()) rmSync(path, { recursive: true });
    await save('// The captain of the zeppelin.\n');
    await until('it is there again', () => indexes().some((path) => existsSync(join(path, 'index.db'))));
    await until('what was saved is sent', () => sent().length > before);
    await untilShown(`${files} files`);
    const since = sent().slice(before);
    assert.ok(
      since.every((text) => text.includes('zeppelin')),
      since.join('\n'),
    );
    const hits = await commands.executeCommand<{ text: string }[]>(Command.searchQuery, 'zeppelin');
    assert.ok(hits.some(({ text }) => text.includes('zeppelin')));
    assert.equal(sent().at(-1), 'zeppelin');
  });

  it('stays deleted where the user deletes it, whatever is saved', async () => {
    const removing = commands.executeCommand(Command.searchDeleteIndex);
    await dialog.press('Delete Index');
    await removing;
    const before = sent().length;
    await save('// The mate.\n');
    await untilShown('Not indexed');
    assert.equal(sent().length, before);
    assert.deepEqual(indexes(), []);
  });
});
