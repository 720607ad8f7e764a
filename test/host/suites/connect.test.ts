import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commands, workspace } from 'vscode';
import { Command, type SettingId } from '../../../src/ids.ts';
import { DEFAULT_KEY } from '../../service/auth.ts';
import type { ReferenceService } from '../../service/options.ts';
import { click, inputBox, notification, press, quickPick, waitFor } from './hands.ts';
import { connectTo, disconnect, setting, startService } from './service.ts';
import { until } from './until.ts';

const read = (id: SettingId): unknown => workspace.getConfiguration().get(id);
const bearer = `Bearer ${DEFAULT_KEY}`;

/** Runs a command that asks questions; the answers are given while it runs. */
async function run(command: string, answer: () => Promise<void>): Promise<void> {
  const running = commands.executeCommand(command);
  await answer();
  await running;
}

async function enterKey(key: string): Promise<void> {
  await until('the key is asked for in a password box', () => inputBox.isPassword());
  await inputBox.enter(key);
}

const unlisted = (question: string): string => `${question}: this service lists no models, so type a name`;

async function chooseModels(...labels: [chat: string, embeddings: string, audio: string]): Promise<void> {
  const questions = [
    'The model that chats',
    'The model that embeds code, for search by meaning',
    'The model that translates recordings',
  ];
  for (const [i, label] of labels.entries()) {
    await quickPick.untilAsked(questions[i] ?? '');
    await quickPick.choose(label);
  }
}

async function removeKeys(): Promise<void> {
  for (let keys = 0; keys < 3; keys++) {
    const asked = commands.executeCommand(Command.removeApiKey);
    await Promise.race([asked, quickPick.items().then(() => press('Enter'))]).catch(() => undefined);
    await asked;
  }
  await notification.clear();
}

