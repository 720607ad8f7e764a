import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commands, Position, Range, type TextEditor, Uri, window, workspace } from 'vscode';
import { createPlainThreads, moveThread, plainComment } from '../../../../src/editor/text/comments.ts';
import { plain } from '../../../../src/editor/text/plainText.ts';
import { Command } from '../../../../src/ids/ids.ts';
import { constructs } from '../../../attack/constructs.ts';
import type { ReferenceService } from '../../../service/options.ts';
import { closeEditors } from '../support/editors.ts';
import { click, notification, quickPick, text, texts, visible, waitFor } from '../support/hands.ts';
import {
  type Answer,
  connectToScripted,
  type ScriptedService,
  startScripted,
  streamed,
} from '../support/scriptedService.ts';
import { connectTo, disconnect, setting, startService, systemMessage } from '../support/service.ts';
import { subject } from '../support/subject.ts';
import { screenshotInThemes } from '../support/themes.ts';
import { until } from '../support/until.ts';

const widget = '.review-widget:visible';
const row = '.comments-panel .comment-thread-container';

describe('Review Changes', () => {
  let service: ReferenceService;
  let folder: string;

  before(async () => {
    await subject().activate();
    folder = workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    service = await startService();
    await write('harbour/berths.ts', numbered(60));
    await write('harbour/tides.ts', numbered(60));
    await write('harbour/tide.pem', 'KEY=1\n');
    git('add', '-A');
    git('commit', '-qm', 'one');
  });

  beforeEach(() => connectTo(service));

  afterEach(async () => {
    service.setFault(undefined);
    await commands.executeCommand(Command.editRejectSet);
    await commands.executeCommand(Command.scmDismissFindings);
    await notification.clear();
    await closeEditors();
    git('reset', '-q', '--hard');
    git('checkout', '-q', 'main');
    // With two branches, each review would ask which changes are meant.
    if (git('branch', '--list', 'work') !== '') git('branch', '-q', '-D', 'work');
  });

  after(async () => {
    await commands.executeCommand('workbench.action.closePanel');
    await rm(join(folder, 'harbour'), { recursive: true });
    git('commit', '-qam', 'the end');
    await disconnect();
    await service.close();
  });

  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: folder, encoding: 'utf8' });
  const uriOf = (path: string): Uri => Uri.file(join(folder, path));
  async function write(path: string, content: string): Promise<void> {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  const review = (): Thenable<unknown> => commands.executeCommand(Command.scmReviewChanges);
  const open = async (path: string): Promise<TextEditor> => window.showTextDocument(uriOf(path));
  const lastPrompt = (): string => promptOf(service.requests.at(-1)?.body);

  it('shows what the model finds at its lines, in the editor and in the view of comments', async () => {
    await write(
      'harbour/berths.ts',
      numbered(60, { 12: 'review: bug: The sum is off by one.', 40: 'review: style: Long.' }),
    );
    await write('harbour/tides.ts', numbered(60, { 30: 'review: risk: Two tides may race.' }));
    await review();
    assert.match(
      lastPrompt(),
      /^File: harbour\/berths\.ts\n```\n 9 {3}line 9\n[\s\S]*\n {3}- line 12\n12 \+ \/\/ review: bug/m,
    );
    const said = await notification.untilSaid('3 findings in 2 files.');
    assert.equal(said, '3 findings in 2 files.');
    await notification.press('Show Comments');
    await untilShown(['The sum is off by one. [Ln 12]', 'Long. [Ln 40]', 'Two tides may race. [Ln 30]']);
    await open('harbour/berths.ts');
    await waitFor('.monaco-editor .comment-range-glyph.comment-thread');
    assert.equal(await visible(widget), false, 'comments are folded');
    await openFinding('The sum is off by one.');
    assert.equal(await text(`${widget} .review-title`), 'Bug');
    assert.equal(await text(`${widget} .author`), 'Parley: Bug');
    assert.equal(await text(`${widget} .isPending`), 'parley-chat');
    await screenshotInThemes('findings');
  });

  it('sends the instructions of the workspace along', async () => {
    await write('harbour/berths.ts', numbered(60, { 12: 'review: bug: The sum is off by one.' }));
    await write('AGENTS.md', 'Name boats after stars.');
    try {
      await review();
    } finally {
      await rm(join(folder, 'AGENTS.md'));
    }
    assert.match(systemMessage(service), /from AGENTS\.md:\n\nName boats after stars\.$/);
  });

  it('asks which changes where there are several, and finds the lines of what is staged in the file as it is', async () => {
    await write('harbour/berths.ts', numbered(60, { 40: 'review: bug: Staged.' }));
    git('add', '-A');
    await write('harbour/berths.ts', `above\n${numbered(60, { 40: 'review: bug: Staged.' })}`);
    const running = review();
    await quickPick.untilAsked('Which changes to review');
    assert.deepEqual(await quickPick.items(), ['Unstaged Changes', 'Staged Changes']);
    await quickPick.choose('Staged Changes');
    await running;
    assert.doesNotMatch(lastPrompt(), /above/);
    await untilShown(['Staged. [Ln 41]']);
  });

  it('compares with a branch', async () => {
    git('checkout', '-q', '-b', 'work');
    await write('harbour/tides.ts', numbered(60, { 7: 'review: risk: Since main.' }));
    git('commit', '-qam', 'two');
    const running = review();
    await quickPick.untilAsked('The branch to compare with');
    await quickPick.choose('main');
    await running;
    await untilShown(['Since main. [Ln 7]']);
  });

  it('takes the findings of the review before away', async () => {
    await write('harbour/tides.ts', numbered(60, { 7: 'review: risk: First.' }));
    await review();
    await untilShown(['First. [Ln 7]']);
    await write('harbour/tides.ts', numbered(60, { 9: 'nothing to see' }));
    await notification.clear();
    await review();
    await notification.untilSaid('The model found nothing to remark.');
    await untilShown([]);
  });

  it('has its code drawn as code, and says how bad it is', async () => {
    await write(
      'harbour/tides.ts',
      numbered(60, { 7: 'review: risk: `tides.at(-1)` may be **undefined** in `a_b_c`.' }),
    );
    await review();
    await untilRows(1);
    await openFinding('may be');
    assert.deepEqual(await texts(`${widget} .comment-body code`), ['tides.at(-1)', 'a_b_c']);
    assert.deepEqual(await texts(`${widget} .comment-body strong`), ['undefined']);
    assert.match(await text(`${widget} .comment-title`), /Parley: Risk/);
    await screenshotInThemes('finding-code');
  });

  it('is only text, whatever a model or a file says', async () => {
    const words =
      'risk: [Show the invoice](command:workbench.action.quit) ![x](https://evil.test/x.png) <img src=x> $(trash)';
    await write('harbour/tides.ts', numbered(60, { 7: `review: ${words}` }));
    await review();
    await untilRows(1);
    await openFinding('Show the invoice');
    const shown = await text(`${widget} .comment-body`);
    assert.equal(shown.replaceAll('\u2060', ''), words.slice('risk: '.length));
    assert.deepEqual(await texts(`${widget} .comment-body :is(a, img, [class*="codicon-"])`), []);
    assert.deepEqual(await texts(`${row} .text :is(a, img, [class*="codicon-"])`), []);
  });

  it('is only text in each way in which texts try to be more', async () => {
    const threads = createPlainThreads('attack', plain('Attack'));
    const all = constructs.map(({ text }) => text).join('\n');
    const thread = threads.add(
      uriOf('harbour/tides.ts'),
      new Range(5, 0, 5, 0),
      plain(all),
      plainComment(plain(all), plain(all), all),
    );
    try {
      await untilRows(1);
      await click(`${row} .range`);
      await waitFor(`${widget} .comment-body`);
      const shown = await text(`${widget} .comment-body`);
      assert.ok(shown.includes('globalThis.owned'));
      assert.deepEqual(
        await texts(
          `${widget} :is(.comment-body, .author, .isPending, .filename) :is(a, img, svg, script, [class*="codicon-"])`,
        ),
        [],
      );
    } finally {
      thread.dispose();
      threads.dispose();
    }
  });

  it('goes by Dismiss, one or all', async () => {
    await write(
      'harbour/tides.ts',
      numbered(60, { 7: 'review: risk: One.', 27: 'review: bug: Two.', 47: 'review: bug: Three.' }),
    );
    await review();
    await untilRows(3);
    await openFinding('Two.');
    await click(`${widget} .review-actions .action-label[aria-label^="Dismiss"]`);
    await untilShown(['One. [Ln 7]', 'Three. [Ln 47]']);
    await click('.part.panel .action-label[aria-label^="Dismiss All Findings"]');
    await untilShown([]);
  });

  it('is an instruction for Fix This, at its lines, which follow edits', async () => {
    await write('harbour/tides.ts', numbered(60, { 27: 'review: bug: Rename it.' }));
    await review();
    await untilRows(1);
    const editor = await open('harbour/tides.ts');
    await editor.edit((edit) => edit.insert(new Position(0, 0), 'above\nabove\n'));
    await untilShown(['Rename it. [Ln 29]']);
    await openFinding('Rename it.');
    await click(`${widget} .review-actions .action-label[aria-label^="Fix This"]`);
    await until('an edit is asked for', () => lastPrompt().startsWith('Instruction: Rename it.'));
    assert.match(lastPrompt(), /File: harbour\/tides\.ts/);
    assert.ok(lastPrompt().endsWith('The selection:\n```typescript\n// review: bug: Rename it.\n```'), lastPrompt());
  });

  it('has its lines in a file with edits that were not saved before, and with those that are made while it asks', async () => {
    await write('harbour/tides.ts', numbered(60, { 27: 'review: bug: Move it.' }));
    git('add', '-A');
    await write('harbour/berths.ts', numbered(60, { 7: 'another change' }));
    const editor = await open('harbour/tides.ts');
    await until('the editor has read it', () => editor.document.lineAt(26).text.includes('Move it.'));
    await editor.edit((edit) => edit.insert(new Position(0, 0), 'mine\n'.repeat(5)));
    const running = review();
    await quickPick.untilAsked('Which changes to review');
    await editor.edit((edit) => edit.insert(new Position(0, 0), 'meanwhile\n'.repeat(2)));
    await quickPick.choose('Staged Changes');
    await running;
    await untilShown(['Move it. [Ln 34]']);
    await openFinding('Move it.');
    await click(`${widget} .review-actions .action-label[aria-label^="Fix This"]`);
    await until('an edit is asked for', () => lastPrompt().startsWith('Instruction: Move it.'));
    assert.ok(lastPrompt().endsWith('The selection:\n```typescript\n// review: bug: Move it.\n```'), lastPrompt());
  });

  it('stays at its lines when the editor reads anew what the review has read from the disk', async () => {
    const { document } = await open('harbour/tides.ts');
    await write('harbour/tides.ts', `above\nabove\n${numbered(60, { 27: 'review: bug: Here.' })}`);
    await review();
    await until('the editor has read it', () => document.lineAt(0).text === 'above');
    await untilShown(['Here. [Ln 29]']);
  });

  it('goes back to the lines that it had where VS Code has moved it', async () => {
    const editor = await window.showTextDocument(await workspace.openTextDocument({ content: numbered(60) }));
    const threads = createPlainThreads('moved', plain('Moved'));
    const range = new Range(4, 0, 4, 0);
    const comment = (text: string) => plainComment(plain('suite'), plain(''), text);
    try {
      const thread = threads.add(editor.document.uri, range, plain('Moved'), comment('One.'));
      await untilShown(['One. [Ln 5]']);
      await openFinding('One.');
      // VS Code moves what it has drawn in the editor.
      await waitFor(`${widget} .comment-body`);
      await editor.edit((edit) => edit.insert(new Position(0, 0), 'above\nabove\n'));
      // The view keeps the line of a comment until something of its thread changes.
      thread.label = plain('Moved by two lines');
      await untilShown(['One. [Ln 7]']);
      moveThread(thread, range);
      await untilShown(['One. [Ln 5]']);
    } finally {
      threads.dispose();
      await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
  });

  it('keeps files with secrets here, by their names and by what they hold, and names them', async () => {
    const key = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`;
    await write('harbour/tide.pem', 'KEY=geheim\n');
    await write('harbour/berths.ts', numbered(60, { 12: `const key = '${key}';` }));
    await write('harbour/tides.ts', numbered(60, { 7: 'review: risk: One.' }));
    await review();
    const said = await notification.untilSaid('1 finding');
    assert.equal(said, '1 finding. Not reviewed: harbour/tide.pem, harbour/berths.ts');
    const sent = JSON.stringify(service.requests.map(({ body }) => body));
    assert.ok(!sent.includes('geheim') && !sent.includes(key));
  });

  it('sends nothing where nothing changed, or only what stays here', async () => {
    const count = service.requests.length;
    await review();
    await notification.untilSaid('There are no changes to review.');
    await write('harbour/tide.pem', 'KEY=geheim\n');
    await review();
    await notification.untilSaid('Nothing was reviewed: the changes are in files that hold secrets');
    assert.equal(service.requests.length, count);
  });

  it('asks for a connection before anything else', async () => {
    await disconnect();
    await review();
    await notification.untilSaid('No service is connected yet.');
  });

  it('closes the socket on Cancel, silently', async () => {
    await write('harbour/tides.ts', numbered(60, { 7: 'review: risk: One.' }));
    service.setFault('stall');
    const count = service.requests.length;
    const running = review();
    await service.waitForRequest((each) => service.requests.indexOf(each) >= count);
    await notification.press('Cancel');
    await running;
    const request = await service.waitForRequest((each) => each.aborted && service.requests.indexOf(each) >= count);
    assert.equal(request.aborted, true);
    assert.deepEqual(await notification.texts(), []);
  });

  it('says that an answer was cut off', async () => {
    await write('harbour/tides.ts', numbered(60, { 7: 'review: risk: One.' }));
    service.setFault('cut');
    await review();
    await notification.untilSaid('The answer was cut off before its end.');
  });

  describe('with a model that answers in its own way', () => {
    let model: ScriptedService;

    before(async () => {
      model = await startScripted();
    });
    beforeEach(async () => {
      await connectToScripted(model);
      await setting('parley.chat.model', 'm');
    });
    after(() => model.close());

    const says = (...pieces: string[]): Answer =>
      streamed(
        [...pieces.map(piece), { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }, '[DONE]'],
        (response) => response.end(),
      );
    const piece = (content: string): object => ({ choices: [{ index: 0, delta: { content } }] });

    it('shows findings while they come, and keeps them after Cancel', async () => {
      await write('harbour/tides.ts', numbered(60, { 7: 'changed' }));
      model.answer(streamed([piece('tides.ts:7: bug: While it '), piece('comes.\nharbour/tid')], () => {}));
      const closed = model.closed;
      const running = review();
      await untilShown(['While it comes. [Ln 7]']);
      await notification.press('Cancel');
      await running;
      await until('the socket is closed', () => model.closed > closed);
      await untilShown(['While it comes. [Ln 7]']);
    });

    it('sends a large diff file by file, and goes on after an error where Retry is pressed', async () => {
      const long = (name: string): string =>
        Array.from({ length: 500 }, (_, at) => `export const ${name}${at} = ${at};\n`).join('');
      await write('harbour/berths.ts', long('berth'));
      await write('harbour/tides.ts', long('tide'));
      const answers: Answer[] = [
        says('harbour/berths.ts:3: bug: One.\n- `harbour/berths.ts:5`: **risk**: Two.'),
        (response) =>
          void response
            .writeHead(400, { 'content-type': 'application/json' })
            .end('{"error":{"message":"No, not this."}}'),
        says('```json\n[{"path": "harbour/tides.ts", "line": 9, "severity": "bug", "message": "Three."}]\n```'),
      ];
      const first = model.bodies.length;
      model.answer((response, body) => answers.shift()?.(response, body));
      await review();
      await notification.untilSaid('No, not this.');
      await untilShown(['One. [Ln 3]', 'Two. [Ln 5]']);
      await notification.press('Retry');
      await notification.untilSaid('3 findings in 2 files.');
      await untilShown(['One. [Ln 3]', 'Two. [Ln 5]', 'Three. [Ln 9]']);
      const named = model.bodies
        .slice(first)
        .map((body) => [...promptOf(body).matchAll(/^File: (.*)$/gm)].map(([, path]) => path));
      assert.deepEqual(named, [['harbour/berths.ts'], ['harbour/tides.ts'], ['harbour/tides.ts']]);
    });

    it('shows an answer in which it finds nothing', async () => {
      await write('harbour/tides.ts', numbered(60, { 7: 'changed' }));
      model.answer(says('I’m sorry, but I can’t help with that request.'));
      await review();
      await notification.untilSaid('The model’s answer names no lines of the changes.');
      await notification.press('Show Answer');
      await until('it is shown', () => window.activeTextEditor?.document.getText().startsWith('I’m sorry'));
      await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    });
  });
});

/** Lines with their numbers, some of them another comment. */
function numbered(count: number, others: Readonly<Record<number, string>> = {}): string {
  const lines = Array.from({ length: count }, (_, at) => {
    const other = others[at + 1];
    return other === undefined ? `line ${at + 1}` : `// ${other}`;
  });
  return `${lines.join('\n')}\n`;
}

function promptOf(body: unknown): string {
  return (body as { messages?: { content: string }[] } | undefined)?.messages?.at(-1)?.content ?? '';
}

/** The comments in VS Code's view, with their lines. */
async function shownFindings(): Promise<string[]> {
  await commands.executeCommand('workbench.action.focusCommentsPanel');
  const [words, ranges] = [await texts(`${row} .text`), await texts(`${row} .range`)];
  return words.map((each, at) => `${each} ${ranges[at] ?? ''}`.trim());
}

async function untilShown(expected: readonly string[]): Promise<void> {
  let last: string[] = [];
  await until(`the view of comments shows ${JSON.stringify(expected)}`, async () => {
    last = await shownFindings();
    return JSON.stringify([...last].sort()) === JSON.stringify([...expected].sort());
  }).catch((error) => assert.deepEqual(last, expected, String(error)));
}

async function untilRows(count: number): Promise<void> {
  await until(`the view of comments has ${count} rows`, async () => (await shownFindings()).length === count);
}

/** Opens a finding from the view, which shows its thread in the editor. */
async function openFinding(words: string): Promise<void> {
  await commands.executeCommand('workbench.action.focusCommentsPanel');
  const isOpen = `${widget} .comment-body:has-text(${JSON.stringify(words)})`;
  await until(`“${words}” is open`, async () => {
    // The view may be drawn anew under the mouse, and the click is lost.
    await click(`${row}:has-text(${JSON.stringify(words)}) .range`);
    return waitFor(isOpen, { timeout: 3_000 }).then(
      () => true,
      () => false,
    );
  });
}
