import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { createPacketTable } from '../../../../src/audio/split/packets/packetTable.ts';
import { tableLookups } from '../../../../src/audio/split/packets/tableLookups.ts';
import { type PieceForm, pieceForms } from '../../../../src/audio/split/pieceForms.ts';
import { type AudioPiece, type PlannedSound, planPieces } from '../../../../src/audio/split/plan/planPieces.ts';
import { ServiceError } from '../../../../src/base/errors.ts';
import { heightAt, isInPause, lengthOf, randomFrom, type Turn, turns } from '../../../support/recordings.ts';

const signal = new AbortController().signal;
const envelope = 64 * 1024;

interface Shape {
  seconds: number;
  packetSeconds: number;
  /** Bytes of a packet at a time. */
  bytesAt(time: number): number;
  /** Decibels at a time. */
  levelAt(time: number): number;
  start?: number;
  form?: PieceForm;
  preRoll?: number;
}

function soundOf({
  seconds,
  packetSeconds,
  bytesAt,
  levelAt,
  start = 0,
  form = pieceForms.m4a,
  preRoll = 0,
}: Shape): PlannedSound {
  const table = createPacketTable(1e6, () => new Error('too many'));
  for (let time = start; time < seconds; time += packetSeconds) {
    table.push(time, packetSeconds, Math.round(bytesAt(time)), levelAt(time));
  }
  return { fileName: 'talk.m4a', codec: 'aac', form, preRoll, ...tableLookups(table) };
}

const spoken = turns(400);
function speech(said: readonly Turn[] = spoken, shape: Partial<Shape> = {}): PlannedSound {
  return soundOf({
    seconds: lengthOf(said),
    packetSeconds: 0.025,
    bytesAt: () => 400,
    levelAt: (time) => 20 * Math.log10(heightAt(said, time)),
    ...shape,
  });
}

/** The bytes of the file that a piece is written as, at most. */
function fileBytes(sound: PlannedSound, { from, to }: AudioPiece): number {
  const { form } = sound;
  return sound.byteCount(from, to) + sound.packetCount(from, to) * form.packetBytes + form.headerBytes;
}

/** What the packets of a whole recording weigh in the file of a piece. */
function fileRoom(sound: PlannedSound): number {
  return fileBytes(sound, { from: sound.start, to: sound.end } as AudioPiece) - sound.form.headerBytes;
}

