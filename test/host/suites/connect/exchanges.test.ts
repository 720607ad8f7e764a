import assert from 'node:assert/strict';
import { commands, env, window } from 'vscode';
import { Command } from '../../../../src/ids/ids.ts';
import { DEFAULT_KEY } from '../../../service/auth.ts';
import type { ReferenceService } from '../../../service/options.ts';
import { chat, frame, view } from '../support/chatPanel.ts';
import { closeEditors } from '../support/editors.ts';
import { click, fill, notification, press, quickPick, screenshot } from '../support/hands.ts';
import { connectTo, disconnect, setting, startService } from '../support/service.ts';
import { until } from '../support/until.ts';

describe('Exchanges', () => {
  let service: ReferenceService;

  const asked = () => service.requests.filter(({ path }) => path.endsWith('/chat/completions'));
  const choose = async (action: string): Promise<void> => {
    void commands.executeCommand(Command.showExchanges);
    await quickPick.untilAsked('What this window has sent, the newest first; it is in memory alone');
    await quickPick.choose('POST chat/completions');
    await quickPick.untilListed('Open');
    await quickPick.choose(action);
  };
  const document = (): Promise<string> =>
    until('the exchange is open', () => {
      const open = window.activeTextEditor?.document;
      return open?.uri.scheme === 'parley-exchange' ? open.getText() : undefined;
    });

  beforeEach(async () => {
    service = await startService();
    await connectTo(service);
    await commands.executeCommand(Command.chatNew);
    await chat.open();
    await chat.ask('say: high water');
    await chat.untilAnswered('high water');
  });
  afterEach(async () => {
    await press('Escape');
    await setting('parley.exchanges.keep', undefined);
    await closeEditors();
    await notification.clear();
    await service.close();
  });
  after(disconnect);

  it('are listed, and each can be read whole, without the key', async () => {
    void commands.executeCommand(Command.showExchanges);
    await quickPick.untilListed('POST chat/completions');
    await screenshot('exchanges');
    await press('Escape');
    await choose('Open');
    const text = await document();
    await screenshot('exchange');
    assert.match(text, /^# POST http:\/\/127\.0\.0\.1:\d+\/openai\/v1\/chat\/completions\n\n200 · first byte after /);
    assert.match(text, /"content": "say: high water"/);
    assert.match(text, /authorization: Bearer \[API key\]/);
    assert.match(text, /data: \{.*"content":"high/);
    for (const field of ['id', 'object', 'created', 'choices', 'index', 'role']) {
      assert.ok(text.includes(`"${field}":`), field);
    }
    assert.ok(!text.includes(DEFAULT_KEY));
  });

  it('are copied as code, with the key as a variable', async () => {
    await choose('Copy as cURL');
    await notification.untilSaid('PARLEY_API_KEY');
    const copied = await env.clipboard.readText();
    assert.match(copied, /^curl -N 'http:\/\/127\.0\.0\.1:\d+\/openai\/v1\/chat\/completions'/);
    assert.ok(copied.includes('$PARLEY_API_KEY') && !copied.includes(DEFAULT_KEY));
    await choose('Copy as OpenAI SDK for Python');
    await until('it is copied', async () =>
      (await env.clipboard.readText()).includes('client.chat.completions.create('),
    );
  });

  /** The body in the command of cURL that was copied last. */
  const copiedBody = async (isCopied: (body: string) => boolean): Promise<unknown> => {
    const command = await until('it is copied', async () => {
      const text = await env.clipboard.readText();
      return text.startsWith('curl') && isCopied(text) ? text : undefined;
    });
    assert.ok(!command.includes(DEFAULT_KEY));
    const [, body = ''] = /-d '(\{.*\})'\n$/s.exec(command) ?? [];
    return JSON.parse(body.replaceAll("'\\''", "'"));
  };

  it('can be copied before they are sent, as sending them would make them', async () => {
    await setting('parley.exchanges.keep', false);
    await commands.executeCommand(Command.chatParameters);
    await fill('.box', "say: it's low water", view);
    await click('.drawer .link:text-is("Copy Request as…")', { frame });
    await quickPick.untilListed('Copy as cURL');
    await screenshot('copyRequest');
    await quickPick.choose('Copy as cURL');
    const drafted = await copiedBody((text) => text.includes('low water'));
    assert.equal(asked().length, 1, 'nothing was sent');
    await press('Escape');
    await click('.box', view);
    await press('Enter');
    await chat.untilAnswered("it's low water");
    assert.deepEqual(asked().at(-1)?.body, drafted);

    // With nothing in the box, it is the last question once more.
    void commands.executeCommand(Command.chatCopyRequest);
    await quickPick.untilListed('Copy as cURL');
    await quickPick.choose('Copy as OpenAI SDK for Python');
    await until('it is copied', async () => (await env.clipboard.readText()).includes("say: it's low water"));
    assert.equal(asked().length, 2);
    assert.deepEqual(await chat.answers(), ['high water', "it's low water"]);
  });

  it('are sent again as they were, and what comes back is shown', async () => {
    await choose('Send Again');
    await document();
    const [first, second] = asked();
    assert.equal(asked().length, 2);
    assert.deepEqual(second?.body, first?.body);
  });

  it('show what a service refused, in its own words', async () => {
    service.setFault('500');
    await chat.ask('say: low water');
    await until('it is refused', () => asked().some(({ status }) => status === 500));
    await chat.untilFailed('500');
    service.setFault(undefined);
    await choose('Open');
    assert.match(await document(), /\n500 · [\s\S]*## Answer[\s\S]*"error"/);
  });

  it('are not kept where the setting says so', async () => {
    await setting('parley.exchanges.keep', false);
    await commands.executeCommand(Command.showExchanges);
    await notification.untilSaid('parley.exchanges.keep is off');
    await setting('parley.exchanges.keep', true);
    await commands.executeCommand(Command.showExchanges);
    await notification.untilSaid('This window has sent nothing yet.');
  });
});
