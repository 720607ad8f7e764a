/** A file with the vectors of a workspace, written and taken by hand and by the setting. */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { commands } from 'vscode';
import { Command } from '../../../../src/ids/ids.ts';
import type { ReferenceService } from '../../../service/options.ts';
import { withHeader } from '../../../support/sharedFiles.ts';
import {
  deleteIndex,
  folder,
  indexAll,
  inputsOf,
  startIndexing,
  untilShown,
  writeScratch,
} from '../support/codeIndex.ts';
import { dialog, fileDialog, notification, press, quickPick } from '../support/hands.ts';
import { connectTo, disconnect, setting, startService } from '../support/service.ts';
import { screenshotInThemes } from '../support/themes.ts';
import { until } from '../support/until.ts';

describe('A shared file', () => {
  let service: ReferenceService;
  const path = (): string => join(folder(), `${basename(folder())}.parley-index`);
  const sent = (): string[] => service.requests.filter((each) => each.path.endsWith('/embeddings')).flatMap(inputsOf);
  const said = (text: string): Promise<unknown> =>
    until(`it is said: ${text}`, async () => (await notification.texts()).some((each) => each.includes(text)));
  /** Chooses the file in the command that takes one. */
  async function importFile(): Promise<Thenable<unknown>> {
    const importing = commands.executeCommand(Command.searchImport);
    await quickPick.choose('From a File…');
    await fileDialog.choose('Import Index', `${folder()}/`, path());
    return Promise.resolve(importing);
  }

  before(async () => {
    service = await startService();
    await connectTo(service);
    await deleteIndex();
    writeScratch('ferry.ts', 'export const ferry = "leaves at noon";\n');
    writeScratch('pier.ts', 'export const pier = "seven";\n');
    await indexAll();
    await untilShown('files');
  });
  after(async () => {
    for (const id of ['parley.search.sharedFile', 'parley.search.sharedFileKey'] as const) await setting(id, undefined);
    await deleteIndex();
    rmSync(join(folder(), 'scratch'), { recursive: true, force: true });
    rmSync(path(), { force: true });
    await notification.clear();
    await disconnect();
    await service.close();
  });

  it('is written by Export Index…, and holds nothing of the code', async () => {
    const exporting = commands.executeCommand(Command.searchExport);
    await fileDialog.choose('Export Index', path(), path());
    await quickPick.untilListed('Without a Signature');
    await screenshotInThemes('shared-file-sign');
    // It is the first of the list.
    await press('Enter');
    await exporting;
    await said(`are in ${basename(path())}`);
    await screenshotInThemes('shared-file-exported');
    await notification.clear();
    for (const word of ['noon', 'ferry', folder()]) assert.ok(!readFileSync(path()).includes(word), word);
  });

  it('is taken by Import Index…, so that nothing of the code is sent', async () => {
    await deleteIndex();
    const before = sent().length;
    const importing = importFile();
    await until('the question is asked', async () => (await dialog.text()).includes('Send what you search for to'));
    await screenshotInThemes('shared-file-question');
    await dialog.press('Index Now');
    await importing;
    await said('got their vectors from the shared file');
    await notification.clear();
    assert.deepEqual(sent().slice(before), []);
    assert.match(
      JSON.stringify(await commands.executeCommand('parley.search.query', 'at which hour leaves the ferry')),
      /ferry\.ts/,
    );
  });

  it('of the setting is taken before the service is asked, at a path in the folder', async () => {
    await deleteIndex();
    await setting('parley.search.sharedFile', `${'$'}{workspaceFolderBasename}.parley-index`);
    writeScratch('new.ts', 'export const lighthouse = "at the cape";\n');
    const before = sent().length;
    const running = startIndexing();
    await until('the question is asked', async () => (await dialog.text()).includes('Send 1 chunk of 1 file to'));
    await dialog.press('Index Now');
    await running;
    await said('got their vectors from the shared file');
    await notification.clear();
    assert.deepEqual(
      sent()
        .slice(before)
        .map((text) => text.includes('lighthouse')),
      [true],
    );
  });

  it('that is damaged, or not signed as it has to be, is told of, and the question has all that would be sent', async () => {
    const whole = readFileSync(path());
    const { publicKey } = generateKeyPairSync('ed25519');
    const key = publicKey.export({ type: 'spki', format: 'pem' }).toString();
    for (const [content, signedBy, words] of [
      [whole.subarray(0, -7), undefined, 'damaged or was cut off, so nothing of it was taken'],
      [whole, key, 'not signed, and only a signed one is taken here'],
      [whole, 'no key', 'takes an Ed25519 key as PEM'],
    ] as const) {
      await deleteIndex();
      writeFileSync(path(), content);
      await setting('parley.search.sharedFileKey', signedBy);
      const running = startIndexing();
      await until('the question is asked', async () => /Send \d+ chunks of/.test(await dialog.text()));
      await dialog.dismiss();
      await running;
      await said(words);
      await notification.clear();
    }
    await setting('parley.search.sharedFile', undefined);
    await setting('parley.search.sharedFileKey', undefined);
    writeFileSync(path(), whole);
  });

  it('of another service is taken after a yes alone; one of another model never', async () => {
    const whole = readFileSync(path());
    await deleteIndex();
    writeFileSync(path(), withHeader(whole, { origin: 'https://elsewhere.example' }));
    const importing = importFile();
    await until('it is asked', async () => (await dialog.text()).includes('https://elsewhere.example gave them'));
    await screenshotInThemes('shared-file-service');
    await dialog.press('Take Them');
    await until('the question is asked', async () => (await dialog.text()).includes('Send'));
    await dialog.press('Index Now');
    await importing;
    await said('got their vectors from the shared file');
    await notification.clear();

    await deleteIndex();
    writeFileSync(path(), withHeader(whole, { model: 'another-model' }));
    await importFile();
    await said('has vectors of the model another-model, and another one is chosen here');
    await notification.clear();
    writeFileSync(path(), whole);
  });
});
