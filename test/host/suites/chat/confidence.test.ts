import assert from 'node:assert/strict';
import {
  commands,
  EndOfLine,
  type Hover,
  type MarkdownString,
  Position,
  Range,
  Selection,
  type TextEditor,
  Uri,
  window,
  workspace,
} from 'vscode';
import { Command } from '../../../../src/ids/ids.ts';
import type { ReferenceService } from '../../../service/options.ts';
import { chat, frame } from '../support/chatPanel.ts';
import { closeEditors } from '../support/editors.ts';
import { click, notification, screenshot, text, texts, waitFor } from '../support/hands.ts';
import { lensTitles } from '../support/lenses.ts';
import { connectToScripted, type ScriptedService, startScripted, streamed } from '../support/scriptedService.ts';
import { connectTo, disconnect, setting, startService } from '../support/service.ts';
import { subject } from '../support/subject.ts';
import { until } from '../support/until.ts';

/** By the reference service's rule, `hour` and `low` are unsure, and `function` is not. */
const code = ['function tideAt(hour) {', '  const low = 3;', '  return hour - low;', '}'].join('\n');
const berths = 'src/berths.ts';
/** The words with a line below them, in the editor that is shown. */
const lined = '.editor-instance .view-line span[class*="ced-"]';
const linedWords = async (): Promise<string[]> => (await texts(lined)).map((word) => word.replaceAll('\u00a0', ' '));

