import assert from 'node:assert/strict';
import { workspace } from 'vscode';
import { chat, view } from '../support/chatPanel.ts';
import { attribute, text } from '../support/hands.ts';
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

  it('has its system prompt in the tab that was open', async () => {
    const document = await until('the tab is restored', () =>
      workspace.textDocuments.find(({ uri }) => uri.scheme === 'parley-conversation'),
    );
    assert.match(document.getText(), /^You help a programmer/);
  });
});
