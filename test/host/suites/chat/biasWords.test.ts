import assert from 'node:assert/strict';
import { commands, Range, WorkspaceEdit, window, workspace } from 'vscode';
import { Command } from '../../../../src/ids/ids.ts';
import type { ReferenceService, ReferenceServiceOptions } from '../../../service/options.ts';
import { chat, frame } from '../support/chatPanel.ts';
import { closeEditors } from '../support/editors.ts';
import { click, inputBox, notification, press, quickPick, screenshot } from '../support/hands.ts';
import { connectTo, disconnect, startService } from '../support/service.ts';
import { until } from '../support/until.ts';

describe('Logit bias by words', () => {
  let service: ReferenceService | undefined;

  const begin = async (tokenizer: ReferenceServiceOptions['tokenizer']): Promise<ReferenceService> => {
    service = await startService(tokenizer === undefined ? {} : { tokenizer });
    await connectTo(service);
    await commands.executeCommand(Command.chatNew);
    await chat.open();
    return service;
  };
  const askWords = async (words: string): Promise<void> => {
    await commands.executeCommand(Command.chatParameters);
    await click('.field:has(#field-logit_bias) .link', { frame });
    await inputBox.enter(words);
  };
  const sent = async (of: ReferenceService): Promise<unknown> => {
    await press('Escape');
    await chat.ask('say: high water');
    await chat.untilAnswered('high water');
    const body = of.requests.findLast(({ path }) => path.endsWith('/chat/completions'))?.body;
    return (body as { readonly logit_bias?: unknown } | undefined)?.logit_bias;
  };

  afterEach(async () => {
    await press('Escape');
    await notification.clear();
    await closeEditors();
    await service?.close();
  });
  after(disconnect);

  for (const tokenizer of ['vllm', 'llama.cpp'] as const) {
    it(`is of the tokens that a server like ${tokenizer} tells, of which those that are a whole word are chosen`, async () => {
      const of = await begin(tokenizer);
      await askWords('tide, understanding');
      await quickPick.untilListed('␣tide');
      assert.deepEqual(await quickPick.items(), ['␣tide', 'tide', '␣understanding', 'understanding']);
      await screenshot('bias-words');
      await press('Enter');
      await quickPick.untilListed('Never');
      await quickPick.choose('Never');
      const told = of.requests.filter(({ path }) => path.endsWith('/tokenize'));
      assert.equal(told.length, 4);
      const bias = (await sent(of)) as Readonly<Record<string, number>>;
      assert.deepEqual(Object.values(bias), [-100, -100]);
    });
  }

  it('asks for the ids where the service tells no tokens', async () => {
    const of = await begin(undefined);
    await askWords('tide');
    await inputBox.enter('1734, 50256', 'Logit Bias by Words');
    await quickPick.untilListed('Another Value…');
    await quickPick.choose('Another Value…');
    await inputBox.enter('-1.5', 'Logit Bias by Words');
    await quickPick.untilClosed();
    assert.deepEqual(await sent(of), { 1734: -1.5, 50256: -1.5 });
  });

  it('goes to the conversation in which it was asked, beside what that has by then', async () => {
    const of = await begin('vllm');
    await chat.ask('say: low water');
    await chat.untilAnswered('low water');
    await commands.executeCommand(Command.chatRequest);
    const request = await until('its request is open', () => {
      const open = window.activeTextEditor?.document;
      return open?.uri.scheme === 'parley-conversation' ? open : undefined;
    });
    await askWords('tide');
    await quickPick.untilListed('␣tide');
    const meanwhile = new WorkspaceEdit();
    meanwhile.replace(request.uri, new Range(0, 0, request.lineCount, 0), '{"logit_bias": {"7": 3}}');
    await workspace.applyEdit(meanwhile);
    await request.save();
    await commands.executeCommand(Command.chatNew);
    await until('another one is shown', async () => (await chat.questions()).length === 0);
    await click('.quick-input-widget .quick-input-action .monaco-button');
    await quickPick.untilListed('Never');
    await quickPick.choose('Never');
    await quickPick.untilClosed();
    assert.equal(await sent(of), undefined);
    await commands.executeCommand(Command.chatOpen, request.uri.query);
    await until('it is shown again', async () => (await chat.questions()).join() === 'say: low water');
    const { 7: before, ...words } = (await sent(of)) as Readonly<Record<string, number>>;
    assert.deepEqual([before, Object.values(words)], [3, [-100, -100]]);
  });

  it('changes nothing where it is left', async () => {
    const of = await begin('vllm');
    await askWords('tide');
    await quickPick.untilListed('␣tide');
    await press('Escape');
    assert.equal(await sent(of), undefined);
  });
});
