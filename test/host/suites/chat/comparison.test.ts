/** Answers side by side: of several models and presets, and of a service that gives one where several were asked for. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commands, window, workspace } from 'vscode';
import type { Answer } from '../../../../src/chat/conversation/conversation.ts';
import { createHistory } from '../../../../src/chat/history/history.ts';
import { Command } from '../../../../src/ids/ids.ts';
import type { ReferenceService, ReferenceServiceOptions } from '../../../service/options.ts';
import { chat, setField, view } from '../support/chatPanel.ts';
import { closeEditors } from '../support/editors.ts';
import {
  axe,
  click,
  fill,
  notification,
  press,
  quickPick,
  screenshot,
  text,
  texts,
  visible,
  waitFor,
} from '../support/hands.ts';
import { connectTo, disconnect, setting, startService } from '../support/service.ts';
import { subject } from '../support/subject.ts';
import { until } from '../support/until.ts';

const presets = (): string => join(workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', '.parley');
const names = (): Promise<string[]> => texts('.column h3', view);
const answers = (): Promise<string[]> => texts('.column .markdown', view);
const bodies = (service: ReferenceService) =>
  service.requests
    .filter(({ path }) => path.endsWith('/chat/completions'))
    .map(({ body }) => body as { model: string; n?: number; seed?: number; temperature?: number });

/** The answers of the newest conversation, as another window would read them. */
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

/** Writes a question and has these answer it; the conversation's own model is checked at first. */
async function compare(question: string, ...others: string[]): Promise<void> {
  await chat.open();
  await fill('.box', question, view);
  await click('[aria-label="Compare Answers…"]', view);
  // What the service lists comes last.
  await quickPick.untilListed('large-fault-hold');
  for (const each of others) await quickPick.choose(each);
  await press('Enter');
  await quickPick.untilClosed();
}