describe('planning pieces', () => {
  test('leaves a recording whole that passes no limit', async () => {
    const pieces = await planPieces(speech(), { mostBytes: 100e6, signal });
    const { end, form, byteCount, packetCount } = speech();
    const bytes = byteCount(0, end) + packetCount(0, end) * form.usualPacketBytes;
    assert.deepEqual(pieces, [
      { index: 0, start: 0, end, from: 0, to: end, startsQuiet: true, endsQuiet: true, bytes },
    ]);
  });

  test('cuts speech in its pauses, into pieces that are few and like one another', async () => {
    const sound = speech();
    const mostBytes = envelope + sound.form.headerBytes + sound.byteCount(0, sound.end) / 8;
    const pieces = await planPieces(sound, { mostBytes, signal });
    const cuts = pieces.slice(1).map(({ start }) => start);
    assert.deepEqual(
      cuts.filter((cut) => !isInPause(spoken, cut)),
      [],
    );
    assert.ok(pieces.every(({ endsQuiet, startsQuiet }) => endsQuiet && startsQuiet));
    assert.ok(pieces.length >= 9 && pieces.length <= 10, `${pieces.length} pieces`);
    const lengths = pieces.map(({ start, end }) => end - start);
    assert.ok(Math.max(...lengths) < 1.5 * Math.min(...lengths), lengths.join(' '));
  });

  test('gives the neighbours of a cut that is in no pause two seconds of each other', async () => {
    const sound = speech(spoken, { levelAt: () => -20 });
    const pieces = await planPieces(sound, { mostBytes: envelope + 3e6, signal });
    assert.ok(pieces.length > 1);
    for (const [i, piece] of pieces.entries()) {
      const next = pieces[i + 1];
      if (next === undefined) continue;
      assert.deepEqual([piece.endsQuiet, next.startsQuiet], [false, false]);
      assert.ok(piece.to - piece.end > 1.97 && piece.to - piece.end <= 2.0001);
      assert.ok(next.start - next.from >= 1.9999 && next.start - next.from < 2.03);
    }
  });

  test('begins where a decoder has to, before what a piece answers for', async () => {
    const sound = speech(spoken, { preRoll: 0.25, form: pieceForms.mp3 });
    const pieces = await planPieces(sound, { mostBytes: envelope + 3e6, signal });
    assert.ok(pieces.length > 1);
    assert.equal(pieces[0]?.from, 0);
    for (const { start, from } of pieces.slice(1)) assert.ok(start - from >= 0.2499 && start - from < 0.28);
  });

  test('does without levels, and then says that it does not know', async () => {
    const sound = speech(spoken, { levelAt: () => Number.NaN });
    const pieces = await planPieces(sound, { mostBytes: envelope + 3e6, signal });
    assert.ok(pieces.length > 1);
    assert.ok(pieces.slice(0, -1).every(({ endsQuiet }) => !endsQuiet));
  });

  test('splits a part again, when its file or the limit turned out otherwise', async () => {
    const sound = speech();
    const [first, second] = await planPieces(sound, { mostBytes: envelope + 4e6, signal });
    assert.ok(first !== undefined && second !== undefined);
    const again = await planPieces(sound, { mostBytes: envelope + 1e6, signal, part: first });
    assert.ok(again.length > 3);
    assert.equal(again[0]?.start, first.start);
    assert.equal(again.at(-1)?.end, second.start);
    assert.equal(again.at(-1)?.to, first.to);
  });

  test('quirk 53: no piece is shorter than a second, whatever is left at the end', async () => {
    for (let least = 0; least < 200; least++) {
      const sound = speech(turns(4, least), { levelAt: () => Number.NaN });
      const { start, end, form } = sound;
      // A limit that all but the last moments fit.
      const mostBytes = envelope + form.headerBytes + Math.floor(fileRoom(sound) * (0.9 + least / 2_000));
      const pieces = await planPieces(sound, { mostBytes, signal });
      assert.ok(pieces.length > 1);
      for (const piece of pieces)
        assert.ok(piece.end - piece.start > 0.95, `${piece.start} ${piece.end} ${end - start}`);
    }
  });

  test('refuses a limit that has no room for a second, and stops when told to', async () => {
    for (const mostBytes of [0, 1_000, envelope, envelope + 10_000]) {
      await assert.rejects(planPieces(speech(), { mostBytes, signal }), {
        kind: 'too-large',
        param: 'limit',
        hint: 'talk.m4a',
      });
    }
    await assert.rejects(planPieces(speech(), { mostBytes: 1e6, signal: AbortSignal.abort() }), { kind: 'cancelled' });
  });

  test('of any sound: pieces follow one another without a gap, under the limit, and the same each time', async () => {
    const shapes = fc.record({
      seconds: fc.double({ min: 1, max: 600, noNaN: true }),
      packetSeconds: fc.constantFrom(0.02, 0.0261, 0.093, 0.5),
      rate: fc.integer({ min: 500, max: 200_000 }),
      unevenness: fc.double({ min: 0, max: 1, noNaN: true }),
      start: fc.constantFrom(0, -0.023, 0.7),
      preRoll: fc.constantFrom(0, 0.1, 0.25),
      form: fc.constantFrom(...Object.values(pieceForms)),
      share: fc.double({ min: 0.02, max: 1.2, noNaN: true }),
      seed: fc.nat(),
    });
    await fc.assert(
      fc.asyncProperty(shapes, async ({ rate, unevenness, share, seed, ...shape }) => {
        const random = randomFrom(seed);
        const said = turns(20, seed);
        const sound = soundOf({
          ...shape,
          bytesAt: () => rate * shape.packetSeconds * (1 + unevenness * (random() - 0.5)),
          levelAt: (time) => 20 * Math.log10(heightAt(said, time % lengthOf(said))) + random(),
        });
        const mostBytes = envelope + sound.form.headerBytes + Math.round(share * sound.byteCount(-1, 3_000));
        const plan = (): Promise<AudioPiece[] | ServiceError> =>
          planPieces(sound, { mostBytes, signal }).catch((error: ServiceError) => error);
        const pieces = await plan();
        assert.deepEqual(await plan(), pieces);
        const { headerBytes } = sound.form;
        const room = mostBytes - envelope - headerBytes;
        const weight = fileRoom(sound);
        if (pieces instanceof ServiceError) {
          // No limit that leaves room for eight seconds is refused.
          assert.equal(pieces.kind, 'too-large');
          assert.ok((room / weight) * (sound.end - sound.start) < 8);
          return;
        }
        assert.equal(pieces[0]?.start, sound.start);
        assert.equal(pieces.at(-1)?.end, sound.end);
        for (const [i, piece] of pieces.entries()) {
          const { index, start, end, from, to } = piece;
          assert.equal(index, i);
          assert.ok(from <= start && start < end && end <= to, `${from} ${start} ${end} ${to}`);
          assert.ok(fileBytes(sound, piece) + envelope <= mostBytes);
          assert.equal(sound.packetStart(start), start);
          assert.equal(sound.packetStart(from), from);
          if (i > 0) assert.equal(start, pieces[i - 1]?.end);
        }
        const least = weight / room;
        // In pieces of a few seconds what is shared weighs more than what is not.
        if ((sound.end - sound.start) / least > 30)
          assert.ok(pieces.length <= 1.5 * least + 2, `${pieces.length} of ${least}`);
      }),
      { numRuns: 100 },
    );
  });
});
