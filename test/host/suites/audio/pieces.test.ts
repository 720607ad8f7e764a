/** Recordings that are larger than what the service takes, and the list of what is translated. */
import assert from 'node:assert/strict';
import { globSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { commands, Uri, workspace } from 'vscode';
import { Command } from '../../../../src/ids/ids.ts';
import type { RecordedRequest, ReferenceService } from '../../../service/options.ts';
import { muxTracks } from '../../../support/muxTracks.ts';
import { silentFilm } from '../../../support/pictured.ts';
import { integers, wavOf } from '../../../support/recordings.ts';
import { speechWav } from '../../../support/speech.ts';
import { closeEditors } from '../support/editors.ts';
import {
  click,
  dialog,
  drag,
  hover,
  notification,
  quickPick,
  screenshot,
  text,
  texts,
  visible,
  waitFor,
} from '../support/hands.ts';
import { connectTo, disconnect, setting, startService } from '../support/service.ts';
import { subject } from '../support/subject.ts';
import { screenshotInThemes } from '../support/themes.ts';
import { until } from '../support/until.ts';

const view = '[id="workbench.view.explorer"] .customview-tree';
const MB = 1024 ** 2;

describe('A long recording', () => {
  let service: ReferenceService;
  let folder: string;
  let made = 0;

  before(async () => {
    await subject().activate();
    await commands.executeCommand(Command.audioClear);
    folder = join(workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', 'recordings', 'long');
    await mkdir(folder, { recursive: true });
  });
  beforeEach(async () => {
    service = await startService();
    await connectTo(service);
    await setting('parley.audio.uploadLimit', 1);
    await commands.executeCommand('workbench.view.explorer');
  });
  afterEach(async () => {
    service.setFault(undefined);
    await commands.executeCommand(Command.audioClear);
    await closeEditors();
    await notification.clear();
    for (const name of ['uploadLimit', 'askAboveMinutes', 'pricePerMinute'] as const)
      await setting(`parley.audio.${name}`, undefined);
    await service.close();
  });
  after(async () => {
    await disconnect();
    rmSync(folder, { recursive: true });
  });

  /** A recording of 3.2 MB: four pieces of at most one. */
  function record(name: string, seconds = 200): Uri {
    const path = join(folder, name);
    writeFileSync(path, speechWav(seconds, ++made));
    return Uri.file(path);
  }

  const uploads = (): RecordedRequest[] => service.requests.filter(({ path }) => path.endsWith('/audio/translations'));
  const answered = (): RecordedRequest[] => uploads().filter(({ status }) => status === 200);
  const held = (): RecordedRequest[] => uploads().filter(({ fault }) => fault !== undefined);
  const translate = (...uris: Uri[]): Thenable<unknown> =>
    commands.executeCommand(Command.audioTranslate, uris[0], uris);
  const rowOf = (uri: Uri): string => `${view} .monaco-list-row:has-text("${uri.path.split('/').at(-1)}")`;
  /** Opens the list. */
  const openList = (): Promise<boolean> =>
    until('the list is open', async () => {
      if (await visible(`${view} .monaco-list-row`)) return true;
      await commands.executeCommand('parley.translations.focus').then(undefined, () => undefined);
      return visible(`${view} .monaco-list-row`);
    });
  async function stateOf(uri: Uri): Promise<string> {
    await openList();
    return text(rowOf(uri));
  }
  const pressIn = async (uri: Uri, title: string): Promise<void> => {
    await openList();
    await hover(rowOf(uri));
    await click(`${rowOf(uri)} .action-label[aria-label^="${title}"]`);
  };

  it('goes in pieces that the service takes, and comes back as one text', async () => {
    const uri = record('meeting.wav');
    await translate(uri);
    const sizes = answered().map(({ bytes }) => bytes);
    assert.ok(sizes.length >= 4, `${sizes.length} pieces`);
    for (const size of sizes) assert.ok(size <= MB, `${size} bytes`);
    const shown = await text('#root', { frame: 'h1:text-is("meeting.wav")' });
    assert.equal(shown.match(/An unknown recording named/g)?.length, sizes.length);
    await until('the list says so', async () => (await stateOf(uri)).includes('translated'));
    await screenshotInThemes('audio-list');
    await until('no piece is left', () => piecesLeft() === 0);
  });

  it('goes on where it was cancelled: what came back is not sent again', async () => {
    const uri = record('ended.wav');
    service.setFault('slow-first-byte');
    const running = translate(uri);
    await until('three are held', () => held().length === 3);
    service.release();
    await until('they came back, and the last is on its way', () => answered().length === 3 && held().length === 4);
    await pressIn(uri, 'Cancel Translation');
    await running;
    await until('it is cancelled', async () => (await stateOf(uri)).includes('cancelled · 3 of 4 pieces'));
    await until('its connection is closed', () => uploads().every(({ finished }) => finished));
    service.setFault(undefined);
    const before = answered().length;
    const count = uploads().length;
    await pressIn(uri, 'Resume Translation');
    await until('it is translated', async () => (await stateOf(uri)).includes('translated'));
    assert.ok(before >= 2, `${before} came back before`);
    const again = answered().slice(before);
    assert.equal(uploads().length - count, again.length);
    const hashes = answered().map(({ parts }) => parts?.at(-1)?.sha256);
    assert.equal(new Set(hashes).size, hashes.length);
  });

  it('is paused and resumed from the list', async () => {
    const uri = record('later.wav');
    service.setFault('slow-first-byte');
    const running = translate(uri);
    await until('three are held', () => held().length === 3);
    await pressIn(uri, 'Pause Translation');
    await until('it is paused', async () => (await stateOf(uri)).includes('paused, 0 of'));
    service.setFault(undefined);
    service.release();
    await until('they came back', () => answered().length === 3);
    await until('it says so', async () => (await stateOf(uri)).includes('paused, 3 of'));
    assert.equal(uploads().length, 3);
    await screenshot('audio-paused');
    await pressIn(uri, 'Resume Translation');
    await running;
    assert.ok(uploads().length > 3);
  });

  it('is cut where the service says that it takes less, which is remembered', async () => {
    await service.close();
    service = await startService({ maxUploadBytes: 700_000 });
    await connectTo(service);
    await setting('parley.audio.uploadLimit', 25);
    await translate(record('refused.wav', 100));
    assert.equal(uploads()[0]?.status, 413);
    assert.ok(answered().length >= 2);
    const count = uploads().length;
    await translate(record('known.wav', 100));
    assert.ok(
      uploads()
        .slice(count)
        .every(({ status }) => status === 200),
    );
    // The question says so, and what the user sets goes before it.
    await setting('parley.audio.askAboveMinutes', 1);
    const asking = async (name: string): Promise<string> => {
      const running = translate(record(name, 100));
      await waitFor('.monaco-dialog-box:has-text("Translate this recording?")');
      const said = await dialog.text();
      await screenshot(`audio-question-${name}`);
      await dialog.press('Cancel');
      await running;
      return said;
    };
    const known = await asking('asked.wav');
    assert.match(known, /Of at most [\d.]+ kB each, as the service has refused a larger one in the last 7 days/);
    await setting('parley.audio.uploadLimit', 24);
    const set = await asking('set.wav');
    assert.ok(set.includes('Requests: 1') && !set.includes('refused'), set);
    await setting('parley.audio.askAboveMinutes', undefined);
    const tried = uploads().length;
    await translate(record('larger.wav', 100));
    assert.equal(uploads()[tried]?.status, 413);
  });

  it('is not sent on where the service refuses what it is, and says what was sent', async () => {
    service.setFault('400');
    const uri = record('other.wav');
    await translate(uri);
    assert.ok(uploads().length <= 3, `${uploads().length} of four`);
    await until('the list says so', async () => /failed, which begin at .* Not sent: 1\./.test(await stateOf(uri)));
  });

  it('of many minutes is asked about, with its length, its requests and its price; Cancel sends nothing', async () => {
    await setting('parley.audio.askAboveMinutes', 3);
    await setting('parley.audio.pricePerMinute', 0.001);
    const uri = record('priced.wav');
    const running = translate(uri);
    await waitFor('.monaco-dialog-box:has-text("Translate this recording?")');
    const asked = await dialog.text();
    const told = [
      ...[`It goes to ${new URL(service.baseUrl).host}, where the model`, 'Audio: 3 min 20 s', 'To send: about 3.2 MB'],
      ...['Requests: 4, one for each piece', 'Price: about 0.0033'],
    ];
    for (const part of told) assert.ok(asked.includes(part), asked);
    await screenshotInThemes('audio-question');
    await dialog.press('Cancel');
    await running;
    assert.equal(uploads().length, 0);
  });

  it('says what is sent then, also of one that was begun', async () => {
    await setting('parley.audio.askAboveMinutes', 0);
    const uri = record('said.wav');
    service.setFault('slow-first-byte');
    const asking = '.monaco-dialog-box:has-text("Translate this recording?")';
    const running = translate(uri);
    await waitFor(asking);
    assert.ok((await dialog.text()).includes('Requests: 4, one for each piece'));
    await dialog.press('Translate');
    await until('three are held', () => held().length === 3);
    service.release();
    await until('they came back, and the last is on its way', () => answered().length === 3 && held().length === 4);
    await pressIn(uri, 'Cancel Translation');
    await running;
    service.setFault(undefined);
    const count = uploads().length;
    const again = translate(uri);
    await waitFor(asking);
    const asked = await dialog.text();
    for (const part of ['Audio: 48 s', 'Requests: 1', 'which are not sent: 3']) assert.ok(asked.includes(part), asked);
    await screenshot('audio-question-begun');
    await dialog.press('Translate');
    await again;
    assert.equal(uploads().length - count, 1);
  });

  it('is asked about where many are short; each is paid for as ten seconds at least', async () => {
    await setting('parley.audio.pricePerMinute', 0.06);
    const memos = Array.from({ length: 21 }, (_, index) => record(`memo${index}.wav`, 1));
    const running = translate(...memos);
    await waitFor('.monaco-dialog-box:has-text("Translate 21 recordings?")');
    const asked = await dialog.text();
    const goes = `They go to ${new URL(service.baseUrl).host}, where the model parley-whisper translates them.`;
    for (const part of [goes, 'Requests: 21', 'Price: about 0.21, with 10 s at least for each request'])
      assert.ok(asked.includes(part), asked);
    await screenshotInThemes('audio-question-many');
    await dialog.press('Cancel');
    await running;
    assert.equal(uploads().length, 0);
    // Twenty go without a question.
    await translate(...memos.slice(1));
    assert.equal(answered().length, 20);
  });

  it('without loss goes as FLAC, and says what a conversion would do', async () => {
    const path = join(folder, 'studio.wav');
    const rate = 48_000;
    const tone = (i: number): number => 0.3 * Math.sin(Math.floor(i / 2) / 40) + ((i * 7_919) % 251) / 40_000;
    const samples = Float64Array.from({ length: rate * 90 * 2 }, (_, i) => tone(i));
    writeFileSync(path, wavOf(integers(samples), rate, { channels: 2 }));
    await setting('parley.audio.askAboveMinutes', 0);
    await setting('parley.audio.uploadLimit', 25);
    const running = translate(Uri.file(path));
    await waitFor('.monaco-dialog-box:has-text("Translate this recording?")');
    const asked = await dialog.text();
    const said = /To send: about ([\d.]+) MB/.exec(asked)?.[1];
    assert.match(asked, /As MP3 or Opus, [\d.]+ MB would be about 540 kB: convert it first to send less\./);
    await screenshot('audio-question-lossless');
    await dialog.press('Translate');
    await running;
    const [only, ...others] = answered();
    assert.equal(others.length, 0);
    assert.ok(Math.abs(Number(said) * 1e6 - (only?.bytes ?? 0)) < 300_000, `${said} MB were said, ${only?.bytes} sent`);
    assert.ok((only?.bytes ?? 0) < samples.length, `${only?.bytes}`);
  });

  it('of several tracks is asked about by its track, and another one can be chosen; a silent one is none', async () => {
    const path = join(folder, 'tracks.mkv');
    const tracks = [{ isSilent: true }, { language: 'deu' }, { language: 'fra', title: 'Kabine 2', length: 400 }];
    writeFileSync(path, await muxTracks('mkv', tracks, 30));
    const running = translate(Uri.file(path));
    await waitFor('.monaco-dialog-box:has-text("Translate this recording?")');
    const asked = await dialog.text();
    assert.ok(asked.includes('Track 2 · German'), asked);
    assert.ok(asked.includes('one of 2'), asked);
    await screenshot('audio-tracks');
    await dialog.press('Choose Another Track…');
    await quickPick.untilListed('Track 3 · French · Kabine 2 · 0:36');
    assert.equal((await quickPick.items()).length, 2);
    await quickPick.choose('Track 3 · French · Kabine 2 · 0:36');
    await waitFor('.monaco-dialog-box:has-text("Track 3 · French · Kabine 2")');
    await dialog.press('Translate');
    await running;
    const [only, ...others] = answered();
    assert.equal(others.length, 0);
    // Packets of 400 bytes are those of the third.
    assert.ok((only?.bytes ?? 0) > 400_000, `${only?.bytes} bytes`);
  });

  it('that is cut off says where it ends; a film without sound, and what nobody reads, are not sent', async () => {
    const cut = join(folder, 'cut.wav');
    writeFileSync(cut, speechWav(20, ++made).subarray(0, 16_000 * 10));
    await translate(Uri.file(cut));
    const told = await notification.untilSaid('cut.wav: The file ends at');
    assert.match(told, /ends at 0:\d\d of 0:20; the rest is missing/);
    await until('the list says so, too', async () =>
      /translated · the file ends at 0:\d\d of 0:20/.test(await stateOf(Uri.file(cut))),
    );
    assert.match(await text('.about', { frame: 'h1:text-is("cut.wav")' }), /the file ends at 0:\d\d of 0:20/);
    const count = uploads().length;
    const film = join(folder, 'silent.mp4');
    writeFileSync(film, await silentFilm('mp4'));
    await translate(Uri.file(film));
    await notification.untilSaid('silent.mp4 has pictures but no sound.');
    const memo = join(folder, 'memo.amr');
    writeFileSync(memo, '#!AMR\n'.padEnd(400, '<'));
    await translate(Uri.file(memo));
    await notification.untilSaid(
      'The sound of memo.amr is in AMR, which services do not take; convert it to MP3 or M4A',
    );
    assert.equal(uploads().length, count);
    await screenshotInThemes('audio-not-sent');
  });

  it('can be dropped on the list before anything is listed', async () => {
    await commands.executeCommand('parley.translations.focus');
    const welcome = '[id="workbench.view.explorer"] .welcome-view-content';
    await waitFor(`${welcome}:has-text("Recordings that are dropped here")`);
    await waitFor(`${welcome} .monaco-button:has-text("Translate to English")`);
    await screenshot('audio-welcome');
  });

  it('is translated when it is dropped on the list from the explorer', async () => {
    await translate(record('listed.wav', 2));
    const uri = record('dropped.wav', 2);
    await commands.executeCommand('revealInExplorer', uri);
    await openList();
    await drag('.explorer-folders-view .monaco-list-row:has-text("dropped.wav")', `${view} .monaco-list`);
    await until('it is translated', async () => (await stateOf(uri)).includes('translated'));
    assert.ok(uploads().some(({ parts }) => parts?.at(-1)?.filename === 'dropped.wav'));
  });

  it('is found in a folder', async () => {
    const inside = join(folder, 'inside');
    await mkdir(inside);
    for (const name of ['a.wav', 'b.wav']) writeFileSync(join(inside, name), speechWav(2, ++made));
    await translate(Uri.file(inside));
    assert.deepEqual(
      uploads().flatMap(({ parts }) => parts?.at(-1)?.filename ?? []),
      ['a.wav', 'b.wav'],
    );
    await openList();
    await until('both are listed', async () => (await texts(`${view} .monaco-list-row`)).join().includes('b.wav'));
    await waitFor(rowOf(Uri.file(join(inside, 'a.wav'))));
  });
});

/** How many recordings have answers for pieces on the disk. */
function piecesLeft(): number {
  const root = dirname(workspace.workspaceFolders?.[0]?.uri.fsPath ?? '');
  return globSync('data/{,data/}User/globalStorage/parley.parley/translations/pieces/*', { cwd: root }).length;
}
