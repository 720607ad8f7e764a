/** Another embedding model is chosen while the index is of the one before. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { commands, Uri, window, workspace } from 'vscode';
import { Command } from '../../../../src/ids/ids.ts';
import type { RecordedRequest, ReferenceService } from '../../../service/options.ts';
import { deleteIndex, folder, indexAll, inputsOf, untilShown, writeScratch } from '../support/codeIndex.ts';
import { closeEditors } from '../support/editors.ts';
import { dialog, notification, press, quickPick, texts, waitFor } from '../support/hands.ts';
import { connectTo, disconnect, setting, startService } from '../support/service.ts';
import { screenshotInThemes } from '../support/themes.ts';
import { until } from '../support/until.ts';

const listTitle = '.quick-input-title';
const next = 'parley-chat-large';

describe('Another embedding model', () => {
  let service: ReferenceService;
  const asked = (): RecordedRequest[] => service.requests.filter(({ path }) => path.endsWith('/embeddings'));
  /** The models that a text was sent to. */
  const modelsOf = (text: string): unknown[] =>
    asked()
      .filter((one) => inputsOf(one).some((input) => input.includes(text)))
      .map(({ body }) => (body as { model?: string }).model);

  before(async () => {
    service = await startService();
    await connectTo(service);
    await deleteIndex();
    writeScratch('ferry.ts', 'export const ferry = "leaves at noon";\n');
    await indexAll();
    await untilShown('files');
  });
  after(async () => {
    await press('Escape');
    await commands.executeCommand(Command.searchClear);
    await closeEditors();
    await deleteIndex();
    rmSync(join(folder(), 'scratch'), { recursive: true, force: true });
    await notification.clear();
    await disconnect();
    await service.close();
  });

  async function save(name: string, text: string): Promise<void> {
    const document = await workspace.openTextDocument(Uri.file(writeScratch(name, '\n')));
    const editor = await window.showTextDocument(document);
    await editor.edit((edit) => edit.insert(document.positionAt(0), text));
    assert.ok(await document.save());
  }

  it('gets no question before it has an index: words answer, the list says why, and offers to index', async () => {
    await commands.executeCommand(Command.searchQuery, 'when does the ferry leave');
    assert.deepEqual(modelsOf('when does the ferry leave'), ['parley-embed']);
    await setting('parley.embeddings.model', next);
    await untilShown('Keywords only');
    await commands.executeCommand(Command.searchQuery);
    await quickPick.filter('at which hour leaves the ferry');
    await quickPick.untilListed('Index Workspace');
    assert.ok((await quickPick.items()).some((label) => label.startsWith('ferry.ts:')));
    assert.match((await texts(listTitle)).join(), /by words, the index is of parley-embed$/);
    await screenshotInThemes('search-other-model');
    assert.deepEqual(modelsOf('at which hour leaves the ferry'), [], 'neither model was asked');
  });

  it('gets nothing of a file that is saved, which is found by its words', async () => {
    await press('Escape');
    await save('barge.ts', 'export const barge = "drifts";\n');
    await until('it is found', async () => {
      const hits = await commands.executeCommand<{ uri: Uri }[]>(Command.searchQuery, 'barge drifts');
      return hits.some(({ uri }) => uri.path.endsWith('barge.ts'));
    });
    assert.deepEqual(modelsOf('drifts'), []);
  });

  it('is offered an index in the results that are kept, too; the row asks before anything is sent, and the next question goes to it', async () => {
    await commands.executeCommand(Command.searchQuery);
    await quickPick.filter('ferry at noon');
    await quickPick.untilListed('Index Workspace');
    await press('Alt+Enter');
    await waitFor('.pane-body .monaco-list-row:has-text("To search by meaning")');
    await screenshotInThemes('search-other-model-kept');
    const before = asked().length;
    await commands.executeCommand(Command.searchQuery);
    await quickPick.filter('ferry at noon');
    await quickPick.choose('Index Workspace');
    assert.match(await dialog.text(), /chunks/);
    assert.equal(asked().length, before, 'nothing was sent before the answer');
    await dialog.press('Build Anew');
    await notification.untilSaid('Indexed');
    await untilShown('files');
    await commands.executeCommand(Command.searchQuery, 'which boat leaves');
    assert.deepEqual(modelsOf('which boat leaves'), [next]);
  });

  it('gets the text of a save that failed with the next save', async () => {
    service.setFault('401');
    await save('raft.ts', 'export const raft = "of logs";\n');
    await untilShown('Indexing failed');
    service.setFault(undefined);
    const answered = (): string[] =>
      asked()
        .filter(({ status }) => status === 200)
        .flatMap(inputsOf);
    assert.ok(!answered().some((text) => text.includes('of logs')));
    await save('canoe.ts', 'export const canoe = "of bark";\n');
    await until('both were sent', () =>
      ['of logs', 'of bark'].every((words) => answered().some((text) => text.includes(words))),
    );
    await untilShown('files');
  });
});
