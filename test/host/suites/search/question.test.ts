import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commands, window } from 'vscode';
import type { IndexResult } from '../../../../src/editor/api.ts';
import { Command, View } from '../../../../src/ids/ids.ts';
import type { ReferenceService } from '../../../service/options.ts';
import { deleteIndex, entry, folder, startIndexing, untilShown, view } from '../support/codeIndex.ts';
import { closeEditors } from '../support/editors.ts';
import {
  attribute,
  click,
  dialog,
  notification,
  press,
  quickPick,
  screenshot,
  texts,
  visible,
  waitFor,
} from '../support/hands.ts';
import { connectTo, disconnect, setting, startService } from '../support/service.ts';
import { until } from '../support/until.ts';

const question = '.monaco-dialog-box .dialog-message-container';

describe('The question before an upload', () => {
  let service: ReferenceService;

  beforeEach(async () => {
    service = await startService();
    await connectTo(service);
    await deleteIndex();
    await commands.executeCommand(`${View.search}.focus`);
  });
  afterEach(async () => {
    await setting('parley.embeddings.pricePerMillionTokens', undefined);
    rmSync(join(folder(), 'scratch'), { recursive: true, force: true });
    await closeEditors();
    await deleteIndex();
    await service.close();
    await notification.clear();
  });
  after(disconnect);

  /** Asks, and leaves the question for the list; the notification that came with it is closed. */
  async function leaveWaiting(): Promise<{ running: Thenable<IndexResult | undefined> }> {
    const running = startIndexing();
    await dialog.press('Show Details');
    await until('the list is open', () => window.activeTextEditor?.document.uri.scheme === 'parley-index');
    await notification.clear();
    await untilShown('Index the workspace?');
    return { running };
  }

  it('waits in the menu of the status entry while the list is read, and is answered there', async () => {
    await setting('parley.embeddings.pricePerMillionTokens', 2);
    const { running } = await leaveWaiting();
    await click(`${entry} a`);
    await quickPick.untilListed('Show the Question');
    const shown = (await texts('.quick-input-list .monaco-list-row')).join('\n');
    assert.match(shown, /\d+ chunks of \d+ files · about [\d,]+ tokens · costs about 0\.\d+/);
    await screenshot('search-question-menu');
    assert.equal(service.requests.length, 0);
    await quickPick.choose('Index Now');
    assert.ok(((await running)?.embedded ?? 0) > 0);
    await untilShown('files');
    await click(`${entry} a`);
    assert.ok(!(await quickPick.items()).includes('Show the Question'));
    await press('Escape');
  });

  it('waits in the view, whose button shows it again', async () => {
    const { running } = await leaveWaiting();
    await waitFor(`${view} .monaco-button:has-text("Show the Question")`);
    assert.equal(await visible(`${view} .monaco-button:has-text("Index Workspace")`), false);
    await screenshot('search-question-view');
    await click(`${view} .monaco-button:has-text("Show the Question")`);
    assert.match(await dialog.text(), /Send \d+ chunks of \d+ files to/);
    await dialog.press('Cancel');
    assert.equal(await running, undefined);
    await waitFor(`${view} .monaco-button:has-text("Index Workspace")`);
    assert.equal(service.requests.length, 0);
  });

  it('is shown again by Index Workspace, and one answer ends all that wait for it', async () => {
    const { running } = await leaveWaiting();
    const again = startIndexing();
    await waitFor(question);
    await dialog.press('Show Details');
    await waitFor(question, { state: 'hidden' });
    // Now the question is left for the list once more.
    await notification.untilSaid('Send ');
    const third = startIndexing();
    await dialog.press('Index Now');
    const [first, second, last] = await Promise.all([running, again, third]);
    assert.ok((first?.embedded ?? 0) > 0);
    assert.deepEqual([second, last], [first, first]);
    await notification.untilSaid('Indexed');
    const said = (await notification.texts()).filter((text) => text.startsWith('Indexed'));
    assert.equal(said.length, 1, 'how it ended is said once');
    assert.equal(new Set(service.requests.map(({ body }) => JSON.stringify(body))).size, service.requests.length);
  });

  it('names no chunks as known before anything was sent, and says one file as one', async () => {
    mkdirSync(join(folder(), 'scratch'), { recursive: true });
    for (const name of ['one', 'two', 'three']) {
      writeFileSync(join(folder(), 'scratch', `${name}.ts`), 'export const same = "in all of them";\n');
    }
    const running = startIndexing();
    const asked = await dialog.text();
    await dialog.press('Cancel');
    await running;
    assert.doesNotMatch(asked, /Reuses cached embeddings/);
    assert.doesNotMatch(asked, /\b1 (files|chunks|tokens|lines)\b|\b1 file (that are|with .* are)\b/);
  });
});

