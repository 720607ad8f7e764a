import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { commands, workspace } from 'vscode';
import type { SearchHit } from '../../../../src/editor/api.ts';
import { Command } from '../../../../src/ids/ids.ts';
import type { ReferenceService } from '../../../service/options.ts';
import { deleteIndex, folder, writeScratch } from '../support/codeIndex.ts';
import { closeEditors } from '../support/editors.ts';
import { inputBox, notification, press, quickPick, screenshot, text, type, waitFor } from '../support/hands.ts';
import { connectTo, disconnect, startService } from '../support/service.ts';
import { screenshotInThemes } from '../support/themes.ts';
import { until } from '../support/until.ts';

/** The files of the scratch folder that a question finds, by their paths in it. */
async function find(question: string): Promise<string[]> {
  const hits = await commands.executeCommand<SearchHit[]>(Command.searchQuery, question);
  return hits
    .map(({ uri }) => workspace.asRelativePath(uri))
    .filter((path) => path.startsWith('scratch/'))
    .map((path) => path.slice('scratch/'.length));
}

describe('What is typed in a question to narrow it', () => {
  let service: ReferenceService;

  before(async () => {
    service = await startService();
    await connectTo(service);
    await deleteIndex();
    writeScratch('packages/curl/.github/workflows/lint.yml', 'name: quagga herd\n');
    writeScratch('plain/herd.ts', 'export const herd = "the quagga herd is asleep";\n');
    writeScratch(
      'plain/quagga.py',
      'def from_quagga(herd):\n    return herd\n\n\ndef quagga_from(herd):\n    return herd\n',
    );
    writeScratch('plain/names.ts', 'export class QuaggaHerd {}\nexport function countQuaggas() {}\n');
    await commands.executeCommand(Command.searchRefresh);
  });
  afterEach(async () => {
    await commands.executeCommand('workbench.action.closeQuickOpen');
    await commands.executeCommand(Command.searchClear);
    await closeEditors();
    await notification.clear();
  });
  after(async () => {
    rmSync(join(folder(), 'scratch'), { recursive: true, force: true });
    await deleteIndex();
    await disconnect();
    await service.close();
  });

  it('takes folders with a dot for folders', async () => {
    assert.ok((await find('quagga herd')).includes('packages/curl/.github/workflows/lint.yml'));
    assert.ok(!(await find('quagga herd -path:packages/')).some((path) => path.startsWith('packages/')));
    assert.deepEqual(await find('quagga herd path:.github/'), ['packages/curl/.github/workflows/lint.yml']);
  });

  it('holds hits to a phrase, an expression, a symbol, and leaves out what NOT names', async () => {
    assert.deepEqual(await find('“quagga herd is”'), ['plain/herd.ts']);
    assert.deepEqual(await find(String.raw`/from_qu\w+/`), ['plain/quagga.py']);
    assert.deepEqual(await find('symbol:QuaggaHerd'), ['plain/names.ts']);
    assert.ok(!(await find('quagga herd NOT asleep')).includes('plain/herd.ts'));
    assert.equal((await find('Error: the quagga herd is asleep'))[0], 'plain/herd.ts');
  });

  it('is offered in the filter box, and is put into the question', async () => {
    await commands.executeCommand(Command.searchQuery);
    await waitFor('.quick-input-widget .quick-input-box input:focus');
    await type('quagga');
    await until('hits are listed', async () =>
      (await quickPick.items().catch(() => [])).some((one) => /:\d+$/.test(one)),
    );
    await press('Shift+Alt+F');
    await quickPick.untilListed('Regular Expression');
    await screenshotInThemes('search-operators');
    await quickPick.choose('Phrase');
    await inputBox.enter('herd is asleep', 'Phrase');
    await until('the phrase narrows the list', async () => {
      const labels = (await quickPick.items().catch(() => [])).filter((label) => /:\d+$/.test(label));
      return labels.length === 1 && labels[0] === 'herd.ts:1';
    });
  });

  it('says in a sentence what is no expression', async () => {
    await commands.executeCommand(Command.searchQuery);
    await waitFor('.quick-input-widget .quick-input-box input:focus');
    await type('/from_(quagga/');
    await until('the sentence is there', async () => /is no regular expression/.test(await text('.quick-input-list')));
    await screenshot('search-bad-expression');
  });
});