describe('Connection', () => {
  let service: ReferenceService;
  beforeEach(async () => {
    service = await startService();
    await disconnect();
    await notification.clear();
  });
  afterEach(async () => {
    await disconnect();
    await service.close();
  });
  after(removeKeys);

  it('asks for address, key and models, then makes a test call and names the address it called', async () => {
    await run(Command.connect, async () => {
      await inputBox.enter(`  ${service.baseUrl}/chat/completions/ `);
      await enterKey(`"Bearer ${DEFAULT_KEY}" `);
      await chooseModels('parley-chat', 'parley-embed', 'parley-whisper');
    });
    const said = await notification.untilSaid('Chat works');
    assert.ok(said.includes(`${service.baseUrl}/chat/completions`), said);
    assert.ok(said.includes(`${service.baseUrl}/embeddings`), said);
    assert.equal(read('parley.baseUrl'), service.baseUrl);
    assert.equal(read('parley.chat.model'), 'parley-chat');
    assert.equal(read('parley.embeddings.model'), 'parley-embed');
    assert.equal(read('parley.audio.model'), 'parley-whisper');
    assert.ok(service.requests.every((request) => request.headers.authorization === bearer));
  });

  it('takes a typed model where the service lists none, and leaves embeddings and audio out', async () => {
    const bare = await startService({ models: false, key: null });
    await run(Command.connect, async () => {
      await inputBox.enter(bare.baseUrl);
      await enterKey('');
      await quickPick.untilAsked(unlisted('The model that chats'));
      await quickPick.filter('my-own-model');
      await quickPick.choose('Use “my-own-model”');
      await quickPick.untilAsked(unlisted('The model that embeds code, for search by meaning'));
      await quickPick.choose('None: search by keywords only');
      await quickPick.untilAsked(unlisted('The model that translates recordings'));
      await quickPick.choose('None: no audio translation');
    });
    await notification.untilSaid('Chat works');
    assert.equal(read('parley.chat.model'), 'my-own-model');
    assert.equal(read('parley.embeddings.model'), '');
    assert.ok(bare.requests.every((request) => request.headers.authorization === undefined));
    await bare.close();
  });

  it('says what is wrong with an address while it is typed, and does not go on', async () => {
    await run(Command.connect, async () => {
      for (const [typed, said] of [
        ['ftp://host/v1', 'begins with https://'],
        ['https://user:secret@host/v1', 'user name and password'],
        ['two words', 'not an address'],
      ] as const) {
        await inputBox.enter(typed);
        await until(`the box says “${said}”`, async () => (await inputBox.message()).includes(said));
      }
      await press('Escape');
    });
    assert.equal(read('parley.baseUrl'), '');
  });

  it('keeps the address when the question for the key is closed', async () => {
    await run(Command.connect, async () => {
      await inputBox.enter(service.baseUrl);
      await until('the key is asked for', () => inputBox.isPassword());
      await press('Escape');
    });
    assert.equal(read('parley.baseUrl'), service.baseUrl);
  });

  it('says that the key was not accepted, and offers to set it', async () => {
    await connectTo(service);
    await run(Command.setApiKey, () => enterKey('sk-wrong-key'));
    await run(Command.testConnection, async () => undefined);
    const said = await notification.untilSaid('did not accept the API key');
    assert.ok(said.includes(`${service.baseUrl}/chat/completions`), said);
    assert.ok(!said.includes('sk-wrong-key'));
    await notification.press('Set API Key');
    await enterKey(DEFAULT_KEY);
    await notification.untilSaid('is stored');
    await notification.press('Test Connection');
    await notification.untilSaid('Chat works');
  });

  it('removes the key of an origin', async () => {
    await connectTo(service);
    await setting('parley.apiKeyEnvironmentVariable', undefined);
    await removeKeys();
    await run(Command.setApiKey, () => enterKey(DEFAULT_KEY));
    await run(Command.testConnection, async () => undefined);
    await notification.untilSaid('Chat works');
    await run(Command.removeApiKey, async () => undefined);
    await notification.untilSaid('is removed');
    await run(Command.testConnection, async () => undefined);
    await notification.untilSaid('did not accept the API key');
    assert.equal(service.requests.at(-1)?.headers.authorization, undefined);
  });

  it('sends a stored key to no other origin', async () => {
    const other = await startService({ key: null });
    await connectTo(service);
    await setting('parley.apiKeyEnvironmentVariable', undefined);
    await run(Command.setApiKey, () => enterKey(DEFAULT_KEY));
    await setting('parley.baseUrl', other.baseUrl);
    await run(Command.testConnection, async () => undefined);
    await notification.untilSaid('Chat works');
    assert.ok(other.requests.length > 0);
    assert.ok(other.requests.every((request) => request.headers.authorization === undefined));
    await other.close();
  });

  it('takes the key from the environment variable of the user’s choice', async () => {
    await removeKeys();
    await connectTo(service);
    await run(Command.testConnection, async () => undefined);
    await notification.untilSaid('Chat works');
    assert.equal(service.requests.at(-1)?.headers.authorization, bearer);
  });

  it('lets no workspace choose the address', async () => {
    const hostile = await startService({ key: null });
    const folder = join(workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', '.vscode');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'settings.json'), JSON.stringify({ 'parley.baseUrl': hostile.baseUrl }));
    await connectTo(service);
    await run(Command.testConnection, async () => undefined);
    await notification.untilSaid('Chat works');
    assert.equal(read('parley.baseUrl'), service.baseUrl);
    assert.equal(hostile.requests.length, 0);
    rmSync(folder, { recursive: true });
    await hostile.close();
  });

  for (const [fault, said] of [
    ['html', 'web page'],
    ['404', 'nothing at'],
    ['500', 'failed with status 500'],
  ] as const) {
    it(`says in one sentence what the fault ${fault} is`, async () => {
      await connectTo(service);
      await setting('parley.chat.model', `fault-${fault}`);
      await run(Command.testConnection, async () => undefined);
      const text = await notification.untilSaid(said);
      assert.ok(text.includes(service.baseUrl), text);
      assert.doesNotMatch(text, /at \w+ \(|\[object|sk-parley/);
    });
  }

  it('says that nothing listens at an address, and offers to connect', async () => {
    await connectTo(service);
    const gone = await startService();
    await setting('parley.baseUrl', gone.baseUrl);
    await gone.close();
    await run(Command.testConnection, async () => undefined);
    await notification.untilSaid('Nothing answers at');
    await notification.press('Connect');
    await until('the address is asked for', async () => (await inputBox.message()).includes('address'));
    await press('Escape');
  });

  it('offers to connect in every view while nothing is connected', async () => {
    for (const view of ['parley.search', 'parley.conversations']) {
      await commands.executeCommand(`${view}.focus`);
      await waitFor('.pane-body .welcome-view-content .monaco-button:has-text("Connect")');
    }
  });

  it('offers to set the key in every view while only the key is missing', async () => {
    await setting('parley.baseUrl', 'https://service.invalid/v1');
    for (const view of ['parley.search', 'parley.conversations']) {
      await commands.executeCommand(`${view}.focus`);
      await waitFor('.pane-body .welcome-view-content .monaco-button:has-text("Set API Key")');
    }
    await commands.executeCommand(Command.chatNew);
    await commands.executeCommand('parley.chat.focus');
    await click('.welcome .button:text-is("Set API Key")', { frame: '.welcome' });
    await until('the key is asked for', () => inputBox.isPassword());
    await press('Escape');
  });
});
