import assert from 'node:assert/strict';
import { commands, type LanguageModelChat, LanguageModelChatMessage, lm, type Uri, window, workspace } from 'vscode';
import { DEFAULT_KEY } from '../../../service/auth.ts';
import type { ReferenceService } from '../../../service/options.ts';
import { click, inputBox, press, screenshot, waitFor } from '../support/hands.ts';
import { allRequests, connectTo, disconnect, startService } from '../support/service.ts';
import { until } from '../support/until.ts';

const vendor = 'parley';
const otherKey = 'sk-parley-of-the-group';

/** What VS Code's add-model form does with the answers. */
async function addGroup(answers: { name: string; url: string; apiKey?: string; models?: string }): Promise<void> {
  await commands.executeCommand('lm.addLanguageModelsProviderGroup', { vendor, ...answers });
}

/** Where VS Code keeps what its form asked for; it shows the file by a command of its own. */
async function groupsFile(): Promise<Uri> {
  await commands.executeCommand('workbench.action.openLanguageModelsJson');
  const { document } = await until('the file is shown', () => window.activeTextEditor);
  assert.match(document.uri.path, /chatLanguageModels\.json$/);
  await commands.executeCommand('workbench.action.closeActiveEditor');
  return document.uri;
}

const idsAt = async (url: string): Promise<string[]> =>
  (await lm.selectChatModels({ vendor })).filter(({ id }) => id.startsWith(url)).map(({ name }) => name);

async function answerOf(model: LanguageModelChat | undefined, question: string): Promise<string> {
  assert.ok(model);
  let answer = '';
  for await (const piece of (await model.sendRequest([LanguageModelChatMessage.User(question)])).text) answer += piece;
  return answer;
}
const bearers = (service: ReferenceService): Set<string | undefined> =>
  new Set(allRequests(service).map(({ headers }) => headers['authorization']));

describe('Models added by VS Code’s own form', () => {
  let first: ReferenceService;
  let second: ReferenceService;
  before(async () => {
    first = await startService();
    second = await startService({ key: otherKey });
    await connectTo(first);
  });
  after(async () => {
    await disconnect();
    await first.close();
    await second.close();
  });
  // VS Code reads the file again when the next group is added.
  afterEach(async () => workspace.fs.writeFile(await groupsFile(), Buffer.from('[]')));

  it('are asked for in VS Code’s own words: name, address, the key as a password, and models', async () => {
    await commands.executeCommand('workbench.action.chat.manage');
    await click('.monaco-button:has-text("Add Models")');
    await click('.monaco-menu .action-item:has-text("Parley")');
    for (const [title, answer, isSecret] of [
      ['Group Name', 'By hand', false],
      ['By hand: Base URL', second.baseUrl, false],
      ['By hand: API Key', otherKey, true],
      ['By hand: Models', 'typed-by-hand', false],
    ] as const) {
      await until(`${title} is asked for`, async () => (await inputBox.message()).includes(title));
      assert.equal(await inputBox.isPassword(), isSecret);
      await inputBox.enter(answer);
    }
    await until('the models are there', async () => (await idsAt(second.baseUrl)).includes('typed-by-hand'));
    await waitFor('.monaco-list-row:has-text("typed-by-hand")');
    await screenshot('models');
    await press('Escape');
    assert.deepEqual(bearers(second), new Set([`Bearer ${otherKey}`]));
  });

  it('stand beside those of the settings, each with the key of its own address', async () => {
    await addGroup({
      name: 'Second',
      url: `${second.baseUrl}/`,
      apiKey: otherKey,
      models: 'typed-in-the-form, another',
    });
    const names = await until('both services list their models', async () => {
      const found = await idsAt(second.baseUrl);
      return found.length > 0 && found;
    });
    assert.deepEqual(names, ['typed-in-the-form', 'another', 'parley-chat', 'parley-chat-large']);
    assert.deepEqual(await idsAt(first.baseUrl), ['parley-chat', 'parley-chat-large']);
    const [model] = await lm.selectChatModels({ vendor, id: `${second.baseUrl}#parley-chat-large` });
    assert.equal(await answerOf(model, 'say: from the second'), 'from the second');
    const [own] = await lm.selectChatModels({ vendor, id: `${first.baseUrl}#parley-chat-large` });
    assert.equal(await answerOf(own, 'say: from the first'), 'from the first');
    assert.deepEqual(bearers(first), new Set([`Bearer ${DEFAULT_KEY}`]));
    assert.deepEqual(bearers(second), new Set([`Bearer ${otherKey}`]));
    const kept = Buffer.from(await workspace.fs.readFile(await groupsFile())).toString();
    assert.ok(kept.includes(second.baseUrl) && !kept.includes(otherKey), 'the key is not in the file');
  });

  it('never get the key of the settings, whatever address they name', async () => {
    const open = await startService({ key: null });
    await addGroup({ name: 'No key', url: open.baseUrl });
    await until('the models are there', async () => (await idsAt(open.baseUrl)).length > 0);
    assert.deepEqual(bearers(open), new Set([undefined]));
    await open.close();
  });

  it('are not there when the address is none, and the others stay', async () => {
    await addGroup({ name: 'Broken', url: 'ftp://host/v1', apiKey: otherKey, models: 'never' });
    const names = (await lm.selectChatModels({ vendor })).map(({ name }) => name);
    assert.deepEqual(names, ['parley-chat', 'parley-chat-large']);
  });

  it('send no key over plain http to another machine', async () => {
    await addGroup({ name: 'Plain', url: 'http://service.invalid/v1', apiKey: otherKey, models: 'plain' });
    const model = await until('the typed model is there', async () =>
      (await lm.selectChatModels({ vendor })).find(({ name }) => name === 'plain'),
    );
    await assert.rejects(answerOf(model, 'Hello'), { code: 'insecure' });
  });
});