describe('How sure the model was', () => {
  let service: ReferenceService;

  before(async () => {
    await subject().activate();
    await setting('parley.chat.extraBody', { logprobs: true, top_logprobs: 3 });
  });
  beforeEach(async () => {
    service = await startService();
    await connectTo(service);
    await commands.executeCommand(Command.chatNew);
    await notification.clear();
  });
  afterEach(async () => {
    await commands.executeCommand(Command.editRejectSet);
    await notification.clear();
    await closeEditors();
    await service.close();
  });
  after(async () => {
    await setting('parley.chat.extraBody', undefined);
    await disconnect();
  });

  /** Has an answer with a block of code, and presses a button of it. */
  async function press(label: string, info: string, block = code): Promise<void> {
    await commands.executeCommand(Command.chatAsk, `say: Sure:\n\n\`\`\`${info}\n${block}\n\`\`\``);
    await chat.open();
    await click(`.messages > :last-child .code [aria-label="${label}"]`, { frame });
  }

  async function emptyEditor(content = '\n\n'): Promise<TextEditor> {
    const document = await workspace.openTextDocument({ content, language: 'plaintext' });
    return window.showTextDocument(document, { preview: false });
  }

  /** What VS Code shows over a place. */
  async function hoverAt(editor: TextEditor, line: number, character: number): Promise<string> {
    const at = new Position(line, character);
    const { uri } = editor.document;
    const hovers = await commands.executeCommand<Hover[]>('vscode.executeHoverProvider', uri, at);
    return hovers.flatMap(({ contents }) => contents.map((each) => (each as MarkdownString).value)).join('\n');
  }

  /** The places that *Next Unsure Place* goes to, from the beginning on. */
  async function unsurePlaces(editor: TextEditor): Promise<string[]> {
    const places: string[] = [];
    editor.selection = new Selection(0, 0, 0, 0);
    for (;;) {
      await commands.executeCommand(Command.confidenceNext);
      const { selection, document } = editor;
      const place = `${selection.start.line}:${selection.start.character} ${document.getText(selection)}`;
      if (places.includes(place)) return places;
      places.push(place);
    }
  }

  describe('in code that was inserted', () => {
    it('is told by lines below the words, on hover, and by going through the places', async () => {
      const editor = await emptyEditor();
      await press('Insert at Cursor', 'js');
      await until('it is there', () => editor.document.getText().startsWith(code));
      await waitFor(lined);
      const marked = await linedWords();
      assert.ok(marked.length > 3, marked.join('|'));
      await screenshot('confidence-editor');
      const hover = await hoverAt(editor, 1, 9);
      assert.match(hover, /The model held this word to be [\d.]+ % likely/);
      assert.match(hover, /" low" {2}[\d.]+ %\n {4}" other1" {2}[\d.]+ %\n {4}" other2" {2}[\d.]+ %/);
      assert.equal(await hoverAt(editor, 5, 0), '');
      const places = await unsurePlaces(editor);
      assert.ok(places.length > 0);
      await commands.executeCommand(Command.confidencePrevious);
      const { selection } = editor;
      const place = `${selection.start.line}:${selection.start.character} ${editor.document.getText(selection)}`;
      assert.equal(place, places.at(-1), 'from the first one to the last');
    });

    it('follows what is written, whatever ends the lines, and goes where a word is changed, and with the document', async () => {
      const editor = await emptyEditor();
      await editor.edit((edit) => edit.setEndOfLine(EndOfLine.CRLF));
      await press('Insert at Cursor', 'js');
      await until('it is there', () => editor.document.lineCount > 4);
      const before = await until('it is marked', async () => {
        const places = await unsurePlaces(editor);
        return places.length > 1 ? places : undefined;
      });
      await editor.edit((edit) => edit.insert(new Position(0, 0), '// tides\n\n'));
      const moved = before.map((place) => place.replace(/^\d+/, (line) => String(Number(line) + 2)));
      assert.deepEqual(await unsurePlaces(editor), moved);
      const [first = ''] = moved;
      const [, line = 0, character = 0] = (/^(\d+):(\d+)/.exec(first) ?? []).map(Number);
      await editor.edit((edit) => edit.replace(new Range(line, character, line, character + 1), 'X'));
      assert.deepEqual(await unsurePlaces(editor), moved.slice(1));
      assert.equal(await hoverAt(editor, line, character), '');
      const { uri } = editor.document;
      await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      await until(
        'it is closed',
        () => !workspace.textDocuments.some((each) => each.uri.toString() === uri.toString()),
      );
      await emptyEditor();
      await commands.executeCommand(Command.confidenceNext);
      await notification.untilSaid('No code here is from an answer');
    });

    it('can be hidden, and is then hidden everywhere', async () => {
      const editor = await emptyEditor();
      await press('Insert at Cursor', 'js');
      await until('it is there', () => editor.document.lineCount > 4);
      await waitFor(lined);
      await commands.executeCommand(Command.confidenceToggle);
      await waitFor(lined, { state: 'hidden' });
      assert.equal(await hoverAt(editor, 1, 9), '');
      await commands.executeCommand(Command.confidenceToggle);
      await waitFor(lined);
    });

    it('is told of a new file, too', async () => {
      await press('New File', 'js');
      const editor = await until('it is open', () => window.activeTextEditor);
      await waitFor(lined);
      assert.match(await hoverAt(editor, 0, 2), /function" {2}[\d.]+ %/);
    });

    it('says nothing of code whose probabilities are not known', async () => {
      await setting('parley.chat.extraBody', undefined);
      const editor = await emptyEditor();
      await press('Insert at Cursor', 'js', code.replaceAll('tideAt', 'springTideAt'));
      await until('it is there', () => editor.document.lineCount > 4);
      assert.equal(await hoverAt(editor, 1, 9), '');
      await commands.executeCommand(Command.confidenceNext);
      await notification.untilSaid('No code here is from an answer');
      await setting('parley.chat.extraBody', { logprobs: true, top_logprobs: 3 });
    });
  });

  it('is told of code that was applied to a file, once it is accepted', async () => {
    const [root] = workspace.workspaceFolders ?? [];
    assert.ok(root);
    const editor = await window.showTextDocument(Uri.joinPath(root.uri, berths));
    const { document } = editor;
    await press('Apply to File', `ts ${berths}`, `export ${code.replaceAll('\n', '\n  ')}`);
    await until('it is offered', async () => (await lensTitles(document.uri)).includes('Accept All'));
    assert.equal(await hoverAt(editor, 0, 0).then((shown) => shown.includes('The model held')), false);
    await commands.executeCommand(Command.editAcceptFile);
    const line = await until('it is there', () => {
      const at = document
        .getText()
        .split('\n')
        .findIndex((each) => each.includes('tideAt'));
      return at < 0 ? undefined : at;
    });
    const shown = await window.showTextDocument(document);
    const character = document.lineAt(line).text.indexOf('function') + 1;
    await until('it is told', async () => (await hoverAt(shown, line, character)).includes(' function"'));
    await commands.executeCommand('undo');
    await until('it is gone', () => !document.getText().includes('tideAt'));
    await commands.executeCommand('workbench.action.files.revert');
  });

  describe('and another token in its place', () => {
    const fork = async (word: string, alternative: string): Promise<void> => {
      await click('.messages > :last-child .actions [aria-label="How Sure the Model Was"]', { frame });
      await click(`.confidence .least-sure summary`, { frame });
      await click(`.confidence .least-sure .link:has-text(${JSON.stringify(word)})`, { frame });
      await click(`.confidence-detail .fork-token:has-text(${JSON.stringify(alternative)})`, { frame });
    };

    describe('of a service that goes on', () => {
      let scripted: ScriptedService;
      beforeEach(async () => {
        scripted = await startScripted();
        await connectToScripted(scripted);
        await setting('parley.chat.model', 'm');
      });
      afterEach(() => scripted.close());

      /** Answers with tokens, of which each has alternatives. */
      const says = (...tokens: readonly (readonly [token: string, ...others: string[]])[]) =>
        scripted.answer(
          streamed(
            tokens.map(([token, ...others], index) => ({
              id: 'x',
              model: 'm',
              choices: [
                {
                  index: 0,
                  delta: { content: token },
                  finish_reason: index === tokens.length - 1 ? 'stop' : null,
                  logprobs: {
                    content: [
                      {
                        token,
                        logprob: others.length > 0 ? -1.5 : -0.01,
                        bytes: [...Buffer.from(token)],
                        top_logprobs: others.map((other) => ({
                          token: other,
                          logprob: -2,
                          bytes: [...Buffer.from(other)],
                        })),
                      },
                    ],
                  },
                },
              ],
            })),
            (response) => void response.end('data: [DONE]\n\n'),
          ),
        );
      const sent = () => (scripted.bodies.at(-1)?.messages ?? []) as { role: string; content: string }[];

      it('is a version that begins with it, of which all words are known, and which can be forked again', async () => {
        says(['High'], [' water'], [' at'], [' six', ' seven', ' noon'], ['.']);
        await chat.ask('When?');
        await chat.untilAnswered('High water at six.');
        says([' o’', ' in'], ['clock'], [', they', ', we'], [' say.']);
        await fork('six', 'seven');
        await chat.untilAnswered('High water at seven o’clock, they say.');
        assert.deepEqual(sent().at(-1), { role: 'assistant', content: 'High water at seven' });
        await waitFor('.answer .versions:has-text("2 / 2")', { frame });
        await waitFor('.confidence', { frame, state: 'hidden' });
        says([' know.']);
        await fork(', they', ', we');
        await chat.untilAnswered('High water at seven o’clock, we know.');
        assert.deepEqual(sent().at(-1), { role: 'assistant', content: 'High water at seven o’clock, we' });
        await waitFor('.answer .versions:has-text("3 / 3")', { frame });
        await click('[title="Details of this answer"]', { frame });
        assert.match(await text('.answer dl', { frame }), /Forked at\s+…ter at seven o’clock, we/);
        await click('.answer .actions [aria-label="How Sure the Model Was"]', { frame });
        assert.equal(await text('.confidence-text', { frame }), 'High water at seven o’clock, we know.');
        assert.match(await text('.confidence-summary', { frame }), / 2 of 6 words are unsure/);
        await screenshot('confidence-fork');
      });

      it('shows what a service says could have stood there as it is, on hover', async () => {
        const hostile = '```\n[x](command:workbench.action.quit) $(zap) <b>';
        says(['```\n'], ['tideTable'], ['(hours'], [');', hostile], ['\n```']);
        const editor = await emptyEditor();
        await chat.ask('Which?');
        await chat.untilAnswered('tideTable');
        await click('.messages > :last-child .code [aria-label="Insert at Cursor"]', { frame });
        await until('it is there', () => editor.document.getText().startsWith('tideTable(hours);'));
        const shown = await until('it is told', async () => (await hoverAt(editor, 0, 3)) || undefined);
        const [before = '', after = ''] = shown.split(JSON.stringify(hostile.slice(0, 40)));
        assert.match(before, /```text\n[\s\S]*$/, 'within a block of code');
        assert.match(after, / {2}[\d.]+ %\n`{3,}\n$/);
        const hovers = await commands.executeCommand<Hover[]>(
          'vscode.executeHoverProvider',
          editor.document.uri,
          new Position(0, 3),
        );
        for (const each of hovers.flatMap(({ contents }) => contents as MarkdownString[]))
          assert.deepEqual([each.isTrusted ?? false, each.supportHtml ?? false], [false, false]);
      });

      it('is told of plainly where the service refuses, and the beginning stays', async () => {
        says(['High'], [' water'], [' at'], [' six', ' seven'], ['.']);
        await chat.ask('When?');
        await chat.untilAnswered('High water at six.');
        scripted.answer((response) => {
          const error = { message: 'The last message must be of the user.' };
          response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
        });
        await fork('six', 'seven');
        await waitFor('.answer .note:has-text("The service refuses to go on from a fork")', { frame });
        assert.equal((await chat.answers()).at(-1)?.trim(), 'High water at seven');
      });
    });

    it('is told of plainly where the service begins anew, and what came is kept', async () => {
      await chat.ask('say: High water at six in the harbour of Cuxhaven');
      await chat.untilAnswered('Cuxhaven');
      await click('.messages > :last-child .actions [aria-label="How Sure the Model Was"]', { frame });
      await waitFor('.confidence-text', { frame });
      await click('.confidence-steps [aria-label="Next Unsure Word"]', { frame });
      await click('.confidence-detail .fork-token', { frame });
      await waitFor('.answer .note:has-text("The service does not go on from a fork: it began anew")', { frame });
      assert.equal((await chat.answers()).at(-1)?.trim(), 'High water at six in the harbour of Cuxhaven');
      await waitFor('.answer .versions:has-text("2 / 2")', { frame });
      const bodies = service.requests.filter(({ path }) => path.endsWith('/chat/completions'));
      const last = bodies.at(-1)?.body as { messages: { role: string; content: string }[] } | undefined;
      assert.equal(last?.messages.at(-1)?.role, 'assistant');
      assert.match(last?.messages.at(-1)?.content ?? '', /other1$/);
    });
  });
});
