import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { commands, env, Uri, window, workspace } from 'vscode';
import type { ReferenceService, ReferenceServiceOptions } from '../../../service/options.ts';
import { aiffOf } from '../../../support/recordings.ts';
import { speechWav } from '../../../support/speech.ts';
import { closeEditors } from '../support/editors.ts';
import {
  attribute,
  axe,
  click,
  fileDialog,
  hover,
  notification,
  press,
  quickPick,
  rightClick,
  screenshot,
  text,
  texts,
  untilHovered,
  visible,
  waitFor,
} from '../support/hands.ts';
import { connectTo, disconnect, setting, startService } from '../support/service.ts';
import { subject } from '../support/subject.ts';
import { until } from '../support/until.ts';

const translate = 'parley.audio.translate';
const open = 'parley.audio.open';
const said = 'Notice to mariners. High tide comes at six.';
const recordings = (): string => join(workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', 'recordings');
const fixture = (name: string): Uri => Uri.file(join(recordings(), name));

/** The page of a recording's translation. */
const page = (uri: Uri): string => `h1:text-is("${basename(uri.path)}")`;
const pageText = (uri: Uri): Promise<string> => text('#root', { frame: page(uri) });

/** Writes a recording that no other test has translated: the bytes of a real one, and some of its own after them. */
let made = 0;
function newRecording(name: string, bytes?: string | Buffer): Uri {
  const path = join(recordings(), 'new', name);
  const content = bytes ?? Buffer.concat([readFileSync(fixture('aviso.ogg').fsPath), Buffer.from(`#${made++}`)]);
  writeFileSync(path, content);
  return Uri.file(path);
}

/** The copies for the player that are on the disk. */
function copies(): string[] {
  const root = dirname(workspace.workspaceFolders?.[0]?.uri.fsPath ?? '');
  return globSync('data/{,data/}User/globalStorage/parley.parley/playable/*', { cwd: root });
}

/** What the service says about a recording that it does not know. */
function unknownText(uri: Uri): string {
  const bytes = readFileSync(uri.fsPath);
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 8);
  return `An unknown recording named ${basename(uri.path)}, ${bytes.length} bytes, SHA-256 ${hash}.`;
}

async function codeOf(uri: Uri): Promise<unknown> {
  const error: unknown = await commands.executeCommand(translate, uri).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof Error, 'the command rejects');
  return 'code' in error ? error.code : undefined;
}

/** What the explorer says of a file, and of its mark, when the mouse rests on it. */
async function hoverText(uri: Uri): Promise<string> {
  const name = basename(uri.path);
  const shown = `.monaco-hover:has-text("/${name}")`;
  await commands.executeCommand('revealInExplorer', uri);
  await untilHovered(`.explorer-folders-view .monaco-list-row[aria-label^="${name}"] .monaco-icon-label`, shown);
  return text(shown);
}

/** Answers a question that is asked in a list. */
async function answer(question: string, label: string): Promise<void> {
  await waitFor(`.quick-input-title:text-is("${question}")`);
  await quickPick.choose(label);
}

