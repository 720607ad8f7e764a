import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commands, Selection, Uri, window, workspace } from 'vscode';
import { Command } from '../../../../src/ids/ids.ts';
import type { ReferenceService } from '../../../service/options.ts';
import { chat, frame } from '../support/chatPanel.ts';
import { fill, notification, texts, visible } from '../support/hands.ts';
import { connectTo, disconnect, startService } from '../support/service.ts';
import { until } from '../support/until.ts';

describe('In Restricted Mode', () => {
  let service: ReferenceService;
  const root = (): Uri => workspace.workspaceFolders?.[0]?.uri ?? Uri.file('/');

  before(async () => {
    service = await startService();
    await connectTo(service);
  });
  after(async () => {
    await disconnect();
    await service.close();
  });
  beforeEach(() => notification.clear());

  it('the folder is not trusted', () => assert.equal(workspace.isTrusted, false));

  it('the folder is not indexed, and the sentence says what helps', async () => {
    assert.equal(await commands.executeCommand(Command.searchIndex), undefined);
    await notification.untilSaid('Code is searched only in folders you trust.');
    const untrusted = { code: 'untrusted', message: 'Code is searched only in folders you trust.' };
    await assert.rejects(async () => commands.executeCommand(Command.searchQuery, 'retry'), untrusted);
    await assert.rejects(async () => commands.executeCommand(Command.searchIndexForCaller), untrusted);
    assert.equal(service.requests.length, 0);
  });

  it('no commit message is written of its changes', async () => {
    await commands.executeCommand(Command.scmCommitMessage);
    await notification.untilSaid('Changes are read only in folders you trust.');
    assert.equal(service.requests.length, 0);
  });

  it('the chat panel does not offer to search the workspace', async () => {
    await chat.open();
    await fill('.box', 'Where is the tide table read?', { frame });
    assert.equal(await visible('[aria-label="Search Workspace for This Question"]', { frame }), false);
    await fill('.box', '', { frame });
  });

  it('no recording is sent', async () => {
    const recording = Uri.joinPath(root(), 'recordings', 'begruessung.wav');
    await assert.rejects(async () => commands.executeCommand(Command.audioTranslate, recording), { code: 'untrusted' });
    assert.equal(service.requests.length, 0);
  });

  it('a question about a selection is answered, and nothing but the selection goes along', async () => {
    const editor = await window.showTextDocument(Uri.joinPath(root(), 'src', 'berths.ts'));
    editor.selection = new Selection(26, 0, 28, 1);
    await commands.executeCommand(Command.selectionExplain);
    const { body } = await service.waitForRequest((request) => request.path.endsWith('/chat/completions'));
    const sent = JSON.stringify(body);
    assert.ok(sent.includes('export function overlaps'));
    assert.ok(!sent.includes('findFreeBerth'));
  });

  it('no instructions of the folder go along, and none of its prompts is used', async () => {
    const folder = root().fsPath;
    mkdirSync(join(folder, '.parley', 'prompts'), { recursive: true });
    writeFileSync(join(folder, 'AGENTS.md'), 'Answer in verse.');
    writeFileSync(join(folder, '.parley', 'prompts', 'review.md'), 'say: from the folder');
    await chat.ask('/review say: as it is');
    await until('it is answered', async () => (await chat.answers()).length === 2);
    await chat.untilAnswered();
    const { body } = service.requests.findLast((request) => request.path.endsWith('/chat/completions')) ?? {};
    const { messages } = body as { messages: { role: string; content: string }[] };
    assert.doesNotMatch(messages[0]?.content ?? '', /verse/);
    assert.equal(messages.at(-1)?.content, '/review say: as it is');
    assert.deepEqual(await texts('.composer .chip', { frame }), []);
    for (const path of ['AGENTS.md', '.parley']) rmSync(join(folder, path), { recursive: true });
  });
});