/** Files of one chunk each, all different. */
function writeParts(from: number, to: number): void {
  for (let i = from; i < to; i++) {
    const text = `export const part${i} = ${JSON.stringify('ship '.repeat(20) + i)};\n`;
    writeFileSync(join(folder(), 'scratch', `part${i}.ts`), text);
  }
}

describe('An indexing that meets trouble', () => {
  let service: ReferenceService;
  const asked = () => service.requests.filter(({ path }) => path.endsWith('/embeddings'));

  beforeEach(async () => {
    service = await startService();
    await connectTo(service);
    await deleteIndex();
    mkdirSync(join(folder(), 'scratch'), { recursive: true });
    writeParts(0, 60);
  });
  afterEach(async () => {
    service.setFault(undefined);
    rmSync(join(folder(), 'scratch'), { recursive: true, force: true });
    await deleteIndex();
    await service.close();
    await notification.clear();
  });
  after(disconnect);

  it('goes on by itself after a connection that dropped once', async () => {
    service.setFault('reset-once');
    const running = startIndexing();
    await dialog.press('Index Now');
    assert.ok(((await running)?.embedded ?? 0) >= 60);
    await untilShown('files');
    assert.ok(
      asked().some(({ status }) => status !== 200),
      'a connection dropped',
    );
    assert.ok(!(await notification.texts()).some((text) => text.includes('broke')));
  });

  it('says why it waits and until when while a service that had answered drops its connections, and can be paused meanwhile', async () => {
    // So many that the most are still to be sent when the first came home.
    writeParts(60, 1_500);
    const running = startIndexing();
    await dialog.press('Index Now');
    await service.waitForRequest(
      ({ path, status, finished }) => path.endsWith('/embeddings') && status === 200 && finished,
    );
    service.setFault('reset');
    await untilShown('Indexing waits until');
    const said =
      /^Parley: Code Search · The connection to 127\.0\.0\.1:\d+ broke\. Trying again at .*; [\d,]+ of [\d,]+ chunks are in$/;
    await until('the entry tells why', async () => said.test((await attribute(`${entry} a`, 'aria-label')) ?? ''));
    await screenshot('search-waits-for-connection');
    await commands.executeCommand(Command.searchPause);
    assert.equal(await running, undefined);
    await untilShown('Indexing paused');
    service.setFault(undefined);
    assert.ok(((await commands.executeCommand<IndexResult>(Command.searchResume))?.embedded ?? 0) > 0);
    await untilShown('files');
  });

  it('where it has to stop, Resume is the first button', async () => {
    service.setFault('401');
    const running = startIndexing();
    await dialog.press('Index Now');
    assert.equal(await running, undefined);
    await notification.untilSaid('did not accept the API key');
    const buttons = await texts('.notifications-center .notification-list-item .monaco-button');
    assert.deepEqual(buttons.map((text) => text.trim()).slice(0, 2), ['Resume', 'Set API Key']);
  });

  it('of an index that is whole, nothing is paused, and that is said', async () => {
    const running = startIndexing();
    await dialog.press('Index Now');
    await running;
    await untilShown('files');
    void commands.executeCommand(Command.searchPause);
    await notification.untilSaid('Nothing is being indexed, so there is nothing to pause.');
    await untilShown('files');
  });
});
