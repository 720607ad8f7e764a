/** A workspace of several folders, to which one is added. */
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { commands, Position, Uri, window, workspace } from 'vscode';
import { Command } from '../../../../src/ids/ids.ts';
import type { ReferenceService } from '../../../service/options.ts';
import { deleteIndex, folder, indexAll, inputsOf, startIndexing, untilShown } from '../support/codeIndex.ts';
import { closeEditors } from '../support/editors.ts';
import { dialog, notification, screenshot } from '../support/hands.ts';
import { connectTo, disconnect, startService } from '../support/service.ts';
import { until } from '../support/until.ts';

const third = (): string => join(dirname(folder()), 'third');

describe('A folder that is added to a workspace', () => {
  let service: ReferenceService;
  const sent = (): string[] => service.requests.filter(({ path }) => path.endsWith('/embeddings')).flatMap(inputsOf);
  const isOpen = (): boolean => workspace.workspaceFolders?.some(({ uri }) => uri.fsPath === third()) === true;

  before(async () => {
    service = await startService();
    await connectTo(service);
    await deleteIndex();
    mkdirSync(third(), { recursive: true });
    writeFileSync(join(third(), 'galley.ts'), 'export const galley = "soup";\n');
    writeFileSync(join(folder(), 'ferry.ts'), 'export const ferry = "leaves at noon";\n');
    await indexAll();
  });
  after(async () => {
    await closeEditors();
    if (isOpen()) await close();
    rmSync(third(), { recursive: true, force: true });
    rmSync(join(folder(), 'ferry.ts'), { force: true });
    await deleteIndex();
    await notification.clear();
    await disconnect();
    await service.close();
  });

  /** Changes the folders, and waits until VS Code has told all extensions: it lists them as changed before that. */
  async function change(
    ...[at, removed, ...added]: Parameters<typeof workspace.updateWorkspaceFolders>
  ): Promise<void> {
    const told = new Promise((resolve) => {
      const listening = workspace.onDidChangeWorkspaceFolders((event) => {
        listening.dispose();
        resolve(event);
      });
    });
    assert.ok(workspace.updateWorkspaceFolders(at, removed, ...added));
    await told;
  }
  const open = (): Promise<void> => change(workspace.workspaceFolders?.length ?? 0, 0, { uri: Uri.file(third()) });
  const close = (): Promise<void> =>
    change(workspace.workspaceFolders?.findIndex(({ uri }) => uri.fsPath === third()) ?? -1, 1);
  async function save(path: string, text: string): Promise<void> {
    const editor = await window.showTextDocument(await workspace.openTextDocument(Uri.file(path)));
    await editor.edit((edit) => edit.insert(new Position(0, 0), text));
    assert.ok(await editor.document.save());
  }
  const find = (text: string) => commands.executeCommand<{ text: string; why: string }[]>(Command.searchQuery, text);

  it('leaves the others as they are: they are found by meaning, and what changes in them is sent', async () => {
    await open();
    const before = sent().length;
    await save(join(folder(), 'ferry.ts'), '// The captain of the zeppelin.\n');
    await until('what was saved is sent', () =>
      sent()
        .slice(before)
        .some((text) => text.includes('zeppelin')),
    );
    await find('boats that float');
    assert.equal(sent().at(-1), 'boats that float');
  });

  it('is found by words, and nothing of it is sent', async () => {
    const before = sent().length;
    await save(join(third(), 'galley.ts'), '// The cook of the submarine.\n');
    await until('it is found', async () => (await find('submarine')).some(({ text }) => text.includes('cook')));
    assert.deepEqual(
      sent()
        .slice(before)
        .filter((text) => text !== 'submarine'),
      [],
    );
  });

  it('is what the question is about, which names it, and so does the list before indexing', async () => {
    const before = sent().length;
    const running = startIndexing();
    assert.match(await dialog.text(), /New here: third\. You agreed to the other folders before\./);
    await screenshot('search-new-folder');
    await dialog.press('Show Details');
    const shown = await until('the list is open', () =>
      window.activeTextEditor?.document.uri.scheme === 'parley-index' ? window.activeTextEditor.document : undefined,
    );
    assert.match(shown.getText(), /^third\/galley\.ts · 1 chunk, about \d+ tokens$/m);
    assert.match(shown.getText(), /^Needs no request: .*\n\n(?:.*\n)*workspace\/ferry\.ts · 1 chunk$/m);
    assert.equal(sent().length, before);
    await close();
    await notification.untilSaid('The folders of this workspace are others now, so nothing was sent.');
    assert.equal(await running, undefined);
    assert.equal(sent().length, before);
    await notification.clear();
  });

  it('is sent once that is agreed to', async () => {
    await open();
    const before = sent().length;
    const running = startIndexing();
    await dialog.press('Index Now');
    assert.equal((await running)?.embedded, 1);
    assert.match(sent().slice(before).join(), /galley/);
    await untilShown('files');
  });
});
