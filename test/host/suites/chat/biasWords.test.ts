import assert from 'node:assert/strict';
import { commands } from 'vscode';
import { Command } from '../../../../src/ids.ts';
import type { ReferenceService, ReferenceServiceOptions } from '../../../service/options.ts';
import { chat, frame } from '../support/chatPanel.ts';
import { click, inputBox, notification, press, quickPick, screenshot } from '../support/hands.ts';
import { connectTo, disconnect, startService } from '../support/service.ts';

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

  it('changes nothing where it is left', async () => {
    const of = await begin('vllm');
    await askWords('tide');
    await quickPick.untilListed('␣tide');
    await press('Escape');
    assert.equal(await sent(of), undefined);
  });
});
