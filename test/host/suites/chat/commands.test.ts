import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commands, Uri, window, workspace } from 'vscode';
import type { AskResult, IndexResult, ParleyCommands, SearchHit, TranslatedFile } from '../../../../src/editor/api.ts';
import { Command } from '../../../../src/ids/ids.ts';
import type { ReferenceService } from '../../../service/options.ts';
import { dialog, notification, press, quickPick, waitFor } from '../support/hands.ts';
import { connectTo, disconnect, setting, startService } from '../support/service.ts';
import { subject } from '../support/subject.ts';
import { until } from '../support/until.ts';

type Arguments<K extends keyof ParleyCommands> = Parameters<ParleyCommands[K]>;

/** Calls as another extension makes them; `call` takes arguments that the types forbid as well. */
const ask = (...args: Arguments<'parley.chat.ask'>) => commands.executeCommand<AskResult>('parley.chat.ask', ...args);
const search = (...args: Arguments<'parley.search.query'>) =>
  commands.executeCommand<SearchHit[]>('parley.search.query', ...args);
const index = () => commands.executeCommand<IndexResult>('parley.search.index');
const translate = (...args: Arguments<'parley.audio.translate'>) =>
  commands.executeCommand<TranslatedFile[]>('parley.audio.translate', ...args);
const call = (command: keyof ParleyCommands, ...args: unknown[]) => commands.executeCommand(command, ...args);

/** The code and the sentence of a call that fails. */
async function failureOf(call: Thenable<unknown>): Promise<{ code: unknown; message: string }> {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof Error, 'the command rejects');
  assert.ok(error.message.length > 5 && !/\[object|undefined/.test(error.message), error.message);
  return { code: 'code' in error ? error.code : undefined, message: error.message };
}
const codeOf = async (call: Thenable<unknown>): Promise<unknown> => (await failureOf(call)).code;

const folder = (): string => workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
const scratch = (): string => join(folder(), 'scratch');
const recording = (name: string): Uri => Uri.file(join(folder(), 'recordings', name));

