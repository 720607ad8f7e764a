import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ConfigurationTarget, commands, type TextDocument, Uri, window, workspace } from 'vscode';
import type { SearchHit } from '../../../../src/editor/api.ts';
import { Command } from '../../../../src/ids/ids.ts';
import type { ReferenceService } from '../../../service/options.ts';
import { encodeText } from '../../../support/encodeText.ts';
import { chat, frame } from '../support/chatPanel.ts';
import { deleteIndex, folder, indexAll, inputsOf, writeScratch } from '../support/codeIndex.ts';
import { closeEditors } from '../support/editors.ts';
import { click, fill, notification, press, type, waitFor } from '../support/hands.ts';
import { lensTitles } from '../support/lenses.ts';
import { connectTo, disconnect, startService } from '../support/service.ts';
import { subject } from '../support/subject.ts';
import { until } from '../support/until.ts';

const find = (query: string): Thenable<SearchHit[]> => commands.executeCommand<SearchHit[]>(Command.searchQuery, query);
const isFound = async (file: string, query: string): Promise<boolean> =>
  (await find(query)).some(({ uri }) => uri.fsPath === file);

/** Bytes that are UTF-8 as well, in which nobody means them: only a setting tells. */
const effect = '效应';
const source = '/* 初始化数据库连接 */\nint connect(void) {\n  return 0; // 返回值\n}\n';
const changed = '/* 初始化数据库连接 */\nint connect(void) {\n  return 1; // 返回错误代码\n}';

