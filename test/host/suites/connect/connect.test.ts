import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { commands, workspace } from 'vscode';
import { usualPorts } from '../../../../src/connect/localServices.ts';
import { Command } from '../../../../src/ids/ids.ts';
import type { SettingId } from '../../../../src/ids/settingIds.ts';
import { DEFAULT_KEY } from '../../../service/auth.ts';
import type { ReferenceService } from '../../../service/options.ts';
import {
  click,
  dialog,
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
import { enterKey, removeKeys } from '../support/keys.ts';
import { allRequests, connectTo, disconnect, setting, startService } from '../support/service.ts';
import { until } from '../support/until.ts';

const read = (id: SettingId): unknown => workspace.getConfiguration().get(id);
const bearer = `Bearer ${DEFAULT_KEY}`;

/** Runs a command that asks questions; the answers are given while it runs. */
async function run(command: string, answer: () => Promise<void>): Promise<void> {
  const running = commands.executeCommand(command);
  await answer();
  await running;
}

/** Types an address and takes the item that stands for it as it was put right. */
async function enterAddress(typed: string, right = typed): Promise<void> {
  await quickPick.untilAsked('https://host/openai/v1');
  await quickPick.filter(typed);
  await quickPick.choose(`Use ${right}`);
}

/** What the settings of the connection are. */
const settings = (): unknown[] =>
  (['parley.baseUrl', 'parley.chat.model', 'parley.embeddings.model', 'parley.audio.model'] as const).map(read);

const goBack = (): Promise<void> => click('.quick-input-titlebar [aria-label^="Back"]');

/** The row that Enter would take, with all its texts. */
const activeRow = (): Promise<string> => text('.quick-input-list .monaco-list-row.focused');

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

/** A service that asks for no key, on the first of the usual ports that nobody has. */
async function startOnUsualPort(): Promise<ReferenceService> {
  for (const { port } of usualPorts) {
    try {
      return await startService({ port, key: null, basePath: '/v1' });
    } catch {
      // Taken: the next one.
    }
  }
  throw new Error('All of the usual ports are taken on this machine.');
}

/** Answers the questions for models of a service that lists none: a typed one that chats, and no others. */
async function typeChatModel(model: string): Promise<void> {
  await quickPick.untilAsked(unlisted('The model that chats'));
  await quickPick.filter(model);
  await quickPick.choose(`Use “${model}”`);
  await quickPick.untilAsked(unlisted('The model that embeds code, for search by meaning'));
  await quickPick.choose('None: search by keywords only');
  await quickPick.untilAsked(unlisted('The model that translates recordings'));
  await quickPick.choose('None: no audio translation');
}

/** What the views of VS Code's own say while they have nothing to show. */
const welcome = '.pane-body .welcome-view-content';

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
      await enterAddress(`  ${service.baseUrl}/chat/completions/ `, service.baseUrl);
      await enterKey(`"Bearer ${DEFAULT_KEY}" `);
      await chooseModels('parley-chat', 'parley-embed', 'parley-whisper');
    });
    const said = await notification.untilSaid('Chat works');
    assert.ok(said.includes(`${service.baseUrl}/chat/completions`), said);
    assert.match(said, /Chat works: [^ ]+, \d+ ms, streamed\./);
    assert.match(said, /Embeddings work: [^ ]+\/embeddings, 256 dimensions, \d+ ms\./);
    assert.match(said, /Audio works: [^ ]+\/audio\/translations, \d+ ms\./);
    assert.equal(read('parley.baseUrl'), service.baseUrl);
    assert.equal(read('parley.chat.model'), 'parley-chat');
    assert.equal(read('parley.embeddings.model'), 'parley-embed');
    assert.equal(read('parley.audio.model'), 'parley-whisper');
    // The address is tried before there is a key.
    const [tried, ...others] = allRequests(service);
    assert.equal(tried?.headers.authorization, undefined);
    assert.ok(others.every((request) => request.headers.authorization === bearer));
  });

  it('takes a typed model where the service lists none, and leaves embeddings and audio out', async () => {
    const bare = await startService({ models: false, key: null });
    await run(Command.connect, async () => {
      await enterAddress(bare.baseUrl);
      await enterKey('');
      await typeChatModel('my-own-model');
    });
    await notification.untilSaid('Chat works');
    assert.equal(read('parley.chat.model'), 'my-own-model');
    assert.equal(read('parley.embeddings.model'), '');
    assert.ok(allRequests(bare).every((request) => request.headers.authorization === undefined));
    await bare.close();
  });

  it('says what is wrong with an address while it is typed, and does not go on', async () => {
    await run(Command.connect, async () => {
      for (const [typed, said] of [
        ['ftp://host/v1', 'begins with https://'],
        ['https://user:secret@host/v1', 'user name and password'],
        ['two words', 'not an address'],
      ] as const) {
        await quickPick.untilAsked('https://host/openai/v1');
        await inputBox.enter(typed);
        await until(`the box says “${said}”`, async () => (await inputBox.message()).includes(said));
      }
      await press('Escape');
    });
    assert.equal(read('parley.baseUrl'), '');
  });

  it('quirk 42: shows the address it will call while one is typed, as typed and with a version', async () => {
    await run(Command.connect, async () => {
      await quickPick.untilAsked('https://host/openai/v1');
      await quickPick.filter('host.example/openai/chat/completions?api-version=1');
      await quickPick.untilListed('Use https://host.example/openai');
      await quickPick.untilListed('Use https://host.example/openai/v1');
      const details = await texts('.quick-input-list .quick-input-list-label-meta');
      assert.deepEqual(details, [
        'Parley will call https://host.example/openai/chat/completions',
        'Parley will call https://host.example/openai/v1/chat/completions',
      ]);
      await press('Escape');
    });
    assert.equal(read('parley.baseUrl'), '');
  });

  it('takes what was typed when Enter follows at once', async () => {
    await run(Command.connect, async () => {
      await quickPick.untilAsked('https://host/openai/v1');
      await inputBox.enter(service.baseUrl);
      await quickPick.untilAsked(`API key for ${new URL(service.baseUrl).origin}`);
      await press('Escape');
    });
    assert.equal(read('parley.baseUrl'), '');
  });

  it('finds a well-known service by its name', async () => {
    await run(Command.connect, async () => {
      await quickPick.untilAsked('https://host/openai/v1');
      await quickPick.filter('groq');
      await until('it is the one that Enter takes', async () =>
        (await activeRow()).includes('https://api.groq.com/openai/v1'),
      );
      await press('Enter');
      // Either its key is asked for, or nothing can be reached from this machine.
      await until(
        'it is the one that is tried',
        async () => (await inputBox.message()).includes('api.groq.com'),
        60_000,
      );
      await press('Escape');
    });
  });

  it('offers what answers on this machine, asked without a key and only now', async () => {
    const local = await startOnUsualPort();
    const label = `localhost:${local.port}`;
    const row = `.quick-input-list .monaco-list-row:has-text("${label}"):has-text("4 models: chat, embeddings, audio")`;
    assert.equal(local.requests.length, 0);
    let connecting: Thenable<unknown> | undefined;
    // A port has 300 ms to answer: on a busy machine it takes a second look.
    await until('the service is offered', async () => {
      connecting = commands.executeCommand(Command.connect);
      await quickPick.untilAsked('https://host/openai/v1');
      await waitFor('.quick-input-widget .monaco-progress-container.active', { state: 'hidden' });
      if (await visible(row)) return true;
      await press('Escape');
      await connecting;
      return false;
    });
    assert.ok(
      local.requests.length === 0 && allRequests(local).every(({ headers }) => headers.authorization === undefined),
    );
    await screenshot('connect-address');
    await quickPick.choose(label);
    await enterKey('');
    await chooseModels('parley-chat', 'parley-embed', 'parley-whisper');
    await connecting;
    await notification.untilSaid('Chat works');
    assert.equal(read('parley.baseUrl'), `http://localhost:${local.port}/v1`);
    await local.close();
  });

  it('suggests a model for each purpose, and none where none fits', async () => {
    const chatOnly = createServer((request, response) => {
      const answers: Record<string, object> = {
        '/v1/models': { data: [{ id: 'a' }, { id: 'b' }] },
        '/v1/chat/completions': { choices: [{ index: 0, message: { content: 'Hi' }, finish_reason: 'stop' }] },
      };
      const answer = answers[request.url ?? ''];
      response.writeHead(answer === undefined ? 404 : 200).end(JSON.stringify(answer ?? {}));
    }).listen(0, '127.0.0.1');
    await run(Command.connect, async () => {
      await enterAddress(service.baseUrl);
      await enterKey(DEFAULT_KEY);
      await quickPick.untilAsked('The model that chats');
      await until('a chat model is suggested', async () => /parley-chat\s*suggested for chat/.test(await activeRow()));
      await press('Enter');
      await until('another for embeddings', async () => /parley-embed\s*suggested for emb/.test(await activeRow()));
      await press('Enter');
      await until('another for audio', async () => /parley-whisper\s*suggested for audio/.test(await activeRow()));
      await press('Enter');
    });
    await notification.untilSaid('Audio works');
    await run(Command.connect, async () => {
      await enterAddress(`http://127.0.0.1:${(chatOnly.address() as AddressInfo).port}/v1`);
      await enterKey('');
      await quickPick.untilAsked('The model that chats');
      await until('the first is suggested, not the one in use elsewhere', async () =>
        (await activeRow()).startsWith('a'),
      );
      await press('Enter');
      await until('no model for embeddings', async () => (await activeRow()).startsWith('None'));
      await press('Enter');
      await quickPick.untilAsked('The model that translates recordings');
      await until('no model for audio', async () => (await activeRow()).startsWith('None'));
      await press('Enter');
    });
    await until('it is kept', () => read('parley.chat.model') === 'a');
    assert.equal(read('parley.embeddings.model'), '');
    assert.equal(read('parley.audio.model'), '');
    chatOnly.close();
    chatOnly.closeAllConnections();
  });

  it('goes back to the question before', async () => {
    const other = await startService();
    await run(Command.connect, async () => {
      await enterAddress(other.baseUrl);
      await until('the key is asked for', () => inputBox.isPassword());
      assert.match(await inputBox.message(), /\(2\/5\)/);
      await goBack();
      await enterAddress(service.baseUrl);
      await enterKey(DEFAULT_KEY);
      await quickPick.untilAsked('The model that chats');
      await goBack();
      await until(
        'what was typed is there',
        async () => (await inputBox.isPassword()) && (await inputBox.value()) !== '',
      );
      await press('Enter');
      await chooseModels('parley-chat', 'None: search by keywords only', 'None: no audio translation');
    });
    await notification.untilSaid('Chat works');
    assert.equal(read('parley.baseUrl'), service.baseUrl);
    assert.ok(other.requests.every(({ headers }) => headers.authorization === undefined));
    await other.close();
  });

  it('quirk 43: asks before a key goes over plain http to another machine', async () => {
    const origin = `http://0.0.0.0:${service.port}`;
    await run(Command.connect, async () => {
      await enterAddress(`${origin}/openai/v1`);
      assert.match(
        await dialog.text(),
        /Send your key to http:\/\/0\.0\.0\.0:\d+ over plain http\?[\s\S]*could read the key/,
      );
      await dialog.press('Cancel');
      await enterAddress(`${origin}/openai/v1`);
      await dialog.press(`Allow for ${origin}`);
      await until('the key is asked for', () => inputBox.isPassword());
      await press('Escape');
    });
    assert.deepEqual(read('parley.insecureOrigins'), [origin]);
    assert.ok(service.requests.every(({ headers }) => headers.authorization === undefined));
    await setting('parley.baseUrl', `${origin}/openai/v1`);
    await setting('parley.insecureOrigins', undefined);
    await run(Command.setApiKey, () => dialog.press('Cancel'));
    assert.deepEqual(read('parley.insecureOrigins'), []);
  });

  it('keeps what is in use when a question is closed, and says so', async () => {
    await removeKeys();
    await connectTo(service);
    const other = await startService();
    const before = settings();
    const closings: (() => Promise<unknown>)[] = [
      () => until('the key is asked for', () => inputBox.isPassword()),
      () => enterKey(DEFAULT_KEY).then(() => quickPick.untilAsked('The model that chats')),
    ];
    for (const reach of closings) {
      await run(Command.connect, async () => {
        await enterAddress(other.baseUrl);
        await reach();
        await press('Escape');
      });
      await notification.untilSaid(`Nothing was changed. ${service.baseUrl} stays in use.`);
      await notification.clear();
      assert.deepEqual(settings(), before);
    }
    await run(Command.removeApiKey, async () => undefined);
    await notification.untilSaid('No API key is stored.');
    await other.close();
  });

  it('says that an address is dead before it asks for a key, and keeps what was typed and what is in use', async () => {
    await connectTo(service);
    const before = settings();
    const gone = await startService();
    await gone.close();
    await run(Command.connect, async () => {
      await enterAddress(gone.baseUrl);
      await until('it is said', async () => {
        const said = await inputBox.message();
        return said.includes('Nothing answers at') && said.includes(`${service.baseUrl} stays in use.`);
      });
      assert.equal(await inputBox.isPassword(), false);
      await quickPick.untilListed(`Use ${gone.baseUrl}`);
      const again = await startService({ port: gone.port });
      await quickPick.choose(`Use ${gone.baseUrl}`);
      await until('the key is asked for', () => inputBox.isPassword());
      assert.ok(allRequests(again).length > 0);
      assert.ok(allRequests(again).every(({ headers }) => headers.authorization === undefined));
      await press('Escape');
      await again.close();
    });
    assert.deepEqual(settings(), before);
  });

  it('goes back to a key that was not accepted, keeps what was typed and what is in use, and then goes on', async () => {
    await connectTo(service);
    const before = settings();
    const other = await startService();
    await run(Command.connect, async () => {
      await enterAddress(other.baseUrl);
      await enterKey('sk-wrong-key');
      await until('it is said', async () => {
        const said = await inputBox.message();
        return said.includes('did not accept the API key') && said.includes(`${service.baseUrl} stays in use.`);
      });
      assert.equal(await inputBox.isPassword(), true);
      assert.equal(await inputBox.value(), 'sk-wrong-key');
      assert.deepEqual(settings(), before);
      await inputBox.enter(DEFAULT_KEY);
      await chooseModels('parley-chat', 'None: search by keywords only', 'None: no audio translation');
    });
    await notification.untilSaid('Chat works');
    assert.equal(read('parley.baseUrl'), other.baseUrl);
    await other.close();
  });

  it('goes back to the model that the test call found wrong, and keeps all that was given when told to', async () => {
    await connectTo(service);
    const before = settings();
    const other = await startService({ key: null });
    await run(Command.connect, async () => {
      await enterAddress(other.baseUrl);
      await enterKey('');
      await quickPick.untilAsked('The model that chats');
      await quickPick.filter('fault-500');
      await quickPick.choose('Use “fault-500”');
      await quickPick.untilAsked('The model that embeds code, for search by meaning');
      await quickPick.choose('None: search by keywords only');
      await quickPick.untilAsked('The model that translates recordings');
      await quickPick.choose('None: no audio translation');
      await until('it is said', async () => (await inputBox.message()).includes('failed with status 500'));
      assert.deepEqual(settings(), before);
      await quickPick.choose('Use “fault-500” Anyway');
    });
    await notification.untilSaid('it was not tried');
    assert.deepEqual(settings(), [other.baseUrl, 'fault-500', '', '']);
    await other.close();
  });

  it('takes a service that is not running where the user wants it anyway', async () => {
    const gone = await startService();
    await gone.close();
    await run(Command.connect, async () => {
      await enterAddress(gone.baseUrl);
      await until('it is said', async () => (await inputBox.message()).includes('Nothing answers at'));
      await quickPick.choose(`Use ${gone.baseUrl} Anyway`);
      await enterKey('');
      await typeChatModel('my-own-model');
    });
    await notification.untilSaid('it was not tried');
    assert.deepEqual(settings(), [gone.baseUrl, 'my-own-model', '', '']);
  });

  it('goes on to the models after Set API Key where none is set', async () => {
    await setting('parley.baseUrl', service.baseUrl);
    await run(Command.setApiKey, async () => {
      await enterKey(DEFAULT_KEY);
      await chooseModels('parley-chat', 'parley-embed', 'None: no audio translation');
    });
    await notification.untilSaid('Chat works');
    assert.deepEqual(settings(), [service.baseUrl, 'parley-chat', 'parley-embed', '']);
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
    await notification.untilSaid('There is no API key for 127.0.0.1');
    assert.equal(service.requests.at(-1)?.headers.authorization, undefined);
    // A service of this machine may need none: only its own refusal says that it wants one.
    await setting('parley.apiKeyEnvironmentVariable', 'PARLEY_NOT_SET');
    await notification.clear();
    await run(Command.testConnection, async () => undefined);
    await notification.untilSaid('the environment variable PARLEY_NOT_SET of the settings is not set');
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

  it('tells what failed and what works, the one beside the other', async () => {
    await connectTo(service);
    await setting('parley.embeddings.model', 'fault-404');
    await run(Command.testConnection, async () => undefined);
    const said = await notification.untilSaid('There is nothing at');
    assert.ok(said.includes(`${service.baseUrl}/embeddings`), said);
    assert.match(said, /Chat works: .*Audio works: /);
  });

  it('says that nothing listens at an address, and offers to connect', async () => {
    await connectTo(service);
    const gone = await startService();
    await setting('parley.baseUrl', gone.baseUrl);
    await gone.close();
    await run(Command.testConnection, async () => undefined);
    await notification.untilSaid('Nothing answers at');
    await notification.press('Connect');
    await until('the address is asked for', async () => (await inputBox.message()).includes('type its base URL'));
    await press('Escape');
  });

  it('offers to connect by one button, and searches by keywords, while nothing is connected', async () => {
    await commands.executeCommand('parley.search.focus');
    await commands.executeCommand('parley.conversations.focus');
    await commands.executeCommand('parley.chat.focus');
    await waitFor('.welcome .button:text-is("Connect")', { frame: '.welcome' });
    await waitFor(`${welcome} a:text-is("Connect a service")`);
    assert.deepEqual(await texts(`${welcome} .monaco-button`), ['Search by Keywords']);
  });

  it('offers to set the key by one button while only the key is missing', async () => {
    await setting('parley.baseUrl', 'https://service.invalid/v1');
    await commands.executeCommand('parley.search.focus');
    await waitFor(`${welcome} a:text-is("Set the API key")`);
    assert.deepEqual(await texts(`${welcome} .monaco-button`), ['Search by Keywords']);
    await commands.executeCommand(Command.chatNew);
    await commands.executeCommand('parley.chat.focus');
    await click('.welcome .button:text-is("Set API Key")', { frame: '.welcome' });
    await until('the key is asked for', () => inputBox.isPassword());
    await press('Escape');
  });
});