describe('The commands for other extensions', () => {
  let service: ReferenceService;

  before(() => subject().activate());
  beforeEach(async () => {
    service = await startService();
    await connectTo(service);
    mkdirSync(scratch(), { recursive: true });
    await notification.clear();
  });
  afterEach(async () => {
    await press('Escape');
    await commands.executeCommand(Command.chatStop);
    await notification.clear();
    await service.close();
    rmSync(scratch(), { recursive: true, force: true });
  });
  after(disconnect);

  describe('parley.chat.ask', () => {
    it('waits for the answer that is being written, and for its own', async () => {
      await ask('First', { newConversation: true });
      const slow = await startService();
      slow.setFault('hold-once');
      await setting('parley.baseUrl', slow.baseUrl);
      const written = ask('count to 150');
      await until('it is written', async () => slow.requests.length > 0);
      const queued = [ask('say: the second'), ask('say: the third')];
      slow.release();
      const [first, ...others] = await Promise.all([written, ...queued]);
      assert.ok(first?.text.includes('word150'), 'the first was not cut off');
      assert.deepEqual(
        others.map(({ text }) => text),
        ['the second', 'the third'],
      );
      await slow.close();
      await connectTo(service);
    });

    it('asks in the conversation that it made, also when three calls meet', async () => {
      const answers = await Promise.all(
        ['say: red', 'say: green', 'say: blue'].map((question) => ask(question, { newConversation: true })),
      );
      assert.deepEqual(
        answers.map(({ text }) => text),
        ['red', 'green', 'blue'],
      );
      for (const { body } of service.requests.slice(-3))
        assert.equal(JSON.stringify(body).match(/"role":"user"/g)?.length, 1, 'nothing of the others is in it');
    });

    it('resolves with text, reason, usage and model', async () => {
      const answer = await ask('What is a mole?', { newConversation: true });
      assert.deepEqual(Object.keys(answer).sort(), ['finishReason', 'model', 'text', 'usage']);
      assert.ok(answer.text.length > 0);
      assert.deepEqual([answer.finishReason, answer.model], ['stop', 'parley-chat']);
      assert.ok((answer.usage?.promptTokens ?? 0) > 0 && (answer.usage?.completionTokens ?? 0) > 0);
    });

    it('goes on with the conversation, or begins a new one', async () => {
      const sent = () =>
        (service.requests.at(-1)?.body as { messages: { role: string }[] } | undefined)?.messages ?? [];
      await ask('First', { newConversation: true });
      await ask('Second');
      assert.equal(sent().filter(({ role }) => role === 'user').length, 2);
      await ask('Third', { newConversation: true });
      assert.equal(sent().filter(({ role }) => role === 'user').length, 1);
    });

    it('names the argument that is wrong, and sends nothing', async () => {
      for (const [args, param] of [
        [['  '], 'text'],
        [[7], 'text'],
        [['Hello', 'new'], 'options'],
        [['Hello', { newConversation: 'yes' }], 'newConversation'],
      ] as const) {
        const { code, message } = await failureOf(call('parley.chat.ask', ...args));
        assert.equal(code, 'invalid-request');
        assert.ok(message.includes(`“${param}”`), message);
      }
      assert.equal(service.requests.length, 0);
    });

    it('takes all arguments in one list, as a keybinding gives them', async () => {
      const answer = (await call('parley.chat.ask', ['Hello', { newConversation: true }])) as AskResult;
      assert.equal(answer.finishReason, 'stop');
    });

    for (const [fault, code] of [
      ['401', 'auth'],
      ['429-quota', 'quota'],
      ['cut-clean', 'truncated'],
      ['html', 'login-page'],
      ['model-not-found', 'model-not-found'],
      ['context-length', 'context-length'],
    ] as const) {
      it(`rejects with ${code} for the fault ${fault}`, async () => {
        service.setFault(fault);
        assert.equal(await codeOf(ask('Hello', { newConversation: true })), code);
      });
    }

    it('rejects with cancelled when the user stops the answer, and with what is missing in the settings', async () => {
      service.setFault('slow-first-byte');
      const stopped = codeOf(ask('Hello', { newConversation: true }));
      await service.waitForRequest((request) => request.path.endsWith('/chat/completions'));
      await commands.executeCommand(Command.chatStop);
      assert.equal(await stopped, 'cancelled');
      await setting('parley.chat.model', '');
      assert.equal(await codeOf(ask('Hello')), 'no-model');
      await disconnect();
      assert.equal(await codeOf(ask('Hello')), 'no-address');
      await setting('parley.baseUrl', 'https://nowhere.invalid/v1');
      await setting('parley.chat.model', 'm');
      const { code, message } = await failureOf(ask('Hello'));
      assert.deepEqual([code, message], ['no-key', 'There is no API key for nowhere.invalid.']);
    });
  });

  describe('parley.search.query', () => {
    it('resolves with a hit of each file, of six members and its further places, lines from 1, and their text', async () => {
      const hits = await search('read the tide table');
      assert.ok(hits.length > 1);
      for (const hit of hits) {
        const { places = [], ...best } = hit;
        assert.deepEqual(Object.keys(best).sort(), ['endLine', 'score', 'startLine', 'text', 'uri', 'why']);
        assert.ok(places.length <= 2 && places.every(({ score }) => score <= hit.score));
        const lines = readFileSync(hit.uri.fsPath, 'utf8')
          .split(/\r?\n/)
          .slice(hit.startLine - 1, hit.endLine);
        assert.equal(hit.text.split(/\r?\n/).join('\n').trim(), lines.join('\n').trim());
        assert.ok(hit.startLine >= 1 && hit.endLine >= hit.startLine && hit.score > 0);
      }
      assert.equal(new Set(hits.map(({ uri }) => uri.toString())).size, hits.length);
      assert.deepEqual(
        hits.map(({ score }) => score),
        hits.map(({ score }) => score).sort((a, b) => b - a),
      );
    });

    it('gives as many hits as asked for, out of the files that match', async () => {
      for (let i = 0; i < 30; i++) writeFileSync(join(scratch(), `zeppelin${i}.ts`), `export const zeppelin = ${i};\n`);
      writeFileSync(join(scratch(), 'notes.py'), `${'# The zeppelin\nlands = 1\n\n'.repeat(3)}`);
      writeFileSync(join(scratch(), 'more.py'), 'zeppelin = 2\n');
      await until('the new files are found', async () => (await search('zeppelin', { limit: 100 })).length > 30);
      assert.equal((await search('zeppelin', { limit: 3 })).length, 3);
      const python = await search('zeppelin', { limit: 2, globs: ['*.py'] });
      assert.deepEqual(python.map(({ uri }) => uri.path.split('/').at(-1)).sort(), ['more.py', 'notes.py']);
      assert.deepEqual(await search('zeppelin', { globs: ['nowhere/**'] }), []);
    });

    it('names the argument that is wrong', async () => {
      for (const [args, param] of [
        [[''], 'text'],
        [[{}], 'text'],
        [['tide', { limit: 0 }], 'limit'],
        [['tide', { limit: 2.5 }], 'limit'],
        [['tide', { limit: '5' }], 'limit'],
        [['tide', { globs: '*.py' }], 'globs'],
        [['tide', { globs: [7] }], 'globs'],
        [['tide', []], 'options'],
      ] as const) {
        const { code, message } = await failureOf(call('parley.search.query', ...args));
        assert.equal(code, 'invalid-request');
        assert.ok(message.includes(`“${param}”`), message);
      }
    });

    it('opens the list for a person, who gives no text', async () => {
      await commands.executeCommand('parley.search.query');
      await waitFor('.quick-input-widget');
      await press('Escape');
      await quickPick.untilClosed();
    });
  });

  describe('parley.search.index', () => {
    beforeEach(async () => {
      const deleting = commands.executeCommand(Command.searchDeleteIndex);
      await dialog.press('Delete Index');
      await deleting;
      await notification.clear();
    });

    it('asks first, resolves with what was done, and asks and sends nothing the second time', async () => {
      const running = index();
      assert.match(await dialog.text(), /Send \d+ chunks of \d+ files to 127\.0\.0\.1:\d+\?/);
      assert.equal(service.requests.length, 0);
      await dialog.press('Index Now');
      const done = await running;
      assert.deepEqual(Object.keys(done).sort(), ['chunks', 'embedded', 'files', 'reused', 'skipped']);
      assert.ok(done.files > 5 && done.embedded > 0 && done.embedded + done.reused === done.chunks);
      const again = await index();
      assert.deepEqual([again.embedded, again.reused], [0, again.chunks]);
    });

    it('rejects with cancelled when the user declines, and sends nothing', async () => {
      const running = codeOf(index());
      await dialog.press('Cancel');
      assert.equal(await running, 'cancelled');
      assert.equal(service.requests.length, 0);
    });

    for (const [fault, code] of [
      ['401', 'auth'],
      ['413', 'too-large'],
      ['embeddings-zero', 'malformed'],
    ] as const) {
      it(`rejects with ${code} for the fault ${fault}, and leaves the telling to the caller`, async () => {
        service.setFault(fault);
        const running = codeOf(index());
        await dialog.press('Index Now');
        assert.equal(await running, code);
        await until('nothing is said', async () => (await notification.texts()).length === 0);
      });
    }

    it('rejects with no-key before it asks anything', async () => {
      await setting('parley.apiKeyEnvironmentVariable', undefined);
      await setting('parley.embeddings.baseUrl', 'https://nowhere.invalid/v1');
      try {
        assert.equal(await codeOf(index()), 'no-key');
      } finally {
        await setting('parley.embeddings.baseUrl', undefined);
      }
    });
  });

  describe('parley.audio.translate', () => {
    it('resolves with one text for each recording, in their order; one alone is a list of one', async () => {
      const uris = [recording('reunion.mp3'), recording('begruessung.wav'), recording('reunion.mp3')];
      const texts = await translate(uris);
      assert.deepEqual(
        texts.map(({ uri }) => uri.toString()),
        uris.map(String),
      );
      assert.equal(texts[1]?.text, 'Good morning in the harbour. Your berth is free.');
      const [alone, ...others] = await translate(recording('begruessung.wav'));
      assert.deepEqual([alone?.text, others], [texts[1]?.text, []]);
      assert.equal(window.tabGroups.all.flatMap(({ tabs }) => tabs).length, 0, 'nothing is opened');
    });

    it('names the argument that is wrong', async () => {
      for (const args of [[[]], ['recording.mp3'], [[recording('reunion.mp3'), 'other.mp3']], [7]]) {
        const { code, message } = await failureOf(call('parley.audio.translate', ...args));
        assert.equal(code, 'invalid-request');
        assert.ok(message.includes('“recordings”'), message);
      }
    });

    it('rejects with what is missing, or gone', async () => {
      assert.equal(await codeOf(translate(recording('gone.mp3'))), 'file-missing');
      const fresh = join(scratch(), 'fresh.ogg');
      writeFileSync(fresh, Buffer.concat([readFileSync(recording('aviso.ogg').fsPath), Buffer.from('#fresh')]));
      await setting('parley.audio.model', '');
      assert.equal(await codeOf(translate(Uri.file(fresh))), 'no-model');
      await setting('parley.audio.model', 'parley-whisper');
      service.setFault('503');
      assert.equal(await codeOf(translate(Uri.file(fresh))), 'overloaded');
    });
  });
});