describe('Files that are no UTF-8', () => {
  let service: ReferenceService;
  const settings = join(folder(), '.vscode');

  before(async () => {
    assert.ok(!existsSync(settings));
    await subject().activate();
  });

  beforeEach(async () => {
    service = await startService();
    await connectTo(service);
    await deleteIndex();
  });

  afterEach(async () => {
    await commands.executeCommand(Command.editRejectSet);
    await commands.executeCommand('workbench.action.files.revert');
    await closeEditors();
    await encodingSetting(undefined);
    for (const made of [settings, join(folder(), 'scratch')]) rmSync(made, { recursive: true, force: true });
    await notification.clear();
    await service.close();
  });
  after(disconnect);

  /** Writes the setting of the folder, as a person does. */
  async function encodingSetting(encoding: string | undefined, language?: string): Promise<void> {
    const scope = language === undefined ? undefined : { languageId: language };
    const files = workspace.getConfiguration('files', scope);
    const { workspaceValue, workspaceLanguageValue } = files.inspect('encoding') ?? {};
    if (encoding === undefined && workspaceValue === undefined && workspaceLanguageValue === undefined) {
      if (!existsSync(settings)) return;
      for (const languageId of ['c', 'cpp'])
        await workspace
          .getConfiguration('files', { languageId })
          .update('encoding', undefined, ConfigurationTarget.Workspace, true);
      return;
    }
    await files.update('encoding', encoding, ConfigurationTarget.Workspace, language !== undefined);
  }

  const write = (path: string, text: string, encoding = 'gb18030'): string =>
    writeScratch(path, encodeText(text, encoding));
  const sent = (): string[] => service.requests.filter(({ path }) => path.endsWith('/embeddings')).flatMap(inputsOf);
  const lastPrompt = (): string => {
    const body = service.requests.findLast(({ path }) => path.endsWith('/chat/completions'))?.body;
    const { messages = [] } = (body ?? {}) as { messages?: readonly { content: unknown }[] };
    return String(messages.at(-1)?.content ?? '');
  };
  const opened = (file: string): TextDocument | undefined =>
    workspace.textDocuments.find(({ uri, isClosed }) => !isClosed && uri.fsPath === file);

  it('are indexed and found by the words that the editor shows, by the setting of the folder and of a language', async () => {
    const [c, other] = [write('effect.c', `// ${effect}\nint x;\n`), write('effect.txt', `${effect} 初始化\n`)];
    await encodingSetting('gb18030');
    await indexAll();
    assert.ok(await isFound(c, effect));
    assert.ok(await isFound(other, '初始化'));
    assert.ok(sent().some((text) => text.includes(effect)));
    assert.equal((await workspace.openTextDocument(c)).getText(), `// ${effect}\nint x;\n`, 'as the editor shows them');
  });

  it('are read again when the setting changes: of one language, those of that language', async () => {
    const c = write('effect.c', `// ${effect}\nint x;\n`);
    await indexAll();
    assert.ok(!(await isFound(c, effect)), 'valid UTF-8 is UTF-8');
    await encodingSetting('gb18030', 'c');
    await until('it is read anew', () => isFound(c, effect));
    await until('it is sent anew', () => sent().some((text) => text.includes(effect)));
  });

  it('are indexed with no setting at all, by what their letters say', async () => {
    const files = {
      初始化: write('simplified.c', '/* 初始化数据库连接 */\nint a;\n'),
      資料庫: write('traditional.c', '/* 初始化資料庫連線 */\nint b;\n', 'big5'),
      데이터베이스: write('korean.c', '/* 데이터베이스 연결 초기화 */\nint c;\n', 'euc-kr'),
      Инициализация: write('russian.c', '/* Инициализация базы данных */\nint d;\n', 'windows-1251'),
      データベース: write('japanese.c', '/* データベース接続を初期化する */\nint e;\n', 'shift_jis'),
    };
    await indexAll();
    for (const [word, file] of Object.entries(files)) assert.ok(await isFound(file, word), word);
    assert.ok(!sent().some((text) => text.includes('\ufffd')));
  });

  /** Has an answer change a file, by Apply, and saves it. */
  async function applyTo(file: string): Promise<void> {
    const path = relative(folder(), file).replaceAll('\\', '/');
    await commands.executeCommand(Command.chatNew);
    await commands.executeCommand(Command.chatAsk, `say: \`\`\`\`c ${path}\n${changed}\n\`\`\`\``);
    await chat.open();
    await click('.messages > :last-child .code [aria-label="Apply to File"]', { frame });
    const document = await until('the file is open', () => opened(file));
    await until('it is offered', async () => (await lensTitles(document.uri)).includes('Accept All'));
    await commands.executeCommand(Command.editAcceptFile);
    await until('it is changed', () => document.getText() === `${changed}\n`);
    await document.save();
    assert.deepEqual(readFileSync(file), encodeText(`${changed}\n`, 'gb18030'));
  }

  it('are edited at the lines that an answer means, and stay in the encoding of the setting', async () => {
    await encodingSetting('gbk');
    await applyTo(write('connect.c', source));
  });

  it('are edited and keep their encoding with no setting, where the editor would have written marks of broken text', async () => {
    await applyTo(write('unmarked.c', source));
  });

  it('that an answer makes are written as the setting of the folder says', async () => {
    write('beside.c', source);
    await encodingSetting('gbk');
    await commands.executeCommand(Command.chatNew);
    await commands.executeCommand(Command.chatAsk, `say: \`\`\`\`c scratch/made.c\n${changed}\n\`\`\`\``);
    await chat.open();
    await click('.messages > :last-child .code [aria-label="Apply to File"]', { frame });
    await until('the review', () => window.activeTextEditor?.document.uri.scheme === 'parley-edit');
    await commands.executeCommand(Command.editAcceptSet);
    const file = join(folder(), 'scratch', 'made.c');
    const made = await until('it is made', () =>
      workspace.textDocuments.find(({ uri, isUntitled }) => isUntitled && uri.fsPath === file),
    );
    assert.equal(made.encoding, 'gbk');
    await made.save();
    assert.deepEqual(readFileSync(file), encodeText(`${changed}\n`, 'gb18030'));
  });

  it('are attached to a question as their text, though no setting says what they are', async () => {
    write('connection.c', source);
    await commands.executeCommand(Command.chatNew);
    await chat.open();
    await fill('.box', '', { frame });
    await click('.box', { frame });
    await type('@connection.c');
    await waitFor('.completion[aria-selected=true] .completion-label:text-is("connection.c")', { frame });
    await press('Enter');
    await waitFor('.composer .chip-label:text-is("connection.c")', { frame });
    await chat.ask('say: seen');
    await chat.untilAnswered('seen');
    assert.ok(lastPrompt().includes('初始化数据库连接'), lastPrompt());
    assert.ok(!lastPrompt().includes('\ufffd'));
  });

  it('are reviewed in git as their text', async () => {
    const git = (...args: string[]): string =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: folder(), encoding: 'utf8' });
    const hadGit = existsSync(join(folder(), '.git'));
    if (!hadGit) git('init', '-q', '-b', 'main');
    const file = write('reviewed.c', source);
    git('add', '-f', file);
    git('commit', '-qm', 'one', '--', file);
    try {
      write('reviewed.c', `${changed}\n`);
      await commands.executeCommand(Command.scmReviewChanges);
      assert.match(lastPrompt(), /初始化数据库连接/);
      assert.match(lastPrompt(), /- {3}return 0; \/\/ 返回值\n.*\+ {3}return 1; \/\/ 返回错误代码/);
    } finally {
      await commands.executeCommand(Command.scmDismissFindings);
      await commands.executeCommand('workbench.action.closePanel');
      if (hadGit) git('reset', '-q', '--hard', 'HEAD~1');
      else rmSync(join(folder(), '.git'), { recursive: true });
    }
  });

  it('that are open with edits stay as they are', async () => {
    const file = write('dirty.c', source);
    const editor = await window.showTextDocument(Uri.file(file));
    await editor.edit((builder) => builder.insert(editor.document.positionAt(0), '// mine\n'));
    const text = editor.document.getText();
    await commands.executeCommand(Command.chatNew);
    await commands.executeCommand(Command.chatAsk, `say: \`\`\`\`c scratch/dirty.c\n${changed}\n\`\`\`\``);
    await chat.open();
    await click('.messages > :last-child .code [aria-label="Apply to File"]', { frame });
    await until('the review', () => window.activeTextEditor?.document.uri.scheme === 'parley-edit');
    assert.equal(editor.document.getText(), text);
    assert.equal(editor.document.encoding, 'utf8');
  });
});