describe('Answers side by side', () => {
  let service: ReferenceService;
  const start = async (options: ReferenceServiceOptions = {}): Promise<void> => {
    service = await startService({
      listed: [{ id: 'parley-chat-fault-503' }, { id: 'parley-chat-fault-hold' }, { id: 'large-fault-hold' }],
      ...options,
    });
    await connectTo(service);
    await commands.executeCommand(Command.chatNew);
    await chat.untilFocused();
    await notification.clear();
  };

  before(async () => {
    await subject().activate();
  });
  afterEach(async () => {
    await press('Escape');
    await commands.executeCommand(Command.chatStop);
    await service.close();
    await closeEditors();
    rmSync(presets(), { recursive: true, force: true });
  });
  after(disconnect);

  it('come from a model and a preset at a time, and the conversation goes on with one', async () => {
    await start();
    mkdirSync(join(presets(), 'presets'), { recursive: true });
    writeFileSync(
      join(presets(), 'presets', 'warm.json'),
      '{"model": "parley-chat-large", "temperature": 0.9, "seed": 3}',
    );
    await compare('say: both', 'warm');
    await until('both have answered', async () => (await answers()).join() === 'both,both');
    assert.deepEqual(await names(), ['parley-chat', 'warm (parley-chat-large)']);
    assert.deepEqual(
      bodies(service)
        .map(({ model, temperature, seed }) => [model, temperature, seed])
        .sort(),
      [
        ['parley-chat', undefined, undefined],
        ['parley-chat-large', 0.9, 3],
      ],
    );
    await until('both tell their figures', async () =>
      (await texts('.column-figures', view)).every((figures) => /to the first token.*in all.*token/.test(figures)),
    );
    assert.deepEqual(await axe(view.frame), []);
    await screenshot('comparison');
    await click('.column >> nth=1 >> text=Go On With This', view);
    await waitFor('.stage', view);
    assert.equal(await text('.answer .versions', view), '2 / 2');
    await chat.ask('say: on we go');
    await chat.untilAnswered('on we go');
    const kept = await until('all is on the disk', async () => {
      const all = await keptAnswers();
      return all.length === 3 && all.every(({ state }) => state === 'complete') ? all : undefined;
    });
    assert.deepEqual(
      kept.map(({ asked, text: said }) => [asked?.preset, asked?.model, said]),
      [
        [undefined, 'parley-chat', 'both'],
        ['warm', 'parley-chat-large', 'both'],
        [undefined, undefined, 'on we go'],
      ],
    );
  });

  it('fail each in its own column', async () => {
    await start();
    await compare('say: one is enough', 'parley-chat-fault-503');
    await until('one has answered', async () => (await answers()).includes('one is enough'));
    await waitFor('.column .error', view);
    assert.equal(await visible('.column >> nth=0 >> .error', view), false);
  });

  it('stop all at once, and are whole on the disk when the conversation was left meanwhile', async () => {
    await start();
    await setting('parley.chat.model', 'parley-chat-fault-hold');
    await compare('count to 50', 'large-fault-hold');
    await until('both are begun', async () => (await answers()).every((words) => words.startsWith('word1')));
    await commands.executeCommand(Command.chatNew);
    await waitFor('.stage', view);
    assert.equal(await visible('.comparison', view), false);
    void commands.executeCommand(Command.chatOpen);
    await quickPick.choose('count to 50');
    await until('it is shown', async () => (await chat.questions()).join() === 'count to 50');
    await waitFor('.composer [aria-label="Stop"]', view);
    await click('.composer [aria-label="Stop"]', view);
    await until('both are stopped', async () => {
      const kept = await keptAnswers();
      return kept.length === 2 && kept.every(({ state, text: said }) => state === 'stopped' && said !== '');
    });
    await until('both connections are closed', () => service.requests.filter(({ aborted }) => aborted).length === 2);
    await waitFor('.composer [aria-label="Send"]', view);
  });

  it('are there again when the panel was hidden while they were written, and follow another version', async () => {
    await start();
    await setting('parley.chat.model', 'parley-chat-fault-hold');
    await compare('count to 20', 'large-fault-hold');
    await until('both are begun', async () => (await answers()).every((words) => words.startsWith('word1')));
    await commands.executeCommand('workbench.action.closeAuxiliaryBar');
    service.release();
    await until('both are whole on the disk', async () => {
      const kept = await keptAnswers();
      return kept.length === 2 && kept.every(({ state }) => state === 'complete');
    });
    await commands.executeCommand('parley.chat.focus');
    await until('both are shown whole', async () => (await answers()).every((words) => words.endsWith('word20')));
    await setting('parley.chat.model', 'parley-chat');
    for (const times of [3, 4, 5]) {
      await commands.executeCommand(Command.chatRetry);
      await until('one more stands beside them', async () => (await keptAnswers()).length === times);
    }
    await until('it says how many there are', () => visible('.column .versions:has-text("/ 5")', view));
    const before = (await names())[0];
    await click('.column >> nth=0 >> [aria-label="Next Version"]', view);
    await until('the first column has another', async () => (await text('.column .versions', view)) === '5 / 5');
    assert.notEqual((await names())[0], before);
    await press('Escape');
    await waitFor('.stage', view);
  });

  it('keep the words in the box where the question is closed', async () => {
    await start();
    await chat.open();
    await fill('.box', 'say: not yet', view);
    await commands.executeCommand(Command.chatCompare);
    await quickPick.untilListed('parley-chat-large');
    await press('Enter');
    await quickPick.untilListed('parley-chat-large');
    assert.equal(bodies(service).length, 0, 'one alone is nothing to compare');
    await press('Escape');
    await quickPick.untilClosed();
    await until('the words are there', () => visible('.box:has-text("say: not yet"), .box', view));
    assert.equal(bodies(service).length, 0);
  });

  it('are asked for one by one, once the user says so, where the service takes no n', async () => {
    await start({ refusedFields: ['n'] });
    await commands.executeCommand(Command.chatParameters);
    await setField('n', '3', view);
    await setField('seed', '7', view);
    await chat.ask('say: again');
    await chat.untilAnswered('again');
    assert.deepEqual(
      bodies(service).map(({ n, seed }) => [n, seed]),
      [
        [3, 7],
        [undefined, 7],
      ],
    );
    await chat.press('Ask 2 More Times');
    await until('three stand side by side', async () => (await answers()).join() === 'again,again,again');
    assert.deepEqual(
      bodies(service)
        .slice(2)
        .map(({ n, seed }) => [n, seed]),
      [
        [undefined, 8],
        [undefined, 9],
      ],
    );
    await press('Escape');
    await waitFor('.stage', view);
    assert.equal(await visible('.button:text-is("Ask 2 More Times")', view), false);
  });

  it('open by themselves for several choices of one request, and show what differs', async () => {
    await start();
    await commands.executeCommand(Command.chatParameters);
    await setField('n', '4', view);
    await chat.ask('say: four times');
    await until('four are there', async () => (await answers()).length === 4);
    await until('all are whole', async () => (await answers()).every((words) => words === 'four times'));
    await click('.column >> nth=2 >> [aria-label="Diff With…"]', view);
    await quickPick.choose('Version 1');
    await until('the diff is open', () =>
      window.tabGroups.all.some(({ tabs }) => tabs.some(({ label }) => label.includes('Version 1'))),
    );
  });
});
