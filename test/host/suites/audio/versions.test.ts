/** What is kept beside the text of a translation: places that were checked, and other translations of the same recording. */
import assert from 'node:assert/strict';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { commands, Uri, window, workspace } from 'vscode';
import { Command } from '../../../../src/ids/ids.ts';
import type { ReferenceService } from '../../../service/options.ts';
import { speechWav } from '../../../support/speech.ts';
import { chat, view } from '../support/chatPanel.ts';
import { closeEditors } from '../support/editors.ts';
import {
  click,
  fill,
  focus,
  inputBox,
  notification,
  press,
  quickPick,
  screenshot,
  text,
  texts,
  type,
  waitFor,
} from '../support/hands.ts';
import { connectTo, disconnect, startService } from '../support/service.ts';
import { subject } from '../support/subject.ts';
import { until } from '../support/until.ts';

describe('A translation that is kept', () => {
  let service: ReferenceService;
  let folder: string;

  before(async () => {
    await subject().activate();
    folder = join(workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', 'recordings', 'versions');
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

  let made = 300;
  async function translated(name: string): Promise<Uri> {
    const path = join(folder, name);
    writeFileSync(path, speechWav(4, ++made));
    await commands.executeCommand(Command.audioTranslate, Uri.file(path));
    return Uri.file(path);
  }

  const page = (uri: Uri): { frame: string } => ({ frame: `h1:text-is("${basename(uri.path)}")` });

  function keptFile(name: string): string {
    const root = dirname(workspace.workspaceFolders?.[0]?.uri.fsPath ?? '');
    const files = globSync('data/{,data/}User/globalStorage/parley.parley/translations/*.json', { cwd: root });
    const kept = files.map((file) => join(root, file)).find((file) => readFileSync(file, 'utf8').includes(name));
    assert.ok(kept);
    return kept;
  }
  const kept = (name: string) => JSON.parse(readFileSync(keptFile(name), 'utf8'));

  /** Gives a translation lines of these texts, as if the service had. */
  function giveLines(name: string, ...lines: { text: string; [more: string]: unknown }[]): void {
    const segments = lines.map((line, at) => ({ start: at, end: at + 1, ...line }));
    const whole = lines.map((line) => line.text).join(' ');
    writeFileSync(keptFile(name), JSON.stringify({ ...kept(name), text: whole, segments }));
  }

  it('has a tab of its own name', async () => {
    const uri = await translated('named.wav');
    await commands.executeCommand(Command.audioOpen, uri);
    await waitFor('.segment', page(uri));
    const labels = window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label));
    assert.ok(labels.includes('named.wav – Translation'), `labels: ${labels.join()}`);
  });

  it('has places that are ticked off, which stays so on the page that comes next, and is taken back', async () => {
    const uri = await translated('ticked.wav');
    giveLines(
      'ticked.wav',
      { text: 'Unsure.', avgLogprob: -3 },
      { text: 'Sure.' },
      { text: 'Again unsure.', avgLogprob: -3 },
    );
    await commands.executeCommand(Command.audioOpen, uri);
    const count = (): Promise<string> => text('button[aria-controls=checks]', page(uri));
    await until('two are to be checked', async () => (await count()).includes('2 places'));
    await click('.segment[aria-posinset="1"] .sign button', page(uri));
    await until('one is left', async () => (await count()).includes('1 place'));
    await until('it is kept', () => kept('ticked.wav').segments[0].isChecked === true);
    await click('.segment[aria-posinset="3"] .words', page(uri));
    await press('c');
    await until('none is left', async () => (await count()).includes('All places'));
    await screenshot('audio-checked');
    await click('.segment[aria-posinset="2"] .words', page(uri));
    await press('Control+z');
    await until('it is taken back', async () => (await count()).includes('1 place'));
    await until(
      'it is kept so',
      () => kept('ticked.wav').segments.filter((each: { isChecked?: true }) => each.isChecked).length === 1,
    );
    await closeEditors();
    await commands.executeCommand(Command.audioOpen, uri);
    await until('it is so on the next page', async () => (await count()).includes('1 place'));
  });

  it('has names of who speaks, renamed for all of it at once, and given by hand', async () => {
    const uri = await translated('named-speakers.wav');
    const said = ['One.', 'Two.', 'Three.', 'Four.'];
    giveLines('named-speakers.wav', ...said.map((each, at) => ({ text: each, speaker: `Speaker ${at % 2}` })));
    await commands.executeCommand(Command.audioOpen, uri);
    await click('.segment[aria-posinset="1"] .speaker', page(uri));
    await quickPick.choose('Another Name…');
    await inputBox.enter('Anna', 'Who Speaks?');
    await screenshot('audio-speakers');
    await quickPick.choose('Everywhere');
    const names = (): string[] =>
      kept('named-speakers.wav').segments.map(({ speaker = '' }: { speaker?: string }) => speaker);
    await until('all of it is named', () => names().join() === 'Anna,Speaker 1,Anna,Speaker 1');
    await until(
      'the page has it',
      async () => (await texts('.speaker', page(uri))).join() === 'Anna,Speaker 1,Anna,Speaker 1',
    );
    await click('.segment[aria-posinset="4"] .words', page(uri));
    await press('n');
    await quickPick.choose('Anna');
    await quickPick.choose('From Here On');
    await until('it is named from there on', () => names().join() === 'Anna,Speaker 1,Anna,Anna');
    await until('the page has it', async () => (await texts('.speaker', page(uri))).join() === 'Anna,Speaker 1,Anna');
  });

  it('is found by what is said in it, and opened at that place; the chat attaches it', async () => {
    const uri = await translated('searched.wav');
    const lines = Array.from({ length: 60 }, (_, at) => ({
      text: at === 50 ? 'A most peculiar lighthouse.' : `Line ${at}.`,
    }));
    giveLines('searched.wav', ...lines);
    const searching = commands.executeCommand(Command.audioSearch);
    await quickPick.untilAsked('Words that were said, in any order');
    await quickPick.filter('lighthouse peculiar');
    await quickPick.untilListed('A most peculiar lighthouse.');
    await screenshot('audio-search');
    await press('Enter');
    await searching;
    await waitFor('.segment[aria-posinset="51"]:focus', page(uri));
    await chat.open();
    await fill('.box', '', view);
    await focus('.box', view);
    await type('@translation:peculiar');
    await waitFor('.completion[aria-selected=true] .completion-label:text-is("A most peculiar lighthouse.")', view);
    await screenshot('audio-mention');
    await press('Enter');
    await until('a chip names it', async () =>
      (await texts('.composer .chip-label', view)).join().includes('searched.wav'),
    );
    await click('.composer .chip .icon-button', view);
  });

  it('is translated again with another prompt and model, and both versions are used in turn', async () => {
    const uri = await translated('twice.wav');
    const first = kept('twice.wav');
    await commands.executeCommand(Command.audioOpen, uri);
    await click('button:has-text("Translate Again")', page(uri));
    await quickPick.choose('Prompt…');
    await inputBox.enter('Boats and harbours.', 'Prompt');
    await quickPick.choose('Model…');
    await until('models are listed', async () => (await quickPick.items()).length > 1);
    await screenshot('audio-translate-again');
    await quickPick.choose('Another Model…');
    await inputBox.enter(first.model, 'Model');
    await quickPick.choose('Translate');
    await until('it is another', () => kept('twice.wav').createdAt !== first.createdAt);
    assert.equal(kept('twice.wav').prompt, 'Boats and harbours.');
    await waitFor('button:has-text("2 Versions")', page(uri));
    giveLines('twice.wav', { text: 'The second version.' });
    await click('button:has-text("2 Versions")', page(uri));
    await until('both are listed', async () => (await quickPick.items()).length === 2);
    await screenshot('audio-versions');
    await press('ArrowDown');
    await press('Enter');
    await until('the first is in use', () => kept('twice.wav').createdAt === first.createdAt);
    await until('the page has it', async () =>
      (await text('.segments', page(uri))).includes(first.segments[0].text.slice(0, 20)),
    );
    await click('button:has-text("2 Versions")', page(uri));
    await until('both are listed', async () => (await quickPick.items()).length === 2);
    await quickPick.filter('Boats');
    await until('one is left', async () => (await quickPick.items()).length === 1);
    await press('Enter');
    await until('the second is in use', () => kept('twice.wav').text === 'The second version.');
    await until('the page has it', async () => (await text('.segments', page(uri))).includes('The second version.'));
  });
});
