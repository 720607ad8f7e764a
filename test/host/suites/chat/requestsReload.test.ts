/** What `leaveRequests.ts` has left of requests and answers. */
import assert from 'node:assert/strict';
import { commands, TabInputText, TabInputTextDiff, Uri, window } from 'vscode';
import { Command } from '../../../../src/ids/ids.ts';
import type { ReferenceService } from '../../../service/options.ts';
import { asked, markedFile, startKeyless } from '../leaveRequests.ts';
import { chat, view } from '../support/chatPanel.ts';
import {
  click,
  notification,
  press,
  quickPick,
  screenshot,
  text,
  texts,
  value,
  visible,
  waitFor,
} from '../support/hands.ts';
import { disconnect } from '../support/service.ts';
import { until } from '../support/until.ts';

/** The column of a model. */
const of = (model: string): string => `.column:has(h3:text-is(${JSON.stringify(model)}))`;
const columns = (): Promise<string[]> => texts('.column .markdown', view);

async function open(title: string): Promise<void> {
  void commands.executeCommand(Command.chatOpen);
  await quickPick.choose(title);
  await until('it is shown', async () => (await chat.questions())[0] === title);
}

describe('Requests and answers, after a reload of the window', () => {
  let service: ReferenceService;

  before(async () => {
    service = await startKeyless(true);
  });
  afterEach(() => press('Escape'));
  after(async () => {
    await service.close();
    await disconnect();
  });

  it('have each column as it was, of which none is being written, and go on with the one that was', async () => {
    await waitFor('.answer .versions:has-text("/ 3")', view);
    assert.equal(await visible('.composer [aria-label="Stop"]', view), false);
    await click('.answer [aria-label="Show Versions Side by Side"]', view);
    await waitFor(`${of('parley-chat')}:has-text("word40")`, view);
    await waitFor(`${of('parley-chat-fault-400')} .error`, view);
    await waitFor(`${of('large-fault-hold')}:has-text("word1"):has-text("Cut off by a reload")`, view);
    assert.equal(await visible('.column .streaming', view), false);
    await screenshot('columns-reloaded');
    await click(`${of('large-fault-hold')} .button:text-is("Go On With This")`, view);
    await waitFor('.stage', view);
    await chat.press('Continue');
    await until('it goes on', () => {
      service.release();
      return asked(service).length === 1;
    });
    await until('it has ended', async () => {
      service.release();
      return !(await visible('.answer.streaming', view));
    });
    assert.match((await chat.answers()).join(), /^word1 word2/);
    assert.deepEqual(
      asked(service).map(({ model }) => model),
      ['large-fault-hold'],
    );
  });

  it('leave no tab whose text is gone, and restore a request that is there', async () => {
    const documents = () =>
      window.tabGroups.all
        .flatMap(({ tabs }) => tabs.map(({ input }) => input))
        .flatMap((input) =>
          input instanceof TabInputText ? [input.uri] : input instanceof TabInputTextDiff ? [input.original] : [],
        )
        .filter(({ scheme }) => scheme.startsWith('parley-'));
    await until('one is left', () => documents().length === 1).catch(() =>
      assert.deepEqual(documents().map(String), ['the request alone']),
    );
    await window.showTextDocument(documents()[0] ?? Uri.file('/'));
    assert.equal((JSON.parse(window.activeTextEditor?.document.getText() ?? '') as { n: number }).n, 3);
    await screenshot('request-reloaded');
  });

  it('have all versions of one request', async () => {
    await open('say: thrice');
    await waitFor('.answer .versions:has-text("1 / 3")', view);
    await click('.answer [aria-label="Show Versions Side by Side"]', view);
    await until('all are whole', async () => (await columns()).join() === 'thrice,thrice,thrice');
  });

  it('have the preset and the schema that were chosen, and the answer as a tree', async () => {
    await open('say: [7]');
    await waitFor('.data-row:has-text("0: 7") .data-fault:has-text("must be string, is number")', view);
    assert.equal(await text('.model-name', view), 'parley-chat-large');
    await commands.executeCommand(Command.chatParameters);
    await until('it is filled', async () => (await value('#field-temperature', view)) === '0.9');
    assert.equal(await value('#field-seed', view), '3');
    assert.match(await value('#field-response_format', view), /"name": ?"ports"/);
  });

  it('know nothing more of how sure the model was, and say so; a fork stays', async () => {
    void commands.executeCommand(Command.chatOpen);
    await quickPick.choose('say: Sure:');
    await waitFor('.answer .versions:has-text("2 / 2")', view);
    await click('.answer .actions [aria-label="How Sure the Model Was"]', view);
    await waitFor(
      ':text("How sure the model was is known only in the window that asked, until it is reloaded.")',
      view,
    );
    await window.showTextDocument(Uri.file(markedFile()));
    await waitFor('.editor-instance .view-line:has-text("tideAt")');
    assert.equal(await visible('.editor-instance .view-line span[class*="ced-"]'), false);
    await notification.clear();
    await commands.executeCommand(Command.confidenceNext);
    await notification.untilSaid('No code here is from an answer whose log probabilities are known.');
    await notification.clear();
  });

  it('have a replay as far as it came, which is no result', async () => {
    await open('count to 30');
    await waitFor('.answer .versions:has-text("2 / 2")', view);
    assert.equal(await visible('.answer.streaming', view), false);
    assert.equal(await visible('.answer .note:has-text("Replay:")', view), false);
    await click('.answer .versions [aria-label="Previous Version"]', view);
    await chat.untilAnswered('word30');
  });

  it('send nothing by themselves', () => {
    assert.equal(asked(service).length, 1);
  });
});
