/** A translation as text: edited there and on its page, exported, inserted, and taken to the chat. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import {
  commands,
  env,
  Position,
  Range,
  Selection,
  type TextDocument,
  type TextEditor,
  Uri,
  ViewColumn,
  WorkspaceEdit,
  window,
  workspace,
} from 'vscode';
import { Command } from '../../../../src/ids/ids.ts';
import type { ReferenceService } from '../../../service/options.ts';
import { speechWav } from '../../../support/speech.ts';
import { view } from '../support/chatPanel.ts';
import { closeEditors } from '../support/editors.ts';
import { click, fill, notification, press, quickPick, screenshot, text, texts, waitFor } from '../support/hands.ts';
import { connectTo, disconnect, startService } from '../support/service.ts';
import { subject } from '../support/subject.ts';
import { until } from '../support/until.ts';

describe('A translation as text', () => {
  let service: ReferenceService;
  let folder: string;

  before(async () => {
    await subject().activate();
    folder = join(workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', 'recordings', 'documents');
    await mkdir(folder, { recursive: true });
    service = await startService();
    await connectTo(service);
  });
  afterEach(async () => {
    await closeEditors();
    await notification.clear();
  });
  after(async () => {
    await disconnect();
    await service.close();
    rmSync(folder, { recursive: true });
  });

  let made = 100;
  async function translated(name: string, seconds = 4): Promise<Uri> {
    const path = join(folder, name);
    writeFileSync(path, speechWav(seconds, ++made));
    await commands.executeCommand(Command.audioTranslate, Uri.file(path));
    return Uri.file(path);
  }

  const page = (uri: Uri): { frame: string } => ({ frame: `h1:text-is("${basename(uri.path)}")` });

  async function openAs(uri: Uri, form: string): Promise<TextEditor> {
    const opening = commands.executeCommand(Command.audioEditAsText, uri);
    await quickPick.choose(form);
    await opening;
    return until('it is open', () =>
      window.visibleTextEditors.find(({ document }) => document.uri.scheme === 'parley-transcript'),
    );
  }

  async function write(document: TextDocument, from: string, to: string): Promise<void> {
    const at = document.positionAt(document.getText().indexOf(from));
    const edit = new WorkspaceEdit();
    edit.replace(document.uri, new Range(at, at.translate(0, from.length)), to);
    assert.ok(await workspace.applyEdit(edit));
  }

  it('is edited as subtitles, and the page shows what was saved; an edit of the page is in the document', async () => {
    const uri = await translated('talk.wav');
    const { document } = await openAs(uri, 'SubRip Subtitles');
    await commands.executeCommand(Command.audioOpen, uri);
    await waitFor('.segment', page(uri));
    await commands.executeCommand('workbench.action.moveEditorToNextGroup');
    await waitFor('.segment', page(uri));
    assert.match(document.getText(), /^1\n00:00:00,000 --> 00:00:0\d,\d{3}\nAn unknown recording named talk\.wav/);
    await write(document, 'An unknown recording', 'A well-known recording');
    assert.ok(await document.save());
    await until('the page has it', async () => (await text('.segment', page(uri))).includes('A well-known recording'));
    await screenshot('audio-document');
    await click('.segment .words', page(uri));
    await press('F2');
    await fill('.segment textarea', 'Said anew.', page(uri));
    await press('Enter');
    await until('the document has it', () => document.getText().includes('Said anew.'));
    assert.equal(document.isDirty, false);
  });

  /** The file in which a translation is kept. */
  function keptFile(name: string): string {
    const root = dirname(workspace.workspaceFolders?.[0]?.uri.fsPath ?? '');
    const files = globSync('data/{,data/}User/globalStorage/parley.parley/translations/*.json', { cwd: root });
    const kept = files.map((file) => join(root, file)).find((file) => readFileSync(file, 'utf8').includes(name));
    assert.ok(kept);
    return kept;
  }

  /** Gives a translation lines of these texts, as if the service had. */
  function giveLines(name: string, ...said: string[]): void {
    const kept = keptFile(name);
    const segments = said.map((each, line) => ({ start: line, end: line + 1, text: each }));
    writeFileSync(kept, JSON.stringify({ ...JSON.parse(readFileSync(kept, 'utf8')), text: said.join(' '), segments }));
  }

  async function editOnPage(uri: Uri, line: number, written: string): Promise<void> {
    await click(`.segment[aria-posinset="${line}"] .words`, page(uri));
    await press('F2');
    await fill('.segment textarea', written, page(uri));
    await press('Enter');
  }

  it('keeps what was edited on its page while it had edits of its own, and tells of a line that both changed', async () => {
    const uri = await translated('both.wav');
    giveLines('both.wav', 'one cat', 'two', 'three');
    const { document } = await openAs(uri, 'SubRip Subtitles');
    await commands.executeCommand(Command.audioOpen, uri);
    await waitFor('.segment', page(uri));
    await commands.executeCommand('workbench.action.moveEditorToNextGroup');
    await waitFor('.segment', page(uri));
    const kept = (): string => (JSON.parse(readFileSync(keptFile('both.wav'), 'utf8')) as { text: string }).text;
    for (const [mine, theirs] of [
      ['3rd', 'one dog'],
      ['third', 'a longer line'],
    ] as const) {
      const [, last = ''] = /\n(\w+)\n$/.exec(document.getText()) ?? [];
      await write(document, last, mine);
      await editOnPage(uri, 1, theirs);
      await until('it is kept', () => kept().includes(theirs));
      assert.ok(await document.save());
      assert.equal(kept(), `${theirs} two ${mine}`);
      await until('the document has it', () => document.getText().includes(theirs));
      assert.equal(document.isDirty, false);
    }
    await write(document, 'a longer line', 'mine');
    await editOnPage(uri, 1, 'theirs');
    await until('it is kept', () => kept().includes('theirs'));
    assert.ok(await document.save());
    await notification.untilSaid('were changed at another place meanwhile');
    assert.equal(kept(), 'mine two third');
    await notification.press('Copy the Other Text');
    await until('it is copied', async () => (await env.clipboard.readText()) === 'theirs');
  });

  it('is opened as text by the name of a copy, follows its page, and is played from there', async () => {
    const uri = await translated('first.wav');
    const copy = Uri.file(join(folder, 'copied.wav'));
    writeFileSync(copy.fsPath, readFileSync(uri.fsPath));
    await commands.executeCommand(Command.audioTranslate, copy);
    rmSync(uri.fsPath);
    await closeEditors();
    const { document } = await openAs(copy, 'SubRip Subtitles');
    await commands.executeCommand(Command.audioPlayLine);
    await waitFor('.segment[aria-current]', page(copy));
    await editOnPage(copy, 1, 'Said anew.');
    await until('the document has it', () => document.getText().includes('Said anew.'));
  });

  it('is replaced on its page in all lines at once, and taken back at once', async () => {
    const uri = await translated('replaced.wav');
    giveLines('replaced.wav', 'The harbor.', 'two', 'Our Harbor, a harbor.');
    await commands.executeCommand(Command.audioOpen, uri);
    await click('.segment .words', page(uri));
    await press('Control+h');
    await fill('.find-box[aria-label^="Find"]', 'harbor', page(uri));
    await fill('.replace .find-box', 'harbour', page(uri));
    await press('Control+Alt+Enter');
    const kept = (): string => (JSON.parse(readFileSync(keptFile('replaced.wav'), 'utf8')) as { text: string }).text;
    await until('it is kept', () => kept() === 'The harbour. two Our harbour, a harbour.');
    await screenshot('audio-replace');
    await press('Escape');
    await press('Control+z');
    await until('it is taken back', () => kept() === 'The harbor. two Our Harbor, a harbor.');
  });

  it('is not edited where another window put another line, which is shown, and the text can be copied', async () => {
    const uri = await translated('shared.wav');
    await commands.executeCommand(Command.audioOpen, uri);
    await waitFor('.segment', page(uri));
    const kept = keptFile('shared.wav');
    writeFileSync(kept, readFileSync(kept, 'utf8').replaceAll('An unknown recording', 'Another line'));
    await click('.segment .words', page(uri));
    await press('F2');
    await fill('.segment textarea', 'Mine.', page(uri));
    await press('Enter');
    await notification.untilSaid('was changed at another place');
    await until('the page has it', async () => (await text('.segment', page(uri))).includes('Another line'));
    await notification.press('Copy Your Text');
    await until('it is copied', async () => (await env.clipboard.readText()) === 'Mine.');
    assert.ok(!readFileSync(kept, 'utf8').includes('Mine.'));
  });

  it('says so where an edit of its page cannot be kept, and the text can be copied', async () => {
    const uri = await translated('unkept.wav');
    await commands.executeCommand(Command.audioOpen, uri);
    await waitFor('.segment', page(uri));
    rmSync(keptFile('unkept.wav'));
    await editOnPage(uri, 1, 'Mine.');
    await notification.untilSaid('Your edit is not kept');
    await until('the page has it', async () => (await text('.segment', page(uri))).includes('An unknown recording'));
    await notification.press('Copy Your Text');
    await until('it is copied', async () => (await env.clipboard.readText()) === 'Mine.');
  });

  it('is played from the line of the cursor, whether its page is open or not; the focus stays in the text', async () => {
    // It is heard still when somebody looks.
    const uri = await translated('heard.wav', 60);
    for (const isOpen of [true, false]) {
      await closeEditors();
      if (isOpen) {
        await commands.executeCommand(Command.audioOpen, uri);
        await waitFor('.segment', page(uri));
        await commands.executeCommand('workbench.action.moveEditorToNextGroup');
      }
      const editor = await openAs(uri, 'SubRip Subtitles');
      editor.selection = new Selection(2, 0, 2, 0);
      await commands.executeCommand(Command.audioPlayLine);
      await waitFor('.segment[aria-current]', page(uri));
      assert.equal(window.activeTextEditor?.document, editor.document);
      await screenshot(`audio-play-line-${isOpen ? 'open' : 'closed'}`);
    }
  });

  it('is not saved with a line that is no time, which is named; nothing is lost', async () => {
    const uri = await translated('broken.wav');
    const { document } = await openAs(uri, 'WebVTT Subtitles');
    await write(document, '00:00:00.000 -->', '00:00:xx -->');
    assert.equal(
      await document.save().then(
        (saved) => saved,
        () => false,
      ),
      false,
    );
    assert.ok(document.getText().includes('00:00:xx'));
    const kept = await commands.executeCommand<{ text: string }[]>(Command.audioTranslate, uri);
    assert.match(kept[0]?.text ?? '', /^An unknown recording named broken\.wav/);
    await window.showTextDocument(document);
    await commands.executeCommand('workbench.action.files.revert');
  });

  it('of several recordings is exported beside each, and what is there is left alone', async () => {
    const uris = [await translated('one.wav'), await translated('two.wav')];
    const there = join(folder, 'one.srt');
    writeFileSync(there, 'mine');
    uris.push(Uri.file(join(folder, 'untranslated.wav')));
    writeFileSync(join(folder, 'untranslated.wav'), speechWav(4, ++made));
    const exporting = commands.executeCommand(Command.audioExport, uris[0], uris);
    // VS Code draws a list over the one before, which had such an item at another place.
    await quickPick.untilListed('JSON');
    await notification.untilSaid('Not translated yet, and left out: 1.');
    await quickPick.choose('SubRip Subtitles');
    await exporting;
    await notification.untilSaid('Files written: 1. Left alone, as a file of that name is there: 1.');
    assert.equal(readFileSync(there, 'utf8'), 'mine');
    assert.ok(existsSync(join(folder, 'two.srt')));
  });

  it('is inserted at the cursor, and attached to the next question', async () => {
    const uri = await translated('insert.wav');
    const notes = await workspace.openTextDocument({ content: 'Notes: ' });
    const editor = await window.showTextDocument(notes, ViewColumn.One);
    editor.selection = new Selection(new Position(0, 7), new Position(0, 7));
    await commands.executeCommand(Command.audioInsert, uri);
    assert.match(notes.getText(), /^Notes: An unknown recording named insert\.wav/);
    giveLines('insert.wav', 'Good day.', 'Who is there?');
    await commands.executeCommand(Command.audioInsertTimes, uri);
    assert.match(notes.getText(), /\[0:00\] Good day\.\n\[0:01\] Who is there\?$/);
    await commands.executeCommand(Command.audioAddToChat, uri);
    await until('a chip names it', async () =>
      (await texts('.composer .chip-label', view)).join().includes('insert.wav'),
    );
    await click('.composer .chip .icon-button', view);
    await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });
});