describe('Audio translation', () => {
  let service: ReferenceService;
  const sent = (): string[] =>
    service.requests.flatMap(({ parts }) => parts?.find((part) => part.filename !== undefined)?.filename ?? []);

  before(async () => {
    await subject().activate();
    await mkdir(join(recordings(), 'new'), { recursive: true });
  });
  beforeEach(async () => {
    service = await startService();
    await connectTo(service);
    await notification.clear();
  });
  afterEach(async () => {
    await press('Escape');
    await closeEditors();
    await notification.clear();
    await setting('parley.audio.responseFormat', undefined);
    await setting('parley.audio.extraFields', undefined);
    await service.close();
  });
  after(async () => {
    await disconnect();
    rmSync(join(recordings(), 'new'), { recursive: true });
  });

  it('translates by a right click in the explorer, shows the text, and marks the file', async () => {
    const row = '.explorer-folders-view .monaco-list-row[aria-label*="aviso.ogg"]';
    await setting('parley.audio.responseFormat', 'verbose_json');
    await commands.executeCommand('revealInExplorer', fixture('aviso.ogg'));
    await waitFor(row);
    await rightClick(row);
    // A menu takes no click in its first moments, but it takes the keyboard.
    await hover('.monaco-menu .action-label:text-is("Translate to English")');
    await press('Enter');
    const shown = await pageText(fixture('aviso.ogg'));
    for (const part of ['Notice to mariners.', 'High tide comes at six.', '0:01', '15.3 kB · parley-whisper']) {
      assert.ok(shown.includes(part), `${part} is in: ${shown}`);
    }
    await untilHovered(`${row} .monaco-icon-label`, '.monaco-hover:has-text("Translated to English")');
    await screenshot('audio-explorer');
    const [request] = service.requests;
    assert.deepEqual(
      request?.parts?.map(({ name }) => name),
      ['model', 'response_format', 'temperature', 'file'],
    );
    assert.equal(request?.parts?.at(-1)?.length, 15_292);
    await screenshot('audio-panel');
    assert.deepEqual(await axe(page(fixture('aviso.ogg'))), []);
  });

  it('translates many files one after another, opens the first, and offers the others', async () => {
    const files = ['one.ogg', 'two.ogg', 'three.ogg'].map((name) => newRecording(name));
    await commands.executeCommand(translate, files[0], files);
    assert.deepEqual(sent(), ['one.ogg', 'two.ogg', 'three.ogg']);
    const ends = service.requests.every((request) => request.finished);
    assert.ok(ends);
    assert.ok((await pageText(files[0] as Uri)).includes(unknownText(files[0] as Uri)));
    await notification.untilSaid('3 recordings are translated.');
    await notification.press('Show Translation');
    await quickPick.choose('three.ogg');
    assert.ok((await pageText(files[2] as Uri)).includes(unknownText(files[2] as Uri)));
  });

  it('lists the recordings of the workspace in the palette', async () => {
    const uri = newRecording('palette.ogg');
    const running = commands.executeCommand(translate);
    await quickPick.untilListed('palette.ogg');
    assert.ok((await quickPick.items()).includes('begruessung.wav'));
    await quickPick.filter('palette.ogg');
    await quickPick.choose('palette.ogg');
    await press('Enter');
    await running;
    assert.deepEqual(sent(), ['palette.ogg']);
    assert.ok((await pageText(uri)).includes(unknownText(uri)));
  });

  it('closes the socket when the progress is cancelled, and keeps what was done', async () => {
    const [first, second] = [newRecording('kept.ogg'), newRecording('stopped.ogg')];
    await commands.executeCommand(translate, first);
    service.setFault('slow-first-byte');
    const running = commands.executeCommand(translate, second, [second]);
    await service.waitForRequest((request) => request.parts?.at(-1)?.filename === 'stopped.ogg');
    await notification.untilSaid('Translating stopped.ogg (');
    await notification.press('Cancel');
    await running;
    assert.ok(await service.waitForRequest((request) => request.aborted));
    await until('nothing is said about it', async () => (await notification.texts()).length === 0);
    service.setFault(undefined);
    await commands.executeCommand(open, first);
    assert.ok((await pageText(first)).includes(unknownText(first)));
  });

  it('copies the text, and says so', async () => {
    const uri = fixture('aviso.ogg');
    await commands.executeCommand(translate, uri);
    await commands.executeCommand(open, uri);
    await click('button:has-text("Copy")', { frame: page(uri) });
    assert.ok(await until('it says Copied', () => visible('.status:text-is("Copied")', { frame: page(uri) })));
    assert.equal(await env.clipboard.readText(), said);
  });

  it('exports the text as .txt, .md and subtitles next to the recording', async () => {
    const uri = fixture('promemoria.flac');
    const about = /\*Translated to English by parley-whisper, .*\*/;
    await commands.executeCommand(translate, uri);
    await commands.executeCommand(open, uri);
    for (const [form, format] of Object.entries({ Text: 'txt', Markdown: 'md', 'SubRip Subtitles': 'srt' })) {
      await click('button:has-text("Export…")', { frame: page(uri) });
      await quickPick.choose(form);
      const target = join(recordings(), `promemoria.${format}`);
      await fileDialog.choose('Export Translation', target, target);
      await until(`${target} is written`, () => existsSync(target) && readFileSync(target, 'utf8') !== '');
      const written = readFileSync(target, 'utf8');
      rmSync(target);
      assert.match(written, /Remember to pay for the berth\.\s[\s\S]*The tariff changes tomorrow\.\n$/);
      if (format === 'srt') assert.match(written, /^1\n00:00:0\d,\d{3} --> 00:00:0\d,\d{3}\n/);
      if (format === 'md') assert.match(written, /^# promemoria\.flac\n/);
      if (format === 'md') assert.match(written, about);
    }
  });

  it('does not send what is translated already without asking', async () => {
    const uri = newRecording('again.ogg');
    await commands.executeCommand(translate, uri);
    const showing = commands.executeCommand(translate, uri, [uri]);
    await answer('This recording is already translated.', 'Show Translation');
    await showing;
    assert.ok((await pageText(uri)).includes(unknownText(uri)));
    assert.deepEqual(sent(), ['again.ogg']);
    const again = commands.executeCommand(translate, uri, [uri]);
    await answer('This recording is already translated.', 'Translate Again');
    await again;
    assert.deepEqual(sent(), ['again.ogg', 'again.ogg']);
  });

  it('sends only the others of many when some are translated', async () => {
    const [old, fresh] = [newRecording('old.ogg'), newRecording('fresh.ogg')];
    await commands.executeCommand(translate, old);
    const running = commands.executeCommand(translate, old, [old, fresh]);
    await answer('1 of 2 recordings are already translated.', 'Translate the Others');
    await running;
    assert.deepEqual(sent(), ['old.ogg', 'fresh.ogg']);
  });

  it('gives another extension the text and the times, or an error with a code', async () => {
    await setting('parley.audio.responseFormat', 'verbose_json');
    const uris = [fixture('reunion.mp3'), fixture('begruessung.wav')];
    const answers = await commands.executeCommand<{ uri: Uri; text: string; segments?: unknown[] }[]>(translate, uris);
    assert.deepEqual(
      answers.map(({ uri, text: english, segments }) => [basename(uri.path), english, segments?.length]),
      [
        ['reunion.mp3', 'The meeting starts at ten. The north pontoon will be closed.', 2],
        ['begruessung.wav', 'Good morning in the harbour. Your berth is free.', 2],
      ],
    );
    assert.equal(window.tabGroups.all.flatMap(({ tabs }) => tabs).length, 0, 'nothing is opened');
    assert.equal(await codeOf(newRecording('empty.mp3', '')), 'file-empty');
    assert.equal(await codeOf(newRecording('notes.mp3', 'Only words.')), 'not-audio');
    assert.equal(
      await codeOf(newRecording('lfs.mp3', 'version https://git-lfs.github.com/spec/v1\n')),
      'git-lfs-pointer',
    );
    assert.equal(await codeOf(Uri.parse('untitled:recording.mp3')), 'not-a-file');
    service.setFault('401');
    assert.equal(await codeOf(newRecording('refused.ogg')), 'auth');
  });

  it('says in one sentence that a recording is empty, or gone', async () => {
    const empty = newRecording('empty.mp3', '');
    await commands.executeCommand(translate, empty, [empty]);
    await notification.untilSaid('The file empty.mp3 is empty, so there is nothing to translate.');
    const gone = fixture('gone.mp3');
    await commands.executeCommand(translate, gone, [gone]);
    await notification.untilSaid('The file gone.mp3 is gone.');
    assert.equal(service.requests.length, 0);
  });

  it('says that a recording is too large, and keeps the others', async () => {
    await service.close();
    service = await startService({ maxUploadBytes: 20_000 });
    await connectTo(service);
    const small = newRecording('small.ogg');
    const large = newRecording('large.wav', speechWav(2, 77));
    await commands.executeCommand(translate, large, [large, small]);
    const sentence = await notification.untilSaid('1 of 2 recordings were not translated: large.wav.');
    assert.ok(sentence.includes('does not take a request this large.'), sentence);
    assert.ok((await pageText(small)).includes(unknownText(small)));
  });

  async function restart(options: ReferenceServiceOptions): Promise<void> {
    await service.close();
    service = await startService(options);
    await connectTo(service);
  }

  it('tells whisper.cpp to translate, marks what it translated, and says in the page that it did not where it did not', async () => {
    await restart({ audioServer: 'whisper.cpp' });
    await setting('parley.audio.responseFormat', 'verbose_json');
    const told = newRecording('told.ogg');
    await commands.executeCommand(translate, told, [told]);
    assert.ok((await pageText(told)).includes('An unknown recording named told.ogg'));
    await setting('parley.audio.extraFields', { translate: '' });
    const untold = newRecording('untold.ogg');
    await commands.executeCommand(translate, untold, [untold]);
    const said = 'The service transcribed in German and did not translate;';
    await notification.untilSaid(`untold.ogg: ${said}`);
    const shown = await pageText(untold);
    assert.ok(shown.includes(said) && shown.includes('Auf Deutsch gesagt:'), shown);
    assert.deepEqual(await axe(page(untold)), []);
    assert.ok((await hoverText(told)).includes('Translated to English'));
    assert.equal((await hoverText(untold)).includes('Translated to English'), false);
    await click('.note button:has-text("Open Setting")', { frame: page(untold) });
    await waitFor('.settings-editor .setting-item:has-text("Extra Fields")');
    const asking = commands.executeCommand(translate, untold, [untold]);
    await answer('This recording is already transcribed, and not translated.', 'Show Translation');
    await asking;
    const [file] = await commands.executeCommand<{ text: string; note?: string }[]>(translate, untold);
    assert.ok(file?.text.startsWith('Auf Deutsch gesagt:') && file.note?.startsWith(said), JSON.stringify(file));
  });

  it('says that no speech was found, and marks no silence as translated', async () => {
    const silent = newRecording('silent.ogg');
    const hash = createHash('sha256').update(readFileSync(silent.fsPath)).digest('hex');
    await restart({ translations: new Map([[hash, { text: '' }]]) });
    await commands.executeCommand(translate, silent, [silent]);
    await notification.untilSaid('No speech was found in silent.ogg.');
    assert.ok((await pageText(silent)).includes('No speech was found in this recording.'));
    assert.equal((await hoverText(silent)).includes('Translated to English'), false);
    const [file] = await commands.executeCommand<{ text: string; note?: string }[]>(translate, silent);
    assert.deepEqual([file?.text, file?.note], ['', 'No speech was found in this recording.']);
  });

  it('has times in seconds of a service that gives nanoseconds, and no subtitle for silence and music', async () => {
    await setting('parley.audio.responseFormat', 'verbose_json');
    const uri = newRecording('nanoseconds.ogg');
    const hash = createHash('sha256').update(readFileSync(uri.fsPath)).digest('hex');
    const words = ['[BLANK_AUDIO]', 'Hello there.', '(silence)', 'The tide is high.', '[Musik]'];
    const segments = words.map((each, index) => ({ start: index * 6e8, end: (index + 1) * 6e8, text: each }));
    // One that is none takes no times of the others away.
    const broken = [
      ...segments.slice(0, 2),
      { start: null, end: 1, text: null },
      ...segments.slice(2),
    ] as typeof segments;
    await restart({ translations: new Map([[hash, { text: words.join(' '), segments: broken }]]) });
    await commands.executeCommand(translate, uri, [uri]);
    const shown = await pageText(uri);
    for (const each of words) assert.ok(shown.includes(each), shown);
    await screenshot('audio-markers');
    await click('button:has-text("Export…")', { frame: page(uri) });
    await quickPick.choose('SubRip Subtitles');
    const target = join(recordings(), 'new', 'nanoseconds.srt');
    await fileDialog.choose('Export Translation', target, target);
    await until(`${target} is written`, () => existsSync(target) && readFileSync(target, 'utf8') !== '');
    const written = readFileSync(target, 'utf8');
    rmSync(target);
    await setting('parley.audio.responseFormat', undefined);
    assert.match(
      written,
      /^1\n00:00:00,600 --> 00:00:01,\d{3}\nHello there\.\n\n2\n00:00:01,800 --> 00:00:0\d,\d{3}\nThe tide is high\.\n$/,
    );
  });

  it('says in the list what came of each recording: silence and what is no sound have no check, and each has its reason', async () => {
    await commands.executeCommand('parley.audio.clear');
    const names = ['speech', 'silence', 'music', 'empty', 'notes', 'words', 'paper', 'letters', 'figures'];
    const files = names.map((name, index) =>
      newRecording(`${name}.ogg`, index < 3 ? undefined : index === 3 ? '' : `Only words in ${name}.`),
    );
    const hashOf = (uri: Uri): string => createHash('sha256').update(readFileSync(uri.fsPath)).digest('hex');
    const known = (index: number, said: string) => [hashOf(files[index] as Uri), { text: said }] as const;
    await restart({ translations: new Map([known(1, ''), known(2, '[Music]')]) });
    await commands.executeCommand(translate, files[0], files);
    const sentence = await notification.untilSaid('6 of 9 recordings were not translated:');
    for (const name of names.slice(3)) assert.equal(sentence.split(`${name}.ogg`).length, 2, sentence);
    await notification.untilSaid('No speech was found in silence.ogg, music.ogg.');
    await commands.executeCommand('workbench.view.explorer');
    await commands.executeCommand('parley.translations.focus');
    const row = (name: string): string =>
      `[id="workbench.view.explorer"] .customview-tree .monaco-list-row:has-text("${name}.ogg")`;
    const hasCheck = (name: string): Promise<boolean> => visible(`${row(name)} .codicon-check`);
    await until('the list is drawn', () => visible(row('empty')));
    // What failed stands before what is done, each by name.
    const listed = await texts('[id="workbench.view.explorer"] .customview-tree .monaco-list-row');
    for (const [index, name] of ['empty', 'figures', 'letters', 'notes'].entries())
      assert.ok(listed[index]?.startsWith(`${name}.ogg`), listed.join('|'));
    assert.match(await text(row('figures')), /does not hold audio/);
    // Those below are not in sight.
    await until('the last is in sight', async () => {
      await commands.executeCommand('parley.translations.focus');
      await press('End');
      return visible(row('speech'));
    });
    assert.match(await text(row('speech')), /translated/);
    assert.equal(await hasCheck('speech'), true);
    for (const name of ['silence', 'music']) {
      assert.match(await text(row(name)), /no speech/);
      assert.equal(await hasCheck(name), false);
    }
    await screenshot('audio-results');
    await commands.executeCommand('parley.audio.clear');
  });

  it('names the recording when one of many fails, with its own reason', async () => {
    const files = [newRecording('fine.ogg'), newRecording('empty.ogg', ''), newRecording('notes.ogg', 'Only words.')];
    await commands.executeCommand(translate, files[0], files);
    const sentence = await notification.untilSaid('2 of 3 recordings were not translated:');
    assert.ok(sentence.includes('translated: The file empty.ogg is empty'), sentence);
    assert.ok(sentence.includes(' The file notes.ogg does not hold audio'), sentence);
    service.setFault('500');
    const failing = [newRecording('first.ogg'), newRecording('second.ogg')];
    const error: unknown = await commands
      .executeCommand(translate, failing)
      .then(undefined, (thrown: unknown) => thrown);
    assert.match(String(error), /first\.ogg: .* failed with status 500/);
  });

  it('says that a field of the settings cannot be sent, and leads to it', async () => {
    await setting('parley.audio.extraFields', { model: 'another' });
    const uri = newRecording('field.ogg');
    await commands.executeCommand(translate, uri, [uri]);
    await notification.untilSaid('The request field “parley.audio.extraFields.model” has a value it cannot have');
    await notification.press('Open Setting');
    await waitFor('.settings-editor .setting-item:has-text("Extra Fields")');
    assert.equal(service.requests.length, 0);
  });

  it('tries again from the notice of an error', async () => {
    const uri = newRecording('retried.ogg');
    service.setFault('500');
    await commands.executeCommand(translate, uri, [uri]);
    await notification.untilSaid('failed with status 500.');
    service.setFault(undefined);
    await notification.press('Retry');
    assert.ok((await pageText(uri)).includes(unknownText(uri)));
  });

  it('says what is missing before anything is picked', async () => {
    await setting('parley.audio.model', '');
    await commands.executeCommand(translate);
    await notification.untilSaid('No model for audio translation is set.');
    await disconnect();
    await commands.executeCommand(translate);
    await notification.untilSaid('No service is connected yet.');
  });

  it('plays a copy of a recording that VS Code cannot play as it is, and removes it with the page', async () => {
    const uri = newRecording('memo.aiff');
    const silence = aiffOf(Buffer.alloc(2 * 8_000 * 3), 8_000);
    writeFileSync(uri.fsPath, silence);
    await commands.executeCommand(translate, uri, [uri]);
    await waitFor('.player .clock', { frame: page(uri) });
    const src = (await attribute('.player audio', 'src', { frame: page(uri) })) ?? '';
    assert.match(src, /\/playable\/[^/]+\.wav$/);
    await until('it is loaded', async () => (await text('.player .clock', { frame: page(uri) })).endsWith('/ 0:03'));
    await click('.player button[aria-label^="Play"]', { frame: page(uri) });
    await waitFor('.player button[aria-label^="Pause"]', { frame: page(uri) });
    assert.equal(copies().length, 1);
    await commands.executeCommand('workbench.action.closeActiveEditor');
    await until('the copy is gone', () => copies().length === 0);
  });

  it('says that it cannot play a recording, and leads to it', async () => {
    // A codec that neither an editor nor a browser has.
    const memo = readFileSync(fixture('notiz.m4a').fsPath);
    memo.write('alac', memo.indexOf('mp4a'), 'latin1');
    memo.write('alac', memo.indexOf('esds'), 'latin1');
    const uri = newRecording('memo.m4a', memo);
    await commands.executeCommand(translate, uri, [uri]);
    await waitFor('.player:has-text("VS Code cannot play .m4a here.")', { frame: page(uri) });
    await waitFor('.player button', { frame: page(uri) });
    assert.deepEqual(await axe(page(uri)), []);
  });

  it('lists the saved translations, and deletes one', async () => {
    const uri = newRecording('listed.ogg');
    await commands.executeCommand(translate, uri);
    const running = commands.executeCommand(open);
    await quickPick.untilListed('listed.ogg');
    const listed = '.quick-input-list .monaco-list-row:has-text("listed.ogg")';
    await hover(listed);
    await click(`${listed} .action-label.codicon-trash`);
    await until('it is gone from the list', async () => !(await quickPick.items()).includes('listed.ogg'));
    await press('Escape');
    await running;
    await commands.executeCommand(open, uri);
    await notification.untilSaid('This recording is not translated yet.');
  });
});
