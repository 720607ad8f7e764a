/** The picture of a recording's sound: decoded in its page, where VS Code lets the page read the file. */
import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { commands, Uri, workspace } from 'vscode';
import { Command } from '../../../../src/ids/ids.ts';
import type { ReferenceService } from '../../../service/options.ts';
import { closeEditors } from '../support/editors.ts';
import { attribute, notification, screenshot, waitFor } from '../support/hands.ts';
import { connectTo, disconnect, startService } from '../support/service.ts';
import { subject } from '../support/subject.ts';
import { inThemes } from '../support/themes.ts';

const recordings = (): string => join(workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', 'recordings');
const page = (uri: Uri): { frame: string } => ({ frame: `h1:text-is("${basename(uri.path)}")` });
/** The picture of what packets say is this wide; that of some decoded seconds is not. */
const wide = '[viewBox="0 0 800 2"]';
const [ofPackets, ofSound] = [`.seek-all svg${wide}`, `.seek-all svg:not(${wide})`];

describe('The waveform of a recording', () => {
  let service: ReferenceService;

  before(async () => {
    await subject().activate();
    await mkdir(join(recordings(), 'waves'), { recursive: true });
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
    rmSync(join(recordings(), 'waves'), { recursive: true });
  });

  async function open(name: string): Promise<Uri> {
    const uri = Uri.file(join(recordings(), 'waves', name));
    const kind = name.split('.').at(-1) ?? '';
    const known = { wav: 'begruessung', mp3: 'reunion', ogg: 'aviso', flac: 'promemoria', m4a: 'notiz' }[kind];
    writeFileSync(uri.fsPath, readFileSync(join(recordings(), `${known}.${kind}`)));
    await commands.executeCommand(Command.audioTranslate, uri);
    await commands.executeCommand(Command.audioOpen, uri);
    await waitFor('.segment', page(uri));
    return uri;
  }

  it('is decoded in the page, of WAV, MP3, Ogg and FLAC', async () => {
    for (const name of ['wave.wav', 'wave.mp3', 'wave.ogg', 'wave.flac']) {
      const uri = await open(name);
      await waitFor(ofSound, page(uri));
      const outline = (await attribute('.seek-all path', 'd', page(uri))) ?? '';
      const heights = outline.match(/V([\d.]+)/g)?.map((each) => Number(each.slice(1))) ?? [];
      const seconds = heights.length / 2 / 50;
      assert.ok(seconds > 3 && seconds < 5, `${name}: ${seconds} s`);
      assert.ok(Math.min(...heights) === 0 && heights.some((height) => height > 0.8 && height < 1), name);
      await closeEditors();
    }
  });

  it('is that of packets of a recording whose pieces the page could not decode', async () => {
    await waitFor(ofPackets, page(await open('wave.m4a')));
  });

  it('is read from where it is played from, and from nowhere else', async () => {
    const policy = await attribute('meta[http-equiv]', 'content', page(await open('read.wav')));
    const from = (name: string): string =>
      policy
        ?.split('; ')
        .find((each) => each.startsWith(name))
        ?.slice(name.length) ?? '';
    assert.ok(from('media-src ').includes('vscode-'), policy ?? '');
    assert.equal(from('connect-src '), from('media-src '));
    assert.ok(!policy?.includes('*;') && !/connect-src[^;]* (\*|https?:)( |;|$)/.test(policy ?? ''), policy ?? '');
  });

  it('is there again in a page that was hidden', async () => {
    const first = await open('again.ogg');
    await waitFor(ofSound, page(first));
    const other = await open('other.wav');
    await waitFor(ofSound, page(other));
    await commands.executeCommand(Command.audioOpen, first);
    await waitFor(ofSound, page(first));
  });

  it('is clear to see in dark, light and high contrast', async () => {
    const uri = await open('looked-at.mp3');
    await inThemes(async (kind) => {
      await waitFor(`body.vscode-${kind} .seek-all svg`, page(uri));
      await waitFor(ofSound, page(uri));
      await screenshot(`audio-waveform-${kind}`);
    });
  });
});
