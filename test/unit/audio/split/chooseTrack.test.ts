import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { detectFormat } from '../../../../src/audio/recording/formats.ts';
import type { Container } from '../../../../src/audio/split/container.ts';
import { openContainer } from '../../../../src/audio/split/openContainer.ts';
import type { TrackWish } from '../../../../src/audio/split/tracks/chooseTrack.ts';
import { type MadeTrack, muxTracks } from '../../../support/muxTracks.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-tracks-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const { signal } = new AbortController();

let made = 0;
async function open(container: 'mp4' | 'mkv', tracks: readonly MadeTrack[], wish: TrackWish = {}): Promise<Container> {
  const bytes = await muxTracks(container, tracks, 3);
  const path = join(folder, `${made++}.${container}`);
  writeFileSync(path, bytes);
  const format = detectFormat(bytes.subarray(0, 16_384), bytes.length);
  assert.ok(format !== undefined);
  return openContainer(path, format, signal, undefined, wish);
}
async function chosen(container: 'mp4' | 'mkv', tracks: readonly MadeTrack[], wish?: TrackWish): Promise<unknown> {
  const opened = await open(container, tracks, wish);
  await opened.close();
  return opened.track;
}
const isDefault = { default: true };
const isOther = { default: false };

describe('of several tracks', () => {
  for (const container of ['mp4', 'mkv'] as const) {
    test(`of ${container}, the one that the file names is sent, where it can be heard`, async () => {
      const silentFirst: MadeTrack[] = [
        { isSilent: true, disposition: isOther },
        { disposition: isDefault, length: 160 },
      ];
      const opened = await open(container, silentFirst);
      assert.equal(opened.track, 2);
      for await (const { bytes } of opened.packets(opened.start, opened.end, signal)) assert.equal(bytes.length, 160);
      await opened.close();
      assert.equal(await chosen(container, [{ disposition: isOther }, { disposition: isDefault }]), 2);
      assert.equal(await chosen(container, [{ disposition: isDefault }, { disposition: isOther }]), 1);
      const german = { language: 'deu', disposition: isOther };
      const english = { language: 'eng', disposition: isDefault };
      assert.equal(await chosen(container, [german, english], { languages: ['de', 'en'] }), 2);
    });

    test(`of ${container}, one in which nothing is heard is not sent, whatever the file says`, async () => {
      const silent = { isSilent: true, disposition: isDefault };
      assert.equal(await chosen(container, [silent, { disposition: isOther }]), 2);
      assert.equal(await chosen(container, [{ isSilent: true }, {}, {}]), 2);
      assert.equal(await chosen(container, [{ isSilent: true, language: 'deu' }, { language: 'fra' }]), 2);
      // Where none is heard, what the file says stands.
      assert.equal(await chosen(container, [{ ...silent, disposition: isOther }, silent]), 2);
    });

    test(`of ${container}, one in a language of the user's comes before others, by any name of it`, async () => {
      const tracks = [{ language: 'fra' }, { language: 'eng' }, { language: 'deu' }];
      assert.equal(await chosen(container, tracks, { languages: ['de', 'en'] }), 3);
      assert.equal(await chosen(container, tracks, { languages: ['pt-BR', 'en'] }), 2);
      assert.equal(await chosen(container, tracks, { languages: ['ja'] }), 1);
      assert.equal(await chosen(container, tracks), 1);
    });
  }

  test('the one that was chosen is opened; one of another codec is passed over where nobody chose it', async () => {
    const tracks: MadeTrack[] = [{ codec: 'ac3' }, { language: 'deu', title: 'Deutsch' }, { length: 170 }];
    assert.equal(await chosen('mkv', tracks), 2);
    assert.equal(await chosen('mkv', tracks, { track: 3 }), 3);
    assert.equal(await chosen('mkv', tracks, { track: 9 }), 2);
    await assert.rejects(open('mkv', tracks, { track: 1 }), { kind: 'not-audio', param: 'ac3' });
  });

  test('what others say about it is not sent in its place', async () => {
    assert.equal(await chosen('mkv', [{ disposition: { commentary: true } }, {}]), 2);
  });

  test('each is described', async () => {
    const { tracks, close } = await open('mkv', [
      { language: 'deu', title: 'Saal', disposition: isDefault },
      { isSilent: true, language: 'und', disposition: isOther },
      { codec: 'ac3' },
    ]);
    await close();
    assert.deepEqual(
      tracks?.map(({ number, codec, language, title, isDefault, isSilent, canCopy }) => [
        ...[number, codec, language, title],
        ...[isDefault, isSilent, canCopy],
      ]),
      [
        [1, 'aac', 'deu', 'Saal', true, false, true],
        [2, 'aac', undefined, undefined, false, true, true],
        [3, 'ac3', undefined, undefined, true, false, false],
      ],
    );
  });

  test('nothing is asked of a recording that has one', async () => {
    const { tracks, track, close } = await open('mp4', [{ language: 'deu' }]);
    await close();
    assert.deepEqual([tracks, track], [undefined, undefined]);
  });
});
