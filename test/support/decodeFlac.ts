/** Decodes a FLAC as RFC 9639 has it, for tests: by its document and not by the encoder. Checks both checksums of each frame. */
export function decodeFlac(file: Uint8Array): { rate: number; bits: number; channels: number[][] } {
  if (Buffer.from(file.subarray(0, 4)).toString('latin1') !== 'fLaC') throw new Error('No fLaC.');
  let at = 4;
  let info: Buffer | undefined;
  for (let isLast = false; !isLast; ) {
    const head = Buffer.from(file.subarray(at, at + 4));
    isLast = head.readUInt8(0) >= 128;
    const length = head.readUIntBE(1, 3);
    if ((head.readUInt8(0) & 127) === 0) info = Buffer.from(file.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  if (info === undefined) throw new Error('No STREAMINFO.');
  const rate = info.readUIntBE(10, 3) >>> 4;
  const count = ((info.readUInt8(12) >> 1) & 7) + 1;
  const bits = (((info.readUInt8(12) & 1) << 4) | (info.readUInt8(13) >> 4)) + 1;
  const channels: number[][] = Array.from({ length: count }, () => []);
  for (let number = 0; at < file.length; number++) {
    const frame = readFrame(file, at, bits, number);
    for (const [index, samples] of frame.channels.entries()) channels[index]?.push(...samples);
    at = frame.end;
  }
  return { rate, bits, channels };
}

function readFrame(
  file: Uint8Array,
  start: number,
  bits: number,
  number: number,
): { channels: number[][]; end: number } {
  let at = start * 8;
  const take = (length: number): number => {
    let value = 0;
    for (let i = 0; i < length; i++, at++) value = value * 2 + (((file[at >> 3] ?? 0) >> (7 - (at & 7))) & 1);
    return value;
  };
  const signed = (length: number): number => {
    const value = take(length);
    return length > 0 && value >= 2 ** (length - 1) ? value - 2 ** length : value;
  };
  if (take(15) !== 0x7ffc || take(1) !== 0) throw new Error(`No frame at ${start}.`);
  const [block, rate, assignment, size] = [take(4), take(4), take(4), take(3)];
  if (rate !== 0 || size !== 0 || take(1) !== 0) throw new Error('Not what this reads.');
  let coded = take(8);
  if (coded >= 0xc0) {
    let more = 0;
    while ((coded & (0x80 >> (more + 1))) !== 0) more++;
    coded &= 0x3f >> more;
    for (let i = 0; i < more; i++) coded = coded * 64 + (take(8) & 63);
  }
  if (coded !== number) throw new Error(`Frame ${coded} is not ${number}.`);
  const length = block === 7 ? take(16) + 1 : block === 6 ? take(8) + 1 : 256 * 2 ** (block - 8);
  if (crc(file.subarray(start, at >> 3), 8, 0x07) !== take(8)) throw new Error('The header is damaged.');
  const count = assignment < 8 ? assignment + 1 : 2;
  const parts = Array.from({ length: count }, (_, index) => {
    const isSide =
      (assignment === 8 && index === 1) || (assignment === 9 && index === 0) || (assignment === 10 && index === 1);
    return readChannel(isSide ? bits + 1 : bits);
  });
  at = Math.ceil(at / 8) * 8;
  if (crc(file.subarray(start, at >> 3), 16, 0x8005) !== take(16)) throw new Error('The frame is damaged.');
  return { channels: assignment < 8 ? parts : apart(parts, assignment), end: at >> 3 };

  function readChannel(width: number): number[] {
    if (take(1) !== 0) throw new Error('No channel.');
    const kind = take(6);
    if (take(1) !== 0) throw new Error('Wasted bits are not read.');
    if (kind === 0) return new Array<number>(length).fill(signed(width));
    if (kind === 1) return Array.from({ length }, () => signed(width));
    const order = kind >= 32 ? kind - 31 : kind - 8;
    const samples = Array.from({ length: order }, () => signed(width));
    let coefficients = [[], [1], [2, -1], [3, -3, 1], [4, -6, 4, -1]][order] ?? [];
    let shift = 0;
    if (kind >= 32) {
      const precision = take(4) + 1;
      shift = signed(5);
      coefficients = Array.from({ length: order }, () => signed(precision));
    }
    const width5 = take(2) === 1;
    const partitions = 2 ** take(4);
    for (let part = 0; part < partitions; part++) {
      const parameter = take(width5 ? 5 : 4);
      if (parameter === (width5 ? 31 : 15)) throw new Error('Escapes are not read.');
      for (let i = part === 0 ? order : 0; i < length / partitions; i++) {
        let quotient = 0;
        while (take(1) === 0) quotient++;
        const value = quotient * 2 ** parameter + take(parameter);
        const left = value % 2 === 1 ? -(value + 1) / 2 : value / 2;
        const told = coefficients.reduce((sum, each, j) => sum + each * (samples.at(-1 - j) ?? 0), 0);
        samples.push(left + Math.floor(told / 2 ** shift));
      }
    }
    return samples;
  }
}

function apart([first = [], second = []]: number[][], assignment: number): number[][] {
  if (assignment === 8) return [first, first.map((sample, i) => sample - (second[i] ?? 0))];
  if (assignment === 9) return [second.map((sample, i) => sample + (first[i] ?? 0)), second];
  const sums = first.map((sample, i) => sample * 2 + Math.abs((second[i] ?? 0) % 2));
  return [sums.map((sum, i) => (sum + (second[i] ?? 0)) / 2), sums.map((sum, i) => (sum - (second[i] ?? 0)) / 2)];
}

function crc(bytes: Uint8Array, width: number, polynomial: number): number {
  let value = 0;
  for (const byte of bytes) {
    for (let bit = 7; bit >= 0; bit--) {
      const top = (value >> (width - 1)) & 1;
      value = (value << 1) & (2 ** width - 1);
      if ((top ^ ((byte >> bit) & 1)) === 1) value ^= polynomial;
    }
  }
  return value;
}
