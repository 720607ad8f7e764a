/** What `beforeReload.ts` has left of the chat. */
import assert from 'node:assert/strict';
import { window, workspace } from 'vscode';
import { tab } from '../beforeReload.ts';
import { chat, view } from '../support/chatPanel.ts';
import { attribute, screenshot, text, texts, value, waitFor } from '../support/hands.ts';
import { connectTo, disconnect, startService } from '../support/service.ts';
import { until } from '../support/until.ts';

describe('After a reload of the window', () => {
  it('the tab of a conversation comes back with its title, its messages, its draft and its place', async () => {
    await waitFor('.answer:has-text("word1500")', tab);
    await waitFor('.latest', tab);
    assert.deepEqual(await texts('.question-text', tab), ['count to 1500']);
    assert.equal(await value('.box', tab), 'a draft');
    const labels = window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label));
    assert.ok(labels.includes('count to 1500'), labels.join());
    await screenshot('tab-reloaded');
  });

  it('the conversation of the view has the model and the parameters that it had', async () => {
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

  it('a system prompt is in the tab that was open', async () => {
    const document = await until('the tab is restored', () =>
      workspace.textDocuments.find(({ uri }) => uri.scheme === 'parley-conversation'),
    );
    assert.match(document.getText(), /^You help a programmer/);
  });
});
