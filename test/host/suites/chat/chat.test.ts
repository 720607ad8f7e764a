import assert from 'node:assert/strict';
import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { commands, env, Selection, window, workspace } from 'vscode';
import type { Conversation } from '../../../../src/chat/conversation/conversation.ts';
import { createHistory } from '../../../../src/chat/history/history.ts';
import { Command } from '../../../../src/ids/ids.ts';
import type { ReferenceService } from '../../../service/options.ts';
import { readSelfSignedPair } from '../../../service/selfSigned.ts';
import { createReferenceService } from '../../../service/server.ts';
import { chat, frame, sameWords } from '../support/chatPanel.ts';
import { closeEditors } from '../support/editors.ts';
import {
  axe,
  click,
  dialog,
  fill,
  focus,
  hover,
  inputBox,
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
import { extensionPath, repositoryRoot, subject } from '../support/subject.ts';
import { until } from '../support/until.ts';

interface AskResult {
  text: string;
  finishReason?: string;
  usage?: { totalTokens?: number };
  model?: string;
}
const ask = async (question: string, options?: { newConversation?: boolean }): Promise<AskResult> =>
  (await commands.executeCommand<AskResult>(Command.chatAsk, question, options)) as AskResult;

/** Where the conversations are kept, in the folder of VS Code's data. */
async function conversationsFolder(): Promise<string> {
  const data = process.env['PARLEY_TEST_DATA'] ?? '';
  const files = await readdir(data, { recursive: true });
  const found = files.find((file) => /parley\.parley[\\/]conversations$/.test(file));
  assert.ok(found);
  return join(data, found);
}

/** The conversation on the disk that was written to last. */
async function readNewest(): Promise<Conversation> {
  const history = createHistory(await conversationsFolder());
  const [newest] = (await history.list()).toSorted((one, other) => other.updatedAt - one.updatedAt);
  const kept = await history.open(newest?.id ?? '');
  assert.ok(kept);
  return kept.conversation;
}

const chatRequests = (service: ReferenceService) =>
  service.requests.filter((r) => r.path.endsWith('/chat/completions'));
const bodyOf = (request: { body: unknown } | undefined) =>
  request?.body as { stream: boolean; model: string; messages: { role: string; content: string }[] };

describe('Chat', () => {
  let service: ReferenceService;

  before(async () => {
    await subject().activate();
  });

  beforeEach(async () => {
    service = await startService();
    await connectTo(service);
    await commands.executeCommand(Command.chatNew);
    await waitFor('.stage', { frame });
    await notification.clear();
  });

  afterEach(async () => {
    await commands.executeCommand(Command.chatStop);
    await setting('parley.chat.stream', undefined);
    await setting('parley.chat.extraBody', undefined);
    await service.close();
    await closeEditors();
  });
  after(disconnect);

  it('streams the answer to a question that was typed, and says what it cost', async () => {
    await chat.ask('count to 30');
    const answer = await chat.untilAnswered('word30');
    assert.ok(answer.startsWith('word1 word2'));
    assert.equal(bodyOf(chatRequests(service)[0]).stream, true);
    assert.match(await chat.summary(), /^parley-chat · \d+ tokens$/);
    await click('.footer summary', { frame });
    const labels = await texts('.summary dt', { frame });
    const told = ['Queue', 'Prompt', 'Completion', 'Total', 'Until the first token', 'Speed'];
    for (const label of [...told, 'Finish reason', 'System fingerprint']) assert.ok(labels.includes(label), label);
    await until('the tokens are counted', async () => /^[\d,]+ tokens$/.test(await text('.tokens', { frame })));
  });

  it('asks without a stream where the setting says so', async () => {
    await setting('parley.chat.stream', false);
    await chat.ask('count to 12');
    await chat.untilAnswered('word12');
    assert.equal(bodyOf(chatRequests(service)[0]).stream, false);
  });

  it('adds the fields of parley.chat.extraBody, and says once that the service does not take one', async () => {
    await setting('parley.chat.extraBody', { temperature: 0.25, no_such_field: { deep: [1] } });
    await chat.ask('say: first');
    await chat.untilAnswered('first');
    await waitFor('.note:has-text("“no_such_field”")', { frame });
    const [refused, sent] = chatRequests(service).map((request) => request.body as Record<string, unknown>);
    assert.deepEqual(refused?.['no_such_field'], { deep: [1] });
    assert.equal(sent?.['temperature'], 0.25);
    assert.equal(sent?.['no_such_field'], undefined);
    await chat.ask('say: second');
    await chat.untilAnswered('second');
    assert.equal(chatRequests(service).length, 3);
    assert.equal((await texts('.note', { frame })).length, 1);
  });

  it('names the field of parley.chat.extraBody that cannot be sent', async () => {
    await setting('parley.chat.extraBody', { model: 'other' });
    await chat.ask('say: nothing');
    await chat.untilFailed('parley.chat.extraBody.model');
    assert.equal(chatRequests(service).length, 0);
  });

  it('stops on Escape, closes the socket and keeps what came', async () => {
    const slow = await startService({ tokenDelayMs: 20 });
    await setting('parley.baseUrl', slow.baseUrl);
    await chat.ask('count to 5000');
    await until('some words are there', async () => (await chat.answers())[0]?.includes('word3'));
    await press('Escape');
    const request = await slow.waitForRequest((r) => r.path.endsWith('/chat/completions') && r.finished);
    assert.equal(request.aborted, true);
    await waitFor('.note:text-is("Stopped.")', { frame });
    assert.ok((await chat.answers())[0]?.startsWith('word1 word2'));
    await slow.close();
  });

  it('has what came of a running answer on the disk before VS Code ends', async () => {
    const slow = await startService({ tokenDelayMs: 20 });
    await setting('parley.baseUrl', slow.baseUrl);
    await chat.ask('count to 5000');
    await until('some words are there', async () => (await chat.answers())[0]?.includes('word3'));
    // The module that VS Code runs: it calls this, and waits for it.
    const { deactivate } = createRequire(join(extensionPath(), 'package.json'))('./dist/extension.cjs');
    await deactivate();
    const last = (await readNewest()).messages.at(-1);
    assert.ok(last?.role === 'assistant' && last.state === 'failed');
    assert.equal(last.error?.param, 'window', 'it was cut off, and can be continued');
    assert.match(last.text, /word3/);
    await slow.close();
  });

  it('stops on the button and by the command', async () => {
    const slow = await startService({ tokenDelayMs: 20 });
    await setting('parley.baseUrl', slow.baseUrl);
    await chat.ask('count to 5000');
    // A question that is stopped before it went out never reaches the service.
    await slow.waitForRequest((r) => r.path.endsWith('/chat/completions'));
    await click('.send[aria-label="Stop"]', { frame });
    await slow.waitForRequest((r) => r.aborted && r.finished);
    await click('.actions [aria-label="Retry"]', { frame });
    await slow.waitForRequest((r) => r !== slow.requests[0] && r.path.endsWith('/chat/completions'));
    await commands.executeCommand(Command.chatStop);
    const second = await slow.waitForRequest((r) => r !== slow.requests[0] && r.finished);
    assert.equal(second.aborted, true);
    await slow.close();
  });

  it('shows what a model says that declines, and that it declined', async () => {
    await chat.ask('decline: that would be unkind');
    assert.equal((await chat.untilAnswered('unkind')).trim(), 'that would be unkind');
    await waitFor('.note:text-is("The model declined to answer.")', { frame });
  });

  it('answers a command that asks, with text, finish reason, usage and model', async () => {
    const result = await ask('say: hello there', { newConversation: true });
    assert.equal(result.text, 'hello there');
    assert.equal(result.finishReason, 'stop');
    assert.equal(result.model, 'parley-chat');
    assert.ok((result.usage?.totalTokens ?? 0) > 0);
    await until('the panel shows it as well', async () => (await chat.answers())[0]?.trim() === 'hello there');
  });

  it('rejects a command that asks when there is no answer, and says why', async () => {
    await setting('parley.chat.model', 'fault-401');
    await assert.rejects(ask('say: hello'), { code: 'auth', message: /did not accept the API key/ });
    await chat.untilFailed('did not accept the API key');
  });

  it('puts the caret into the box when nothing is asked', async () => {
    await commands.executeCommand(Command.chatAsk);
    await until('the box has the focus', () => visible('.box:focus', { frame }));
  });

  it('sends the whole conversation, and starts afresh with New Conversation', async () => {
    await ask('say: one');
    await ask('say: two');
    const sent = bodyOf(chatRequests(service)[1]).messages.map(({ role, content }) => `${role}: ${content}`);
    assert.deepEqual(sent.slice(1), ['user: say: one', 'assistant: one', 'user: say: two']);
    await commands.executeCommand(Command.chatNew);
    await until('the panel is empty', async () => (await chat.questions()).length === 0);
    await ask('say: three');
    assert.deepEqual(
      bodyOf(chatRequests(service)[2]).messages.map((m) => m.role),
      ['system', 'user'],
    );
  });

  it('lists conversations newest first, and opens one from the view', async () => {
    await ask('say: the older one', { newConversation: true });
    await ask('say: the newer one', { newConversation: true });
    await commands.executeCommand('parley.conversations.focus');
    const rows =
      '.pane[aria-label^="Conversations"] .monaco-list-row, .pane .tree-explorer-viewlet-tree-view .monaco-list-row';
    await until('both are listed', async () => {
      const [first, second] = await texts(rows);
      return first?.includes('the newer one') && second?.includes('the older one');
    });
    await click(`.monaco-list-row:has-text("say: the older one")`);
    await until('the older one is shown', async () => (await chat.questions())[0] === 'say: the older one');
    assert.deepEqual(
      (await chat.answers()).map((answer) => answer.trim()),
      ['the older one'],
    );
  });

  it('opens a conversation by name from the history', async () => {
    await ask('say: find me again', { newConversation: true });
    await commands.executeCommand(Command.chatNew);
    await chat.untilFocused();
    const opening = commands.executeCommand(Command.chatOpen);
    await quickPick.filter('find me');
    await quickPick.choose('say: find me again');
    await opening;
    await until('it is shown', async () => (await chat.questions())[0] === 'say: find me again');
  });

  it('deletes a conversation, and brings it back with Undo', async () => {
    await ask('say: short-lived', { newConversation: true });
    await commands.executeCommand(Command.chatDelete);
    await until('the panel is empty', async () => (await chat.questions()).length === 0);
    await commands.executeCommand('parley.conversations.focus');
    await commands.executeCommand('list.focusFirst');
    const row = '.monaco-list-row:has-text("say: short-lived")';
    await waitFor(row, { state: 'hidden' });
    await notification.untilSaid('“say: short-lived” was deleted.');
    await notification.press('Undo');
    await until('it is shown again', async () => (await chat.questions())[0] === 'say: short-lived');
    await waitFor(row);
  });

  it('answers again as a new version, and steps back to the one before', async () => {
    await chat.ask('say: twice');
    await chat.untilAnswered('twice');
    await hover('.answer', { frame });
    await click('.actions [aria-label="Retry"]', { frame });
    await waitFor('.answer .versions:has-text("2 / 2")', { frame });
    await chat.untilAnswered('twice');
    const { messages } = bodyOf(chatRequests(service)[1]);
    assert.deepEqual(
      messages.map(({ role }) => role),
      ['system', 'user'],
    );
    await click('.answer .versions [aria-label="Previous Version"]', { frame });
    await waitFor('.answer .versions:has-text("1 / 2")', { frame });
    await until('both are kept', async () => (await readNewest()).tree.size === 3);
  });

  it('keeps a finished answer when the key is revoked and it is tried again', async () => {
    await chat.ask('say: finished');
    await chat.untilAnswered('finished');
    await setting('parley.chat.model', 'fault-401');
    await hover('.answer', { frame });
    await click('.actions [aria-label="Retry"]', { frame });
    await chat.untilFailed('did not accept the API key');
    await click('.answer .versions [aria-label="Previous Version"]', { frame });
    await chat.untilAnswered('finished');
  });

  it('asks an edited question as a new version, and keeps what followed the old one', async () => {
    await ask('say: one');
    await ask('say: follows');
    await chat.open();
    await hover('.question', { frame });
    await click('.question [aria-label="Edit and Ask Again"]', { frame });
    await fill('.question .box', 'say: another', { frame });
    await press('Enter');
    await chat.untilAnswered('another');
    assert.deepEqual(await chat.questions(), ['say: another']);
    await click('.question .versions [aria-label="Previous Version"]', { frame });
    await until('the old ones are back', async () => (await chat.questions()).join() === 'say: one,say: follows');
  });

  it('deletes a message, and brings it back with Undo', async () => {
    await ask('say: first');
    await ask('say: second');
    await chat.open();
    await hover('.question', { frame });
    await click('.question [aria-label="Delete Question and Answer"]', { frame });
    await until('it is gone', async () => (await chat.questions()).join() === 'say: second');
    await ask('say: third');
    const sent = bodyOf(chatRequests(service)[2]).messages.map(({ content }) => content);
    assert.deepEqual(sent.slice(1), ['say: second', 'second', 'say: third']);
    await notification.press('Undo');
    await until('it is back', async () => (await chat.questions()).length === 3);
  });

  it('does not send a question again that failed', async () => {
    await setting('parley.chat.model', 'fault-500');
    await chat.ask('say: failed');
    await chat.untilFailed('');
    await setting('parley.chat.model', 'parley-chat');
    const before = chatRequests(service).length;
    await ask('say: works');
    const sent = bodyOf(chatRequests(service)[before]).messages.map(({ content }) => content);
    assert.deepEqual(sent.slice(1), ['say: works']);
  });

  it('goes on with an answer while another conversation is open, and says so in the list', async () => {
    const slow = await startService({ tokenDelayMs: 20 });
    await setting('parley.baseUrl', slow.baseUrl);
    await chat.ask('count to 5000');
    await until('some words are there', async () => (await chat.answers())[0]?.includes('word3'));
    await commands.executeCommand(Command.chatNew);
    await until('the panel is empty', async () => (await chat.questions()).length === 0);
    await commands.executeCommand('parley.conversations.focus');
    // The list stays where a row of it was chosen before.
    await commands.executeCommand('list.focusFirst');
    const row = '.monaco-list-row:has-text("count to 5000")';
    await waitFor(`${row}:has-text("writing…")`);
    await click(row);
    await until('it went on', async () => (await chat.answers())[0]?.includes('word50'));
    await click('.send[aria-label="Stop"]', { frame });
    await waitFor(`${row}:not(:has-text("writing…"))`);
    await slow.close();
  });

  it('asks what was sent during an answer when that has ended, and gives it back before', async () => {
    const slow = await startService();
    slow.setFault('hold-once');
    await setting('parley.baseUrl', slow.baseUrl);
    await chat.ask('count to 150');
    await until('some words are there', async () => (await chat.answers())[0]?.includes('word1'));
    await chat.ask('say: taken back');
    await chat.ask('say: asked next');
    await until('both wait', async () => (await texts('.queue li', { frame })).length === 2);
    assert.deepEqual(await chat.questions(), ['count to 150']);
    await click('.queue li:has-text("taken back") [aria-label="Take Back and Edit"]', { frame });
    await until('it is in the box', () => visible('.queue li:has-text("taken back")', { frame }).then((is) => !is));
    await fill('.box', '', { frame });
    slow.release();
    await chat.untilAnswered('asked next');
    assert.deepEqual(await chat.questions(), ['count to 150', 'say: asked next']);
    assert.ok((await chat.answers())[0]?.includes('word150'), 'the first answer was not stopped');
    await slow.close();
  });

  it('lets an answer go on that is not shown, and asks the next question after it', async () => {
    await ask('say: one');
    const slow = await startService();
    slow.setFault('hold-once');
    await setting('parley.baseUrl', slow.baseUrl);
    await chat.open();
    await hover('.question', { frame });
    await click('.question [aria-label="Edit and Ask Again"]', { frame });
    await fill('.question .box', 'count to 200', { frame });
    await press('Enter');
    await until('some words are there', async () => (await chat.answers())[0]?.includes('word1'));
    await click('.question .versions [aria-label="Previous Version"]', { frame });
    await until('the old one is shown', async () => (await chat.questions()).join() === 'say: one');
    await chat.ask('say: after it');
    await waitFor('.queue li:has-text("after it")', { frame });
    slow.release();
    await chat.untilAnswered('after it');
    const counted = chatRequests(slow).find((request) => bodyOf(request).messages.at(-1)?.content === 'count to 200');
    assert.deepEqual([counted?.finished, counted?.aborted], [true, false]);
    await slow.close();
  });

  it('follows what another window writes into the same conversation', async () => {
    await ask('say: mine');
    const { id, messages } = await readNewest();
    const other = await createHistory(await conversationsFolder()).open(id);
    assert.ok(other);
    const at = Date.now() + 1;
    const parent = messages.at(-1)?.id;
    other.log.append({ type: 'ask', id: 'q-elsewhere', parent, text: 'From the other window', attachments: [], at });
    other.log.append({ type: 'answer', id: 'a-elsewhere', parent: 'q-elsewhere', at: at + 1 });
    other.log.append({ type: 'append', id: 'a-elsewhere', field: 'text', text: 'written elsewhere' });
    await other.log.flush();
    await until('it is shown', async () => (await chat.answers()).at(-1)?.includes('written elsewhere'));
    // The answer is still being written there: Stop ends it here, and that window hears of it.
    await click('.send[aria-label="Stop"]', { frame });
    await until('the other window is told', async () =>
      (await other.log.readNew()).actions.some((action) => action.type === 'end' && action.id === 'a-elsewhere'),
    );
  });

  it('says that a conversation is not saved, and saves it once that is possible', async () => {
    const kept = await conversationsFolder();
    await rename(kept, `${kept}.away`);
    await writeFile(kept, '');
    await chat.ask('say: nothing is lost');
    await notification.untilSaid('This conversation is not saved');
    await rm(kept);
    await rename(`${kept}.away`, kept);
    await until('it is saved', async () =>
      (await readNewest()).messages.some(({ text }) => text === 'say: nothing is lost'),
    );
  });

  it('lists a conversation whose file cannot be read, and says so when it is opened', async () => {
    const file = join(await conversationsFolder(), 'broken.jsonl');
    await writeFile(file, '\n00000000 {"w":"x","type":"create"');
    await commands.executeCommand('parley.conversations.focus');
    await commands.executeCommand('list.focusFirst');
    const row = '.monaco-list-row:has-text("A conversation that cannot be read")';
    await waitFor(row);
    await click(row);
    await notification.untilSaid('This conversation cannot be read');
    await rm(file);
  });

  it('shows the conversation, the draft and the running answer again after its page was thrown away', async () => {
    const slow = await startService();
    slow.setFault('hold-once');
    await setting('parley.baseUrl', slow.baseUrl);
    await chat.ask('count to 200');
    await until('words come', async () => (await chat.answers())[0]?.includes('word1'));
    await click('.box', { frame });
    await focus('.box', { frame });
    await commands.executeCommand('workbench.action.closeAuxiliaryBar');
    await until('the page is gone', async () => !(await visible('.composer', { frame })));
    await chat.open();
    slow.release();
    assert.ok((await chat.untilAnswered('word200')).startsWith('word1 word2 word3'));
    assert.deepEqual(await chat.questions(), ['count to 200']);
    await slow.close();
  });

  it('asks again after a failure, and shows the new answer', async () => {
    await setting('parley.chat.model', 'fault-cut-once');
    await chat.ask('count to 40');
    await chat.untilFailed('cut off before its end');
    const partial = (await chat.answers())[0] ?? '';
    assert.ok(partial.startsWith('word1'), 'what came before the cut stays');
    await chat.press('Retry');
    assert.ok((await chat.untilAnswered('word40')).startsWith('word1 word2'));
    assert.equal((await chat.answers()).length, 1);
    assert.deepEqual(await texts('.error', { frame }), []);
  });

  for (const [fault, said, button] of [
    ['401', 'did not accept the API key', 'Set API Key'],
    ['403', 'not allowed to do this', 'Set API Key'],
    ['404', 'There is nothing at', 'Connect'],
    ['429-quota', 'no quota left', 'Set API Key'],
    ['413', 'does not take a request this large', 'Show Log'],
    ['500', 'failed with status 500', 'Show Log'],
    ['html', 'answered with a web page', 'Connect'],
    ['garbage', '', undefined],
    ['cut-clean', 'cut off before its end', undefined],
    ['error-in-stream', '', undefined],
    ['model-not-found', 'does not know this model', 'Pick Model'],
    ['context-length', 'longer than the model can read', 'New Conversation'],
    ['content-filter', 'content filter', undefined],
  ] as const) {
    it(`says in the conversation what the fault ${fault} is, and what helps`, async () => {
      await setting('parley.chat.model', `fault-${fault}`);
      await chat.ask('count to 20');
      const sentence = await chat.untilFailed(said);
      assert.doesNotMatch(sentence, /\[object|at \w+ \(|sk-|undefined|null/);
      const buttons = await chat.buttons();
      if (button !== undefined) assert.ok(buttons.includes(button), buttons.join());
      const goesOn = buttons.includes('Retry') || buttons.includes('Continue');
      assert.ok(goesOn && buttons.length <= 2, buttons.join());
      assert.deepEqual(await chat.questions(), ['count to 20']);
    });
  }

  it('waits as long as a busy service asks, shows the seconds left, and then says so', async () => {
    await setting('parley.chat.model', 'fault-429');
    const shown = waitFor('.note:has-text("Trying again in 1 s.")', { frame });
    await chat.ask('say: now');
    await shown;
    assert.match(await chat.untilFailed('asks for fewer requests'), /Try again in 1 s/);
  });

  it('says that no service is connected, and offers to connect', async () => {
    await disconnect();
    await waitFor('.welcome .button:text-is("Connect")', { frame: '.welcome' });
    await assert.rejects(ask('say: hello'), /No service is connected/);
    await chat.untilFailed('No service is connected');
    await chat.press('Connect');
    await until('the address is asked for', async () => (await inputBox.message()) !== '');
    await press('Escape');
  });

  it('says that a key is missing, that a host is unknown, and that nothing answers', async () => {
    await setting('parley.apiKeyEnvironmentVariable', undefined);
    await setting('parley.baseUrl', 'https://no-such-host.invalid/v1');
    await assert.rejects(ask('say: hello'), { code: 'no-key' });
    await chat.untilFailed('There is no API key for no-such-host.invalid');
    assert.deepEqual(await chat.buttons(), ['Set API Key', 'Retry']);
    await setting('parley.apiKeyEnvironmentVariable', 'PARLEY_NOT_SET');
    await chat.press('Retry');
    await chat.untilFailed('the environment variable PARLEY_NOT_SET of the settings is not set');
    await setting('parley.apiKeyEnvironmentVariable', 'PARLEY_SUITE_KEY');
    await chat.press('Retry');
    await chat.untilFailed('The host no-such-host.invalid was not found');
    const gone = await startService();
    await setting('parley.baseUrl', gone.baseUrl);
    await gone.close();
    await chat.press('Retry');
    await chat.untilFailed('Nothing answers at');
  });

  it('says that a certificate is not trusted', async () => {
    const secure = await createReferenceService({
      tls: readSelfSignedPair(join(repositoryRoot(), 'test', 'service', 'tls')),
    });
    await setting('parley.baseUrl', secure.baseUrl);
    await chat.ask('say: hello');
    await chat.untilFailed('is not trusted');
    assert.ok((await chat.buttons()).includes('Open Certificate Settings'));
    await secure.close();
  });

  it('draws Markdown, and lets nothing in it run, load or open', async () => {
    const nasty = [
      'say: # Heading',
      '',
      '<script>document.body.classList.add("owned")</script><img src=x onerror="document.body.classList.add(1)">',
      '',
      '![pixel](https://example.com/pixel.png) [run](command:workbench.action.quit) [js](javascript:alert(1)) [fine](https://example.com/a)',
      '',
      '```js',
      'const answer = 42;',
      '```',
    ].join('\n');
    await ask(nasty);
    await waitFor('.markdown h1:text-is("Heading")', { frame });
    for (const forbidden of [
      'img',
      '.markdown script',
      'body.owned',
      '[onerror]',
      'a[href]',
      '[style]:is(.markdown *)',
    ]) {
      assert.deepEqual(await texts(forbidden, { frame }), [], forbidden);
    }
    assert.deepEqual(await texts('.markdown a', { frame }), ['fine']);
    assert.match((await chat.answers())[0] ?? '', /https:\/\/example\.com\/pixel\.png/);
    assert.ok(await visible('.hljs-keyword', { frame }));
  });

  it('opens the files that an answer names, at their lines; a name that is no file stays text', async () => {
    await chat.ask(
      'say: See [the berths](src/berths.ts#L31), `src/berths.ts:27-29`, src/berths.ts:3 and `no/such.ts:1`.',
    );
    await chat.untilAnswered('See the berths');
    const links = '.answer .file-reference';
    await until('three lead somewhere', async () => (await texts(links, { frame })).length === 3);
    const lineOf = () => window.activeTextEditor?.selection.start.line;
    for (const [name, line] of [
      ['the berths', 30],
      ['src/berths.ts:27-29', 26],
      ['src/berths.ts:3', 2],
    ] as const) {
      await click(`${links}:text-is("${name}")`, { frame });
      await until(`line ${line + 1} is shown`, () => lineOf() === line);
      await closeEditors();
    }
  });

  it('opens a file by its place on this machine, at its column', async () => {
    const [root] = workspace.workspaceFolders ?? [];
    const here = root?.uri.path ?? '';
    await chat.ask(
      `say: See [one](${here}/src/berths.ts:5:3), [two](file://${here}/src/berths.ts#L7), [three](C:\\w\\${here.split('/').at(-1)}\\src\\berths.ts), [four](/etc/hosts) and [five](${here}/../other.ts).`,
    );
    await chat.untilAnswered('See one, two, three, four and five.');
    const links = '.answer .file-reference';
    await until('three lead somewhere', async () => (await texts(links, { frame })).join() === 'one,two,three');
    const at = () => window.activeTextEditor?.selection.start;
    await click(`${links}:text-is("one")`, { frame });
    await until('the column is shown', () => at()?.line === 4 && at()?.character === 2);
    await click(`${links}:text-is("two")`, { frame });
    await until('the line is shown', () => at()?.line === 6);
    await closeEditors();
  });

  it('shows where a link leads before it opens it', async () => {
    await ask('say: [docs](https://example.com/docs?q=1)');
    await click('.markdown a', { frame });
    assert.match(await dialog.text(), /https:\/\/example\.com\/docs\?q=1/);
    await dialog.press('Cancel');
  });

  it('copies code, inserts it at the cursor, and takes it back with one undo', async () => {
    const document = await workspace.openTextDocument({ content: 'first\nlast\n' });
    const editor = await window.showTextDocument(document);
    editor.selection = new Selection(1, 0, 1, 0);
    await ask('say: ```js\nconst a = 1;\nconst b = 2;\n```');
    await chat.open();
    await click('.code [aria-label="Copy"]', { frame });
    await until(
      'the code is in the clipboard',
      async () => (await env.clipboard.readText()) === 'const a = 1;\nconst b = 2;',
    );
    await click('.code [aria-label="Insert at Cursor"]', { frame });
    await until('the code is in the file', () => document.getText() === 'first\nconst a = 1;\nconst b = 2;last\n');
    await window.showTextDocument(document);
    await commands.executeCommand('undo');
    await until('it is gone', () => document.getText() === 'first\nlast\n');
  });

  it('says in one sentence that there is no editor to insert into', async () => {
    await closeEditors();
    await ask('say: ```js\nconst a = 1;\n```');
    await click('.code [aria-label="Insert at Cursor"]', { frame });
    await notification.untilSaid('No editor is open to insert into');
  });

  it('picks the model from the list of the service, and takes a typed one', async () => {
    await click('.model', { frame });
    await quickPick.untilListed('parley-chat-large');
    assert.deepEqual((await quickPick.items()).slice(0, 2), ['parley-chat', 'parley-chat-large']);
    await quickPick.choose('parley-chat-large');
    await until('it is in the panel', async () => (await text('.model-name', { frame })) === 'parley-chat-large');
    const picking = commands.executeCommand(Command.chatPickModel);
    await quickPick.filter('my-model');
    await quickPick.choose('Use “my-model”');
    await picking;
    assert.equal(workspace.getConfiguration().get('parley.chat.model'), 'my-model');
    await ask('say: hi');
    assert.equal(bodyOf(chatRequests(service)[0]).model, 'my-model');
  });

  it('says in the list of models that the service is down, offers nothing as if it came from there, and asks again', async () => {
    const { port } = service;
    await service.close();
    const picking = commands.executeCommand(Command.chatPickModel);
    await until('it is said', async () => (await inputBox.message()).includes('Nothing answers at'));
    assert.deepEqual(await quickPick.items(), ['Ask the Service Again', 'parley-chat']);
    service = await startService({ port });
    await quickPick.choose('Ask the Service Again');
    await quickPick.untilListed('parley-embed');
    await press('Escape');
    await picking;
  });

  it('asks for the name of the model where the service offers no list', async () => {
    const bare = await startService({ models: false });
    await setting('parley.baseUrl', bare.baseUrl);
    const picking = commands.executeCommand(Command.chatPickModel);
    await quickPick.untilAsked('The model that chats: this service lists no models, so type a name');
    await quickPick.filter('typed-model');
    await quickPick.choose('Use “typed-model”');
    await picking;
    assert.equal(workspace.getConfiguration().get('parley.chat.model'), 'typed-model');
    await bare.close();
  });

  it('exports the conversation as a Markdown document', async () => {
    await ask('say: exported **text**');
    await commands.executeCommand(Command.chatExport);
    const content = window.activeTextEditor?.document.getText() ?? '';
    assert.equal(window.activeTextEditor?.document.languageId, 'markdown');
    assert.ok(content.includes('say: exported **text**') && content.includes('\nexported **text**\n'), content);
  });

  it('offers three things to try that fit the open file, and asks one with the file', async () => {
    const [file] = await workspace.findFiles('src/berths.ts');
    assert.ok(file);
    await window.showTextDocument(file);
    await chat.open();
    await until('the file is named', async () => (await texts('.suggestion', { frame }))[0]?.includes('berths.ts'));
    assert.equal((await texts('.suggestion', { frame })).length, 3);
    await click('.suggestion', { frame });
    await chat.untilAnswered();
    const sent = bodyOf(chatRequests(service)[0]).messages.at(-1)?.content ?? '';
    assert.ok(sent.includes('From src/berths.ts, lines 1 to') && sent.includes('export function overlaps'), sent);
  });

  it('is clean to a screen reader’s eye, with a whole conversation in it', async () => {
    await ask('say: # Title\n\nText with `code` and [a link](https://example.com).\n\n```js\nconst a = 1;\n```');
    await hover('.answer', { frame });
    assert.deepEqual(await axe(frame), []);
    await screenshot('chat');
  });

  it('shows the same words that the service sent', async () => {
    const words = Array.from({ length: 400 }, (_, i) => `word${i + 1}`).join(' ');
    await chat.ask('count to 400');
    assert.ok(sameWords(await chat.untilAnswered('word400'), words));
  });
});
