const sampleRate = 16_000;

/** A recording of one second with nothing but a quiet tone: a WAV file of 32 kB (PCM, 16 bits, mono). */
export function createTone(): Uint8Array {
  const samples = Int16Array.from(
    { length: sampleRate },
    (_, i) => 1000 * Math.sin((2 * Math.PI * 440 * i) / sampleRate),
  );
  const header = new DataView(new ArrayBuffer(44));
  const word = (at: number, text: string): void => {
    for (const [i, letter] of [...text].entries()) header.setUint8(at + i, letter.charCodeAt(0));
  };
  word(0, 'RIFF');
  header.setUint32(4, 36 + samples.byteLength, true);
  word(8, 'WAVEfmt ');
  header.setUint32(16, 16, true);
  header.setUint16(20, 1, true);
  header.setUint16(22, 1, true);
  header.setUint32(24, sampleRate, true);
  header.setUint32(28, sampleRate * 2, true);
  header.setUint16(32, 2, true);
  header.setUint16(34, 16, true);
  word(36, 'data');
  header.setUint32(40, samples.byteLength, true);
  return Buffer.concat([new Uint8Array(header.buffer), new Uint8Array(samples.buffer)]);
}
