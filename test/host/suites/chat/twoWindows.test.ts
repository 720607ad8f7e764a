/** One conversation in two windows of VS Code on the same storage, each with an extension host of its own. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { commands } from 'vscode';
import type { Answer } from '../../../../src/chat/conversation/conversation.ts';
import { createHistory } from '../../../../src/chat/history/history.ts';
import { Command } from '../../../../src/ids/ids.ts';
import type { ReferenceService } from '../../../service/options.ts';
import { asked, compare, startKeyless } from '../leaveRequests.ts';
import { chat, view } from '../support/chatPanel.ts';
import { click, fill, press, screenshot, secondWindow, texts, visible, waitFor } from '../support/hands.ts';
import { disconnect, setting } from '../support/service.ts';
import { until } from '../support/until.ts';

const second = { ...view, window: 'second' } as const;
const windows = [view, second] as const;
type Where = (typeof windows)[number];

const columns = (where: Where): Promise<string[]> => texts('.column .markdown', where);
const answers = (where: Where): Promise<string[]> => texts('.answer .markdown', where);

/** The answers of the newest conversation, as they are on the disk. */
async function keptAnswers(): Promise<Answer[]> {
  const data = process.env['PARLEY_TEST_DATA'] ?? '';
  const folder = readdirSync(data, { recursive: true, encoding: 'utf8' }).find((file) =>
    /parley\.parley[\\/]conversations$/.test(file),
  );
  const history = createHistory(join(data, folder ?? ''));
  const [newest] = (await history.list()).sort((a, b) => b.updatedAt - a.updatedAt);
  const tree = (await history.open(newest?.id ?? ''))?.conversation.tree.values() ?? [];
  return [...tree].filter((message) => message.role === 'assistant');
}

async function askInSecond(question: string): Promise<void> {
  await fill('.box', question, second);
  await click('.box', second);
  await press('Enter', second);
}

/** Lets the service go on until nothing is written any more, and both windows end with an answer. */
const untilBothShow = (part: string, service: ReferenceService): Promise<unknown> =>
  until(`both show “${part}”`, async () => {
    service.release();
    const last = await Promise.all(windows.map(async (where) => (await answers(where)).at(-1)));
    const isWritten = await Promise.all(windows.map((where) => visible('.answer.streaming', where)));
    return last.every((each) => each?.includes(part)) && !isWritten.includes(true);
  });

/** Has two models answer in the first window, which both hold back. */
async function beginColumns(question: string): Promise<void> {
  await compare(question, 'large-fault-hold');
  await until('both are begun', async () => {
    const all = await columns(view);
    return all.length === 2 && all.every((words) => words.startsWith('word1'));
  });
}

describe('A conversation in two windows', () => {
  let service: ReferenceService;

  before(async () => {
    service = await startKeyless();
    await commands.executeCommand(Command.chatNew);
    await chat.open();
    await setting('parley.chat.model', 'parley-chat-fault-hold');
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await screenshot('second-window-failed', { window: 'second' });
  });
  after(async () => {
    await secondWindow.close();
    await service.close();
    await disconnect();
  });

  it('is asked its waiting question by one of them', async () => {
    await chat.ask('count to 20');
    await waitFor('.answer.streaming:has-text("word1")', view);
    await chat.ask('say: it waited');
    await waitFor('.queue li:has-text("it waited")', view);
    await secondWindow.open();
    await secondWindow.show('Parley', () => visible('.stage', second));
    await waitFor('.answer:has-text("word1")', second);
    await waitFor('.queue li:has-text("it waited")', second);
    await untilBothShow('it waited', service);
    assert.equal(asked(service).length, 2);
    assert.deepEqual(await texts('.queue li', second), []);
  });

  it('has columns of one stopped by the other', async () => {
    const before = asked(service).length;
    await beginColumns('count to 25');
    await click('.composer [aria-label="Stop"]', second);
    await waitFor('.composer [aria-label="Send"]', second);
    await click('.answer [aria-label="Show Versions Side by Side"]', second);
    for (const where of windows) {
      await until('each says so', async () => (await texts('.column:has-text("Stopped.")', where)).length === 2);
      assert.deepEqual(await columns(where), ['word1 word2 word3', 'word1 word2 word3']);
      assert.equal(await visible('.column .streaming', where), false);
      await waitFor('.composer [aria-label="Send"]', where);
    }
    await until('both connections are closed', () => service.requests.filter(({ aborted }) => aborted).length === 2);
    assert.equal(asked(service).length, before + 2);
    await press('Escape');
    await press('Escape', second);
    for (const where of windows) await waitFor('.stage', where);
  });

  it('has what is asked in one while the other one writes columns, once, and loses nothing of them', async () => {
    const before = asked(service).length;
    await beginColumns('count to 30');
    await waitFor('.answer.streaming:has-text("word1")', second);
    await askInSecond('say: from the second');
    await waitFor('.queue li:has-text("from the second")', second);
    await untilBothShow('from the second', service);
    const kept = await until('all is on the disk', async () => {
      const all = (await keptAnswers()).slice(-3);
      return all.every(({ state }) => state === 'complete') ? all : undefined;
    });
    assert.deepEqual(
      kept.map(({ text: said }) => said.split(' ').at(-1)),
      ['word30', 'word30', 'second'],
    );
    assert.equal(asked(service).length, before + 3);
  });
});
