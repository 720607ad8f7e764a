/** Recordings that sound like speech with pauses, as bytes of a WAV file: 8 kHz, 16 bits, one channel. */

const rate = 8_000;
/** Seconds of noise and of silence, in turn. */
const [talk, pause] = [3.2, 0.8];

/** Whether somebody speaks at a time, in seconds. */
export function isSpoken(seconds: number): boolean {
  return seconds % (talk + pause) < talk;
}

/** @param seed makes the bytes those of another recording */
export function speechWav(seconds: number, seed = 1): Buffer {
  const samples = Math.round(seconds * rate);
  const bytes = Buffer.alloc(44 + samples * 2);
  bytes.write('RIFF', 0, 'latin1');
  bytes.writeUInt32LE(36 + samples * 2, 4);
  bytes.write('WAVEfmt ', 8, 'latin1');
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(rate, 24);
  bytes.writeUInt32LE(rate * 2, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36, 'latin1');
  bytes.writeUInt32LE(samples * 2, 40);
  let state = seed;
  for (let at = 0; at < samples; at++) {
    // A linear congruential generator (Numerical Recipes): noise that is the same each time.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const loudness = isSpoken(at / rate) ? 8_000 : 20;
    bytes.writeInt16LE(Math.round((state / 2 ** 31 - 1) * loudness), 44 + at * 2);
  }
  return bytes;
}
