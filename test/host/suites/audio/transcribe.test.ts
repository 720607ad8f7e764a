/** Recordings as text in the language that is spoken, beside their translations. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { commands, Uri, workspace } from 'vscode';
import { Command } from '../../../../src/ids/ids.ts';
import type { ReferenceService, ReferenceServiceOptions } from '../../../service/options.ts';
import { closeEditors } from '../support/editors.ts';
import {
  axe,
  click,
  dialog,
  fileDialog,
  hover,
  notification,
  press,
  quickPick,
  rightClick,
  screenshot,
  text,
  texts,
  visible,
  waitFor,
} from '../support/hands.ts';
import { connectTo, disconnect, setting, startService } from '../support/service.ts';
import { subject } from '../support/subject.ts';
import { until } from '../support/until.ts';

const recordings = (): string => join(workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', 'recordings');
const fixture = (name: string): Uri => Uri.file(join(recordings(), name));
const list = '[id="workbench.view.explorer"] .customview-tree .monaco-list-row';

/** The page of the text in the spoken language, and that of the translation. */
const spokenPage = (uri: Uri): string => `header:has(h1:text-is("${basename(uri.path)}")):has-text("Transcript in")`;
const englishPage = (uri: Uri): string =>
  `header:has(h1:text-is("${basename(uri.path)}")):not(:has-text("Transcript in"))`;

let made = 0;
/** A recording that nobody has sent: the bytes of a real one, and some of its own after them. */
function newRecording(name: string): Uri {
  const path = join(recordings(), 'spoken', name);
  writeFileSync(path, Buffer.concat([readFileSync(fixture('aviso.ogg').fsPath), Buffer.from(`#spoken${made++}`)]));
  return Uri.file(path);
}

