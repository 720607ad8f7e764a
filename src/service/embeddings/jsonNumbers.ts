import { isJsonSpace } from '../../base/jsonText.ts';

/** The powers of ten that a double holds exactly. */
const powers = Float64Array.from({ length: 23 }, (_, exponent) => 10 ** exponent);
/** The largest size up to which a double holds every whole number: a product or quotient with a power is rounded only once. */
const largestExact = 2 ** 53;
/** The largest number that is summed up digit by digit, and the share by which that sum, and what it is scaled to, may be off. */
const longest = 1e21;
const off = 2 ** -48;

const [minus, plus, point, comma, zero, nine, letterE] = [45, 43, 46, 44, 48, 57, 101];

/**
 * Reads the numbers of a JSON array (RFC 8259, 6): each is what `JSON.parse` makes of it, rounded to 32 bits. Made for
 * vectors, of which an answer has a hundred thousand numbers: no text and no object comes into being for them.
 * @param from where the text after `[` starts
 * @param end where `]` stands
 * @param expected how many numbers there may be
 * @returns undefined when anything but numbers stands there, or nothing
 */
export function readNumbers(bytes: Uint8Array, from: number, end: number, expected: number): Float32Array | undefined {
  let numbers = new Float32Array(expected);
  let count = 0;
  let at = from;
  let byte = bytes[at] as number;
  for (;;) {
    while (isJsonSpace(byte)) byte = bytes[++at] as number;
    const start = at;
    const isNegative = byte === minus;
    if (isNegative) byte = bytes[++at] as number;
    const first = at;
    let whole = 0;
    let exponent = 0;
    for (; isDigit(byte); byte = bytes[++at] as number) whole = whole * 10 + (byte - zero);
    if (at === first || (at > first + 1 && bytes[first] === zero)) return undefined;
    if (byte === point) {
      const fraction = at + 1;
      for (byte = bytes[++at] as number; isDigit(byte); byte = bytes[++at] as number)
        whole = whole * 10 + (byte - zero);
      if (at === fraction) return undefined;
      exponent = fraction - at;
    }
    if ((byte | 0x20) === letterE) {
      byte = bytes[++at] as number;
      const isSmall = byte === minus;
      if (isSmall || byte === plus) byte = bytes[++at] as number;
      const digits = at;
      let power = 0;
      for (; isDigit(byte); byte = bytes[++at] as number) power = power * 10 + (byte - zero);
      if (at === digits) return undefined;
      exponent += isSmall ? -power : power;
    }
    let size: number;
    if (whole > largestExact || exponent < -22 || exponent > 22) size = longSize(bytes, start, at, whole, exponent);
    else if (exponent < 0) size = whole / (powers[-exponent] as number);
    else size = whole * (powers[exponent] as number);
    if (count === numbers.length) numbers = resized(numbers, Math.max(16, count * 2));
    numbers[count++] = isNegative ? -size : size;
    while (isJsonSpace(byte)) byte = bytes[++at] as number;
    if (at === end) return count === numbers.length ? numbers : numbers.slice(0, count);
    if (byte !== comma) return undefined;
    byte = bytes[++at] as number;
  }
}

function isDigit(byte: number): boolean {
  return byte >= zero && byte <= nine;
}

/** The size of a number with more digits: read as text only where its 32 bits are not certain otherwise. */
function longSize(bytes: Uint8Array, start: number, end: number, whole: number, exponent: number): number {
  if (whole <= longest && exponent >= -22 && exponent <= 0) {
    const size = whole / (powers[-exponent] as number);
    if (Math.fround(size * (1 - off)) === Math.fround(size * (1 + off))) return size;
  }
  return Math.abs(Number(Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1')));
}

function resized(numbers: Float32Array<ArrayBuffer>, length: number): Float32Array<ArrayBuffer> {
  const larger = new Float32Array(length);
  larger.set(numbers);
  return larger;
}
