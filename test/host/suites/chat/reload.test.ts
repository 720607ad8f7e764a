import assert from 'node:assert/strict';
import { commands, window, workspace } from 'vscode';
import { Command } from '../../../../src/ids/ids.ts';
import { chat, view } from '../support/chatPanel.ts';
import { attribute, quickPick, text, visible, waitFor } from '../support/hands.ts';
import { connectTo, disconnect, startService } from '../support/service.ts';
import { until } from '../support/until.ts';

describe('A conversation, after a reload of the window', () => {
  it('has the model and the parameters that it had', async () => {
    const service = await startService();
    await connectTo(service);
    await chat.open();
    await until('it is shown', async () => (await chat.questions()).join() === 'say: before the reload');
    assert.equal(await text('.model-name', view), 'parley-chat-large');
    assert.match((await attribute('.parameters', 'aria-label', view)) ?? '', /Temperature 0\.25$/);
    await chat.ask('say: after the reload');
    await chat.untilAnswered('after the reload');
    const { body } = await service.waitForRequest(({ path }) => path.endsWith('/chat/completions'));
    const { model, temperature } = body as { model: string; temperature: number };
    assert.deepEqual([model, temperature], ['parley-chat-large', 0.25]);
    await service.close();
    await disconnect();
  });

  it('has the questions that waited, which are asked after the next answer', async () => {
    const service = await startService();
    await connectTo(service);
    void commands.executeCommand(Command.chatOpen);
    await quickPick.choose('say: held up');
    await waitFor('.queue li:has-text("after the held one")', view);
    await chat.open();
    await commands.executeCommand(Command.chatRetry);
    await chat.untilAnswered('after the held one');
    assert.deepEqual(await chat.questions(), ['say: held up', 'say: after the held one']);
    assert.equal(await visible('.queue li', view), false);
    await service.close();
    await disconnect();
  });

  it('has its answers as data, checked against the schema that each was asked with', async () => {
    void commands.executeCommand(Command.chatOpen);
    await quickPick.choose('say: [7]');
    await waitFor('.data-row:has-text("0: 7") .data-fault:has-text("must be string, is number")', view);
  });

  it('has its system prompt in the tab that was open', async () => {
    const document = await until('the tab is restored', () =>
      workspace.textDocuments.find(({ uri }) => uri.scheme === 'parley-conversation'),
    );
    assert.match(document.getText(), /^You help a programmer/);
  });

  it('leaves no tab of a diagram or an attachment, whose texts are gone', async () => {
    const labels = (): string[] => window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label));
    const left = (): string[] => labels().filter((label) => /Diagram|Preview|tides∕/.test(label));
    await until('they are closed', () => left().length === 0).catch(() => assert.deepEqual(left(), []));
  });
});
