import assert from 'node:assert/strict';
import { commands } from 'vscode';
import { Command } from '../../../../src/ids/ids.ts';
import { chat, frame } from '../support/chatPanel.ts';
import { closeEditors } from '../support/editors.ts';
import { click, text, waitFor } from '../support/hands.ts';
import { connectToScripted, type ScriptedService, startScripted, streamed } from '../support/scriptedService.ts';
import { disconnect, setting } from '../support/service.ts';
import { subject } from '../support/subject.ts';

describe('Chat with a service that writes answers in forms of its own', () => {
  let model: ScriptedService;

  before(async () => {
    await subject().activate();
    model = await startScripted();
  });

  beforeEach(async () => {
    await connectToScripted(model);
    await setting('parley.chat.model', 'm');
    await commands.executeCommand(Command.chatNew);
    await waitFor('.stage', { frame });
  });

  afterEach(async () => {
    await disconnect();
    await closeEditors();
  });

  after(() => model.close());

  function says(pieces: readonly string[], reason = 'stop'): void {
    const words = pieces.map((content) => ({ choices: [{ index: 0, delta: { content } }] }));
    const end = { choices: [{ index: 0, delta: {}, finish_reason: reason }] };
    model.answer(streamed([...words, end, '[DONE]'], (response) => response.end()));
  }

  it('shows what came before the mark that ends thoughts as thoughts, and sends it back with no question', async () => {
    says(['I should ', 'greet.', '\n</think>\n\n', 'Hi', '!']);
    await chat.ask('Hello?');
    assert.equal(await chat.untilAnswered('Hi!'), 'Hi!');
    await click('.answer:last-child .reasoning summary', { frame });
    assert.match(await text('.answer:last-child .reasoning', { frame }), /I should greet\./);
    says(['Bye.']);
    await chat.ask('Goodbye.');
    assert.equal(await chat.untilAnswered('Bye.'), 'Bye.');
    assert.doesNotMatch(JSON.stringify(model.bodies.at(-1)), /should greet|think>/);
  });

  it('tells an end for a reason that nobody knows, and offers to go on', async () => {
    says(['Half an ans'], 'pause_turn');
    await chat.ask('Hello?');
    await waitFor('.answer:last-child:not(.streaming) .note', { frame });
    assert.match(await text('.answer:last-child .note', { frame }), /“pause_turn”/);
    says(['ans', 'wer.']);
    await chat.press('Continue');
    assert.equal(await chat.untilAnswered('wer.'), 'Half an answer.');
    await waitFor('.answer:last-child .note', { frame, state: 'hidden' });
  });
});