describe('Audio transcription', () => {
  let service: ReferenceService;

  before(async () => {
    await subject().activate();
    await mkdir(join(recordings(), 'spoken'), { recursive: true });
  });
  async function serve(options: ReferenceServiceOptions): Promise<void> {
    service = await startService(options);
    await connectTo(service);
    await notification.clear();
  }
  afterEach(async () => {
    await press('Escape');
    await commands.executeCommand(Command.audioClear);
    await closeEditors();
    await notification.clear();
    await setting('parley.audio.language', undefined);
    await setting('parley.audio.askAboveMinutes', undefined);
    await setting('parley.audio.transcriptions', undefined);
    await service.close();
  });
  after(async () => {
    await disconnect();
    rmSync(join(recordings(), 'spoken'), { recursive: true });
  });

  /** What the list says, which is opened for that. */
  async function listed(): Promise<string[]> {
    if (!(await visible(list)))
      await commands.executeCommand('parley.translations.focus').then(undefined, () => undefined);
    return texts(list);
  }
  const asked = (): string[] => service.requests.map(({ path }) => path.replace('/openai/v1/audio/', ''));
  const fieldOf = (name: string): (string | undefined)[] =>
    (service.requests.at(-1)?.parts ?? []).filter((part) => part.name === name).map(({ value }) => value);

  it('transcribes by a right click, says the language, and is listed as what it is', async () => {
    await serve({ transcriptions: true });
    const uri = fixture('aviso.ogg');
    const row = '.explorer-folders-view .monaco-list-row[aria-label*="aviso.ogg"]';
    await commands.executeCommand('revealInExplorer', uri);
    await waitFor(row);
    await rightClick(row);
    await hover('.monaco-menu .action-label:text-is("Transcribe Recording")');
    await press('Enter');
    const shown = await text('#root', { frame: spokenPage(uri) });
    for (const part of ['Gesagt wird: Notice to mariners.', 'Transcript in German', '0:01', 'parley-whisper'])
      assert.ok(shown.includes(part), `${part} is in: ${shown}`);
    // One small request finds out that the service does that; the second is the recording.
    assert.deepEqual(asked(), ['transcriptions', 'transcriptions']);
    assert.equal(service.requests[0]?.parts?.length, 1);
    assert.deepEqual(fieldOf('timestamp_granularities[]'), ['segment', 'word']);
    await until('it is listed', async () => (await listed()).some((each) => /aviso\.ogg.*transcribed/s.test(each)));
    await screenshot('audio-transcript');
    assert.deepEqual(await axe(spokenPage(uri)), []);
  });

  it('is asked about as what it is, above as many minutes as are set', async () => {
    await serve({ transcriptions: true });
    await setting('parley.audio.askAboveMinutes', 0);
    const running = commands.executeCommand(Command.audioTranscribe, newRecording('asked.ogg'));
    await waitFor('.monaco-dialog-box:has-text("Transcribe this recording in the language that is spoken?")');
    const said = await dialog.text();
    assert.match(said, /It goes to [\d.:]+, where the model parley-whisper transcribes it\./);
    await dialog.press('Cancel');
    await running;
    assert.ok(service.requests.every(({ parts }) => parts?.every(({ filename }) => filename === undefined) ?? true));
  });

  it('a recording has both texts: neither is taken for the other, and they stand side by side', async () => {
    await serve({ transcriptions: true });
    const uri = fixture('reunion.mp3');
    await commands.executeCommand(Command.audioTranscribe, uri, [uri]);
    await waitFor('h1', { frame: spokenPage(uri) });
    await commands.executeCommand(Command.audioTranslate, uri, [uri]);
    const english = await text('#root', { frame: englishPage(uri) });
    assert.ok(english.includes('The meeting starts at ten.') && !english.includes('Gesagt wird'), english);
    assert.deepEqual(asked(), ['transcriptions', 'transcriptions', 'translations']);
    await click('button:has-text("Both Texts")', { frame: englishPage(uri) });
    assert.deepEqual(await texts('.beside', { frame: englishPage(uri) }), [
      'Gesagt wird: The meeting starts at ten.',
      'Gesagt wird: The north pontoon will be closed.',
    ]);
    await screenshot('audio-both-texts');
    await until(
      'both are listed',
      async () => (await listed()).filter((each) => each.includes('reunion.mp3')).length === 2,
    );
    // What is kept of each is shown again, and sent no more.
    await closeEditors();
    await commands.executeCommand(Command.audioOpen, uri, 'transcribe');
    assert.ok((await text('#root', { frame: spokenPage(uri) })).includes('Gesagt wird'));
    await commands.executeCommand(Command.audioOpen, uri);
    assert.ok((await text('#root', { frame: englishPage(uri) })).includes('The meeting starts at ten.'));
    assert.equal(asked().length, 3);
  });

  it('both texts are exported as subtitles of two lines', async () => {
    await serve({ transcriptions: true });
    const uri = fixture('begruessung.wav');
    await commands.executeCommand(Command.audioTranscribe, uri, [uri]);
    await commands.executeCommand(Command.audioTranslate, uri, [uri]);
    void commands.executeCommand(Command.audioExport, uri);
    await quickPick.choose('SubRip Subtitles in Two Lines');
    const target = join(recordings(), 'begruessung.srt');
    await fileDialog.choose('Export Translation', target, target);
    await until('it is written', () => existsSync(target) && readFileSync(target, 'utf8') !== '');
    const written = readFileSync(target, 'utf8');
    rmSync(target);
    assert.ok(written.startsWith('1\n00:00:00,000 --> 00:00:01'), written);
    assert.ok(written.includes('\nGesagt wird: Good morning in the harbour.\nGood morning in the harbour.\n'), written);
  });

  it('a service that only translates is found out once, and said so', async () => {
    await serve({});
    const uri = newRecording('alone.ogg');
    await commands.executeCommand(Command.audioTranscribe, uri, [uri]);
    await notification.untilSaid('has no audio/transcriptions');
    await notification.clear();
    await commands.executeCommand(Command.audioTranscribe, uri, [uri]);
    await notification.untilSaid('has no audio/transcriptions');
    assert.deepEqual(asked(), ['transcriptions']);
    await setting('parley.audio.transcriptions', 'off');
    await notification.clear();
    await commands.executeCommand(Command.audioTranscribe, uri, [uri]);
    await notification.untilSaid('Transcribing is switched off');
    assert.deepEqual(asked(), ['transcriptions']);
  });

  it('the language can be picked, and another one for a second try', async () => {
    await serve({ transcriptions: true });
    await setting('parley.audio.transcriptions', 'on');
    await setting('parley.audio.language', 'ask');
    const uri = newRecording('picked.ogg');
    const done = commands.executeCommand(Command.audioTranscribe, uri, [uri]);
    await waitFor('.quick-input-title:text-is("Language That Is Spoken")');
    await screenshot('audio-language');
    await quickPick.filter('German');
    await quickPick.choose('German');
    await done;
    assert.deepEqual(fieldOf('language'), ['de']);
    // Switched on by the setting, the service is not asked whether it can.
    assert.deepEqual(asked(), ['transcriptions']);
    await setting('parley.audio.language', undefined);
    const again = commands.executeCommand(Command.audioTranscribe, uri, [uri]);
    await waitFor('.quick-input-title:text-is("This recording is already transcribed.")');
    await quickPick.choose('Transcribe Again in Another Language…');
    await waitFor('.quick-input-title:text-is("Language That Is Spoken")');
    await quickPick.filter('French');
    await quickPick.choose('French');
    await again;
    assert.deepEqual(fieldOf('language'), ['fr']);
    await setting('parley.audio.language', 'it');
    await setting('parley.audio.transcriptionPrompt', 'Calcetto, Livorno');
    const inAnotherWay = commands.executeCommand(Command.audioTranslateAgain, { path: uri.fsPath, task: 'transcribe' });
    await waitFor('.quick-input-title:text-is("Transcribe Again: picked.ogg")');
    await quickPick.choose('Transcribe');
    await inAnotherWay;
    assert.deepEqual([asked().at(-1), fieldOf('language').at(-1)], ['transcriptions', 'it']);
    assert.equal(fieldOf('prompt').at(-1), 'Calcetto, Livorno');
    await setting('parley.audio.language', undefined);
    await setting('parley.audio.transcriptionPrompt', undefined);
  });
});
