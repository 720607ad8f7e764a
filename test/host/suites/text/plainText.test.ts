/** What a service, a file or a repository says is text in every corner of the window, by the ways in which a user meets it. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { commands, LanguageModelChatMessage, lm, Uri, window, workspace } from 'vscode';
import { plain } from '../../../../src/editor/text/plainText.ts';
import { Command, Tool, View } from '../../../../src/ids/ids.ts';
import { chat, frame } from '../support/chatPanel.ts';
import { closeEditors } from '../support/editors.ts';
import { click, dialog, notification, press, quickPick, text, texts, untilHovered, waitFor } from '../support/hands.ts';
import { connectTo, disconnect, setting, startService } from '../support/service.ts';
import { until } from '../support/until.ts';

const link = '[Show the invoice](command:workbench.action.terminal.new)';
const folder = (): string => join(workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', 'scratch');

/** What a request is answered with: JSON, or a page where it is a text. */
type Answer = { status?: number; body: unknown };

/** A service of the test's own words: it answers by the last part of the path. */
async function serve(answers: Record<string, (body: string) => Answer>): Promise<Server> {
  const server = createServer((request, response) => {
    const path = request.url?.split('/').at(-1) ?? '';
    let sent = '';
    request.on('data', (piece) => (sent += String(piece)));
    request.on('end', () => {
      const { status = 200, body } = answers[path]?.(sent) ?? { status: 404, body: {} };
      const type = typeof body === 'string' ? 'text/html' : 'application/json';
      response.writeHead(status, { 'content-type': type });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  await setting('parley.baseUrl', `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
  await setting('parley.chat.model', 'any');
  await setting('parley.audio.model', '');
  await setting('parley.embeddings.model', '');
  return server;
}

const refusal = (message: string): Answer => ({
  status: 400,
  body: { error: { message, type: 'invalid_request_error' } },
});
const message = '.notifications-center .notification-list-item-message';

/** Holds that what notifications say has no link, though the words are there. */
async function assertNoLink(words: string): Promise<string> {
  const said = await notification.untilSaid(words);
  assert.deepEqual(await texts(`${message} :is(a, [class*="codicon-"])`), []);
  return said.replaceAll('\u2060', '');
}

function write(path: string, content: string | Buffer): Uri {
  const file = join(folder(), path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, content);
  return Uri.file(file);
}

describe('What comes from outside', () => {
  let server: Server | undefined;
  beforeEach(() => notification.clear());
  afterEach(async () => {
    await press('Escape');
    await press('Escape');
    server?.close();
    server = undefined;
    await disconnect();
    await setting('parley.audio.model', undefined);
    await closeEditors();
    await notification.clear();
    rmSync(folder(), { recursive: true, force: true });
  });

  it('is no link in the error of a test call', async () => {
    server = await serve({ completions: () => refusal(link) });
    await commands.executeCommand(Command.testConnection);
    assert.ok((await assertNoLink('Show the invoice')).includes(link));
    assert.equal(window.terminals.length, 0);
  });

  it('is no link in the title of a login page', async () => {
    server = await serve({ completions: () => ({ body: `<html><title>${link}</title><form></form></html>` }) });
    await commands.executeCommand(Command.testConnection);
    assert.ok((await assertNoLink('instead of JSON')).includes(link));
  });

  it('is no link in the error of a translation, nor in the name of an empty recording', async () => {
    server = await serve({ translations: () => refusal(link) });
    await setting('parley.audio.model', 'any');
    // Bytes of its own: those of the fixture are translated by then, and Parley would ask what to do.
    const sound = Buffer.concat([
      readFileSync(join(folder(), '..', 'recordings', 'aviso.ogg')),
      Buffer.from('#plain text'),
    ]);
    const uri = write('sound.ogg', sound);
    await commands.executeCommand(Command.audioTranslate, uri, [uri]);
    assert.ok((await assertNoLink('Show the invoice')).includes(link));
    await notification.clear();
    const empty = write(`${link}.wav`, '');
    await commands.executeCommand(Command.audioTranslate, empty, [empty]);
    assert.ok((await assertNoLink('is empty')).includes(`The file ${link}.wav is empty`));
    await notification.clear();
    // Of many, the names stand in one sentence.
    await commands.executeCommand(Command.audioTranslate, uri, [uri, empty]);
    await assertNoLink('Show the invoice');
  });

  it('is no link in the error of an answer in the panel, and bidirectional marks are shown', async () => {
    server = await serve({ completions: () => refusal(`${link} \u202Ecod.exe`) });
    await chat.ask('hello');
    const said = (await chat.untilFailed('Show the invoice')).replaceAll('\u2060', '');
    assert.ok(said.includes(`${link} \\u{202E}cod.exe`), said);
    assert.deepEqual(await texts('.error p :is(a, .codicon-trash)', { frame }), []);
    await commands.executeCommand(Command.chatNew);
  });

  it('is text in the list of conversations and its hovers', async () => {
    const choices = [{ index: 0, message: { role: 'assistant', content: 'yes' }, finish_reason: 'stop' }];
    server = await serve({ completions: () => ({ body: { choices } }) });
    const question = 'quokka $(trash) [a](command:b) \u202Eend';
    await chat.ask(question);
    await chat.untilAnswered('yes');
    await commands.executeCommand('parley.conversations.focus');
    const row = '.monaco-list-row:has-text("quokka")';
    await waitFor(row);
    assert.deepEqual(await texts(`${row} .label-name`), [plain(question)]);
    assert.deepEqual(await texts(`${row} .monaco-icon-label-container :is(a[href], [class*="codicon-"])`), []);
    await untilHovered(`${row} .label-name`, '.monaco-hover:has-text("quokka")');
    assert.deepEqual(await texts('.monaco-hover :is(a, img, [class*="codicon-"])'), []);
    await commands.executeCommand(Command.chatNew);
  });

  it('is no icon in the list of models', async () => {
    const ids = ['$(trash)', 'gpt \u202E4', link, '\u200Bgpt-4'];
    server = await serve({ models: () => ({ body: { data: ids.map((id) => ({ id })) } }) });
    const picking = commands.executeCommand(Command.chatPickModel);
    await quickPick.untilListed(plain('$(trash)'));
    assert.deepEqual(new Set(await quickPick.items()), new Set([...ids.map((id) => plain(id)), 'any']));
    const row = '.quick-input-list .monaco-list-row .monaco-icon-label-container';
    assert.deepEqual(await texts(`${row} [class*="codicon-"]`), []);
    await quickPick.choose(plain('$(trash)'));
    await picking;
    // What is kept and sent is the name as the service knows it.
    assert.equal(workspace.getConfiguration().get('parley.chat.model'), '$(trash)');
    await chat.open();
    await until(
      'the panel shows it',
      async () => (await text('.model-name', { frame })).replaceAll('\u2060', '') === '$(trash)',
    );
  });

  it('is plain in the models for other extensions, and sent as the service knows it', async () => {
    const sent: string[] = [];
    server = await serve({
      models: () => ({ body: { data: [{ id: '$(trash)', owned_by: link }] } }),
      completions: (body) => {
        sent.push(JSON.parse(body).model);
        return refusal(link);
      },
    });
    await setting('parley.chat.model', '$(trash)');
    const model = await until('the model is listed', async () =>
      (await lm.selectChatModels({ vendor: 'parley' })).find(({ name }) => name === plain('$(trash)')),
    );
    await assert.rejects(
      async () => {
        for await (const _part of (await model.sendRequest([LanguageModelChatMessage.User('x')])).stream) {
          // It is refused.
        }
      },
      (error: Error) => error.message.includes(plain(link)),
    );
    assert.deepEqual(sent, ['$(trash)']);
  });

  it('is no link in the editor of language models, which draws names and identifiers as Markdown that it trusts', async () => {
    const ids = [`${link} one`, '<command:workbench.action.quit> two', 'a:[b](command:c) three', 'www.evil.test four'];
    server = await serve({ models: () => ({ body: { data: ids.map((id) => ({ id, owned_by: link })) } }) });
    await commands.executeCommand('workbench.action.chat.manage');
    for (const word of ['one', 'two', 'three', 'four']) {
      await untilHovered(`.model-name-container:has-text("${word}") .model-name`, `.monaco-hover:has-text("${word}")`);
      const links = await texts('.monaco-hover :is(a, img, [class*="codicon-"])');
      // The address of the service is the user's own.
      assert.deepEqual(
        links.filter((each) => !each.startsWith('http://127.0.0.1:')),
        [],
        word,
      );
    }
  });

  it('is text in the results of a search: names of files, lines and titles', async () => {
    server = await serve({});
    await commands.executeCommand(`${View.search}.focus`);
    const names = [
      '$(trash).ts',
      'invoice\u202Est.exe.ts',
      '[a](command:b).ts',
      '**bold** `code`.ts',
      '<img src=x>.ts',
    ];
    for (const name of names) write(`$(folder)/${name}`, `// quokkaplain $(flame) \u2066${link}\n`);
    const row = '.quick-input-list .monaco-list-row';
    const areListed = async (): Promise<boolean> => (await texts(row)).length === names.length;
    // A question is not asked again for files that the watcher tells of later.
    await until('all files are listed', async () => {
      await commands.executeCommand(Command.searchQuery);
      await quickPick.filter('quokkaplain $(zap)');
      return until('they are', areListed, 5_000).catch(() => false);
    });
    const listed = new Set(await quickPick.items());
    assert.deepEqual(listed, new Set(names.map((name) => `${plain(name)}:1`)));
    const drawn = '.codicon-trash, .codicon-flame, .codicon-zap, .codicon-folder, .markdown a';
    assert.deepEqual(await texts(`.quick-input-widget :is(${drawn})`), []);
    await click('.quick-input-widget .quick-input-titlebar .action-label.codicon-list-tree');
    await quickPick.untilClosed();
    const view = '.pane:has(.pane-header[aria-label^="Code Search"])';
    await waitFor(`${view} .message:has-text("quokkaplain")`);
    await waitFor(`${view} .monaco-list-row:has-text("bold")`);
    assert.deepEqual(await texts(`${view} :is(.message, .monaco-list) :is(${drawn}, .message a)`), []);
    const labels = await texts(`${view} .monaco-list-row .label-name`);
    const shown = names.filter((name) => labels.includes(plain(name)));
    assert.ok(shown.length >= 3, labels.join('\n'));
    assert.ok(
      labels.some((label) => label.includes(`\\u{2066}${plain(link)}`)),
      labels.join('\n'),
    );
    // The hover of a file is its path; that of a hit is Markdown, with the lines as code.
    for (const [row, said] of [
      // One of those that are scrolled into sight.
      [plain(shown[0] ?? ''), plain(shown[0] ?? '')],
      ['Show the invoice', 'quokkaplain'],
    ] as const) {
      const label = `${view} .monaco-list-row:has-text(${JSON.stringify(row)}) .label-name`;
      await untilHovered(label, `.monaco-hover:has-text(${JSON.stringify(said)})`);
      assert.deepEqual(await texts(`.monaco-hover :is(a, img, strong, ${drawn})`), [], row);
    }
    await commands.executeCommand(Command.searchClear);
  });

  it('is no link and no Markdown in the question of a tool', async () => {
    // Before a yes to the index nothing is sent, so nothing is asked.
    const service = await startService();
    await connectTo(service);
    const indexing = commands.executeCommand(Command.searchIndex);
    await dialog.press('Index Now');
    await indexing;
    const query = `**bold** ${link} ![x](https://evil.test/x.png) www.evil.test $(trash) <b>c</b>`;
    const asking = lm.invokeTool(Tool.searchCode, { input: { query }, toolInvocationToken: undefined });
    const said = (await dialog.text()).replaceAll('\u2060', '');
    assert.ok(said.includes(`“${query}”`), said);
    const more = ':is(a, img, b, strong, em, code, [class*="codicon-trash"])';
    assert.deepEqual(await texts(`.monaco-dialog-box .dialog-message-container ${more}`), []);
    await dialog.press('Cancel');
    await assert.rejects(async () => asking);
    await service.close();
  });
});
