import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../host/paths.ts';
import { mp3Frame, wavOf } from '../support/recordings.ts';
import { drawn } from './chatPage.ts';
import { type TranscriptPage, themeNames } from './transcriptPage.ts';
import { silence, timed } from './transcriptSamples.ts';
import { pictures, useTranscriptPage } from './useTranscriptPage.ts';

const fixture = (name: string): Buffer => readFileSync(join(root, 'test/fixtures/workspace/recordings', name));
/** An MP3 of a constant bit rate: four seconds of speech, and as many frames of the same length without a sound. */
function halfSilent(): Buffer {
  const speech = fixture('reunion.mp3');
  const start = speech.indexOf(Buffer.from([0xff, 0xf3]));
  const frame = speech.indexOf(speech.subarray(start, start + 2), start + 4) - start;
  const silent = Buffer.alloc(frame);
  speech.copy(silent, 0, start, start + 4);
  return Buffer.concat([speech, ...Array<Buffer>(Math.floor(speech.length / frame)).fill(silent)]);
}
const types = { wav: 'audio/wav', mp3: 'audio/mpeg', ogg: 'audio/ogg', flac: 'audio/flac' } as const;

describe('The waveform of a recording', () => {
  let shown: TranscriptPage;
  useTranscriptPage((opened) => {
    shown = opened;
  });

  /** Shows a recording, whose packets say that it is loud from start to end. */
  async function show(name: string, sound: Buffer): Promise<void> {
    const type = types[name.split('.').at(-1) as keyof typeof types];
    await shown.show({ ...timed, player: { src: shown.serve(name, sound, type), type } });
    await shown.send({ type: 'peaks', peaks: Array(900).fill(1) });
  }
  const mean = (bars: readonly number[]): number => bars.reduce((sum, bar) => sum + bar, 0) / bars.length;
  /** Columns of the picture; of packets there are 800 here. */
  const columns = (): Promise<number> =>
    shown.page.locator('.seek-all svg').evaluate((svg) => Number(svg.getAttribute('viewBox')?.split(' ')[2]));
  const untilDecoded = () =>
    shown.page.waitForFunction(() =>
      (globalThis as unknown as { posted: { type: string }[] }).posted.some(({ type }) => type === 'decoded'),
    );
  async function decoded(): Promise<readonly number[]> {
    await untilDecoded();
    const [bars] = await shown.decoded();
    assert.ok(bars);
    assert.equal(await columns(), Math.min(800, bars.length), 'what was decoded is drawn');
    return bars;
  }
  const untilPlayable = () => shown.page.waitForFunction(() => (document.querySelector('audio')?.readyState ?? 0) >= 1);
  /** Waits until whatever the page has begun has come to its end: another recording is decoded after it. */
  async function untilIdle(): Promise<void> {
    await untilPlayable();
    await shown.page.evaluate(async () => {
      const src = document.querySelector('audio')?.src ?? '';
      const bytes = await (await fetch(src)).arrayBuffer();
      await new OfflineAudioContext(1, 1, 8_000).decodeAudioData(bytes).catch(() => undefined);
      await new Promise((done) => setTimeout(done));
    });
  }

  it('is flat where there is silence, whatever packets say', async () => {
    await show('silent.mp3', Buffer.concat(Array(200).fill(mp3Frame(0))));
    const bars = await decoded();
    assert.ok(bars.length > 200 && bars.every((bar) => bar === 0));
    const path = await shown.page.locator('.seek-all path').getAttribute('d');
    assert.ok(
      path?.match(/V[\d.]+/g)?.every((height) => height === 'V0.97' || height === 'V1.03'),
      path ?? '',
    );
  });

  it('is high in the spoken half of an MP3 of a constant bit rate, and flat in the other', async () => {
    await show('half.mp3', halfSilent());
    const bars = await decoded();
    const middle = Math.floor(bars.length / 2);
    assert.ok(mean(bars.slice(0, middle - 5)) > 0.4);
    assert.ok(mean(bars.slice(middle + 10)) < 0.02);
    assert.deepEqual(await shown.axe(), []);
  });

  it('is told of WAV, Ogg and FLAC, too, and of many pieces as of one', async () => {
    for (const name of ['begruessung.wav', 'aviso.ogg', 'promemoria.flac']) {
      await show(name, fixture(name));
      const bars = await decoded();
      assert.ok(bars.length > 150 && Math.max(...bars) === 1 && Math.min(...bars) < 0.3, name);
      await shown.page.evaluate(() => {
        (globalThis as unknown as { posted: unknown[] }).posted.length = 0;
      });
    }
    const speech = fixture('begruessung.wav').subarray(44);
    await show('long.wav', wavOf(Buffer.concat(Array(80).fill(speech)), 16_000));
    const bars = await decoded();
    assert.equal(bars.length, 1_200);
    const [first, last] = [bars.slice(0, 600), bars.slice(600)].map(mean);
    assert.ok(Math.abs((first ?? 0) - (last ?? 1)) < 0.02, `${first} ${last}`);
  });

  it('stays that of packets where the file is broken, of another kind, or has no sound to decode', async () => {
    const broken = fixture('aviso.ogg');
    // Its pages are whole, what they hold is not.
    for (let page = broken.indexOf('OggS', 7_000); page >= 0; page = broken.indexOf('OggS', page + 4)) {
      const body = page + 27 + (broken[page + 26] ?? 0);
      const next = broken.indexOf('OggS', body);
      broken.fill(0xa5, body, next < 0 ? broken.length : next);
    }
    await show('broken.ogg', broken);
    await untilIdle();
    assert.equal(await columns(), 800);
    assert.ok(shown.read.includes('broken.ogg'));
    await shown.show({ ...timed, player: silence(3.5, true) });
    await shown.send({ type: 'peaks', peaks: Array(900).fill(1) });
    await untilIdle();
    assert.equal(await columns(), 800);
    assert.deepEqual(await shown.decoded(), []);
    assert.equal(await shown.page.getByRole('slider').count(), 1, 'it is played all the same');
  });

  it('is decoded once: not again where the page is drawn anew, nor where an earlier page has', async () => {
    await show('aviso.ogg', fixture('aviso.ogg'));
    await show('aviso.ogg', fixture('aviso.ogg'));
    const bars = await decoded();
    await show('aviso.ogg', fixture('aviso.ogg'));
    await shown.page.waitForFunction(
      () => document.querySelector('.seek-all svg')?.getAttribute('viewBox') !== '0 0 800 2',
    );
    assert.equal(await columns(), bars.length);
    assert.deepEqual(shown.read, ['aviso.ogg']);
    const player = { src: shown.serve('known.ogg', fixture('aviso.ogg'), 'audio/ogg'), type: 'audio/ogg' };
    await shown.show({ ...timed, player, peaks: [0.2, 1, 0.4] });
    await untilPlayable();
    await shown.send({ type: 'peaks', peaks: Array(900).fill(1) });
    assert.equal(await columns(), 3);
    assert.deepEqual(shown.read, ['aviso.ogg']);
  });

  it('waits while the page is hidden', async () => {
    const hide = (hidden: boolean) =>
      shown.page.evaluate((value) => {
        Object.defineProperty(document, 'hidden', { value, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }, hidden);
    await hide(true);
    await show('aviso.ogg', fixture('aviso.ogg'));
    await untilPlayable();
    await drawn(shown.page);
    assert.deepEqual([shown.read, await columns()], [[], 800]);
    await hide(false);
    await decoded();
    assert.deepEqual(shown.read, ['aviso.ogg']);
  });

  it('is not decoded of more bytes than are held in memory, whatever is said of their number', async () => {
    await shown.page.evaluate(() => {
      const seen = { bytes: 0, isCancelled: false };
      Object.assign(globalThis, { seen });
      globalThis.fetch = async () =>
        new Response(
          new ReadableStream({
            pull(controller) {
              seen.bytes += 4_194_304;
              controller.enqueue(new Uint8Array(4_194_304));
            },
            cancel() {
              seen.isCancelled = true;
            },
          }),
        );
    });
    await show('endless.wav', fixture('begruessung.wav'));
    await shown.page.waitForFunction(
      () => (globalThis as unknown as { seen: { isCancelled: boolean } }).seen.isCancelled,
    );
    const read = await shown.page.evaluate(() => (globalThis as unknown as { seen: { bytes: number } }).seen.bytes);
    assert.ok(read < 80 * 1_048_576, String(read));
    assert.equal(await columns(), 800);
  });

  it('gives up a recording for another one, and when the page is closed', async () => {
    const first = shown.serve('first.ogg', fixture('aviso.ogg'), 'audio/ogg');
    await shown.page.evaluate((slow) => {
      const real = globalThis.fetch;
      const aborted: string[] = [];
      Object.assign(globalThis, { aborted });
      globalThis.fetch = (input, init) => {
        if (String(input) !== slow && !String(input).endsWith('last.ogg')) return real(input, init);
        return new Promise((_resolve, reject) => {
          init?.signal?.addEventListener('abort', () => {
            aborted.push(String(input));
            reject(new Error('aborted'));
          });
        });
      };
    }, first);
    const aborted = () => shown.page.evaluate(() => (globalThis as unknown as { aborted: string[] }).aborted.length);
    await show('first.ogg', fixture('aviso.ogg'));
    await untilPlayable();
    await show('begruessung.wav', fixture('begruessung.wav'));
    const bars = await decoded();
    assert.ok(Math.abs(bars.length - 171) < 2);
    assert.equal(await aborted(), 1);
    await show('last.ogg', fixture('aviso.ogg'));
    await untilPlayable();
    await shown.page.evaluate(() => void window.dispatchEvent(new Event('pagehide')));
    assert.equal(await aborted(), 2);
  });

  for (const theme of themeNames)
    it(`can be told from its ground, wide and narrow (${theme})`, async () => {
      await shown.theme(theme);
      await show('half.mp3', halfSilent());
      await decoded();
      await untilPlayable();
      await shown.page.getByRole('slider').fill('1.5');
      for (const width of [900, 320, 220]) {
        await shown.page.setViewportSize({ width, height: 400 });
        await drawn(shown.page);
        await shown.page.screenshot({ path: join(pictures, `waveform-${theme}-${width}.png`) });
        const overflow = await shown.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        assert.ok(overflow <= 0, `${overflow} px stick out at ${width}`);
      }
      assert.deepEqual(await shown.axe(), []);
    });
});
