import assert from 'node:assert/strict';
import { commands } from 'vscode';
import { Command } from '../../../../src/ids/ids.ts';
import type { ReferenceService } from '../../../service/options.ts';
import { chat, frame } from '../support/chatPanel.ts';
import { closeEditors } from '../support/editors.ts';
import { notification, text, untilHovered, waitFor } from '../support/hands.ts';
import { connectTo, disconnect, setting, startService } from '../support/service.ts';
import { subject } from '../support/subject.ts';
import { until } from '../support/until.ts';

const waitItem = '.statusbar-item:has-text("Parley waits until")';

describe('The network', () => {
  let service: ReferenceService;
  const editorFetch = globalThis.fetch;

  before(() => subject().activate());
  beforeEach(async () => {
    service = await startService();
    await connectTo(service);
    await commands.executeCommand(Command.chatNew);
    await waitFor('.stage', { frame });
    await notification.clear();
  });
  afterEach(async () => {
    globalThis.fetch = editorFetch;
    await commands.executeCommand(Command.chatStop);
    for (const id of ['path', 'firstByteTimeout'] as const) await setting(`parley.network.${id}`, undefined);
    await setting('parley.insecureOrigins', undefined);
    await service.close();
  });
  after(disconnect);

  it('says in the status bar until when it waits, and for whom', async () => {
    await setting('parley.chat.model', 'fault-429-long');
    await chat.ask('hello');
    await waitFor(waitItem);
    assert.match(await text(waitItem), /^\s*Parley waits until \d{1,2}:\d\d:\d\d\s*([AP]M)?\s*$/);
    await untilHovered(waitItem, `.monaco-hover:has-text("127.0.0.1:${service.port} asks for fewer requests")`);
    await commands.executeCommand(Command.chatStop);
  });

  it('takes that sign away when it goes on by itself', async () => {
    await setting('parley.chat.model', 'fault-429-once');
    await chat.ask('say: after a while');
    await until('the answer came', async () => (await chat.answers())[0]?.includes('after a while'));
    await waitFor(waitItem, { state: 'hidden' });
  });

  it('says which time ran out, and offers its setting', async () => {
    await setting('parley.network.firstByteTimeout', 0.3);
    await setting('parley.chat.model', 'fault-slow-first-byte');
    await chat.ask('hello');
    await waitFor('text=did not begin to answer in time', { frame });
    await waitFor('text=Allow More Time', { frame });
  });

  it('goes by VS Code’s own connection where that is set, and where Parley’s does not get through', async () => {
    const asked: string[] = [];
    globalThis.fetch = (async (input: unknown, init: RequestInit) => {
      // The hands of the suite fetch, too, and the gauge of the panel asks for the list of models.
      const { origin, pathname } = new URL(String(input));
      if (pathname.endsWith('/chat/completions')) asked.push(origin);
      return editorFetch(String(input).replace('https://harbour.invalid', service.origin), init);
    }) as typeof globalThis.fetch;
    await setting('parley.network.path', 'editor');
    await chat.ask('say: by the editor');
    await until('the answer came', async () => (await chat.answers())[0]?.includes('by the editor'));
    assert.deepEqual(asked, [service.origin]);
    await setting('parley.network.path', 'auto');
    await setting('parley.baseUrl', service.baseUrl.replace(service.origin, 'https://harbour.invalid'));
    await chat.ask('say: around the harbour');
    await until('the answer came', async () => (await chat.answers())[1]?.includes('around the harbour'));
    assert.deepEqual(asked, [service.origin, 'https://harbour.invalid']);
  });

  it('sends no key over plain http to another machine, unless the user allows that one origin', async () => {
    const origin = `http://0.0.0.0:${service.port}`;
    await setting('parley.baseUrl', service.baseUrl.replace('127.0.0.1', '0.0.0.0'));
    await chat.ask('hello');
    await waitFor('text=over plain http', { frame });
    assert.equal(service.requests.length, 0);
    await setting('parley.insecureOrigins', [origin]);
    await chat.ask('say: allowed');
    await until('the answer came', async () => (await chat.answers()).some((answer) => answer.includes('allowed')));
  });

  it('leads from an error to the page that says more of it', async () => {
    await setting('parley.baseUrl', 'http://127.0.0.1:9/v1');
    const testing = commands.executeCommand(Command.testConnection);
    await notification.untilSaid('Nothing answers at 127.0.0.1:9');
    // VS Code takes a warning out of sight by itself, and an error with buttons not.
    await waitFor('.notifications-center .monaco-list-row:has-text("Nothing answers") .codicon-warning');
    await notification.press('Learn More');
    await testing;
    const page = { frame: 'h1:has-text("Troubleshooting")', extension: 'vscode.markdown-language-features' };
    assert.match(await text('body', page), /Nothing answers at \{0\}; the service may not be running/);
    await closeEditors();
  });
});
