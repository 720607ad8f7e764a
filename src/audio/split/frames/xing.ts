import { readMp3Header } from '../../recording/frameHeaders.ts';

/** Bytes between the header of a frame and what stands in place of its sound: its side information, which is empty. */
function sideLength(frame: Buffer): number {
  const isVersion1 = ((frame[1] ?? 0) & 0x08) !== 0;
  const isMono = (frame[3] ?? 0) >> 6 === 3;
  if (isVersion1) return isMono ? 17 : 32;
  return isMono ? 9 : 17;
}

/** Whether a frame of an MP3 holds no sound but says how many follow (Xing, Info; VBRI of Fraunhofer's encoder). */
export function isInfoFrame(frame: Buffer): boolean {
  const at = 4 + sideLength(frame);
  // Asked of each frame of a long recording.
  if (frame[at] !== 0x58 && frame[at] !== 0x49 && frame[36] !== 0x56) return false;
  return /^(Xing|Info)$/.test(frame.toString('latin1', at, at + 4)) || frame.toString('latin1', 36, 40) === 'VBRI';
}

/** How many frames follow one that `isInfoFrame`; undefined where it does not say so. */
export function promisedFrames(frame: Buffer): number | undefined {
  const at = 4 + sideLength(frame);
  if (frame.toString('latin1', 36, 40) === 'VBRI') return frame.length >= 54 ? frame.readUInt32BE(50) : undefined;
  return at + 12 <= frame.length && (frame.readUInt32BE(at + 4) & 1) === 1 ? frame.readUInt32BE(at + 8) : undefined;
}

/** Samples by which every decoder of layer III is late. */
const decoderDelay = 529;

/**
 * Samples before the sound that is meant: what the encoder put there to begin with, and what a decoder does. Players leave them
 * out where the encoder says how many there are (LAME's tag, which others write, too); 0 where it does not.
 * @param frame one that `isInfoFrame`
 */
export function leadingSamples(frame: Buffer): number {
  const at = 4 + sideLength(frame);
  if (at + 8 > frame.length) return 0;
  const flags = frame.readUInt32BE(at + 4);
  // Frames, bytes, a table of contents and a quality are there if their flags are.
  const fields = [4, 4, 100, 4].reduce((sum, length, i) => sum + ((flags >> i) & 1) * length, 0);
  const tag = at + 8 + fields;
  if (tag + 24 > frame.length || !/^(LAME|Lav[cf])/.test(frame.toString('latin1', tag, tag + 4))) return 0;
  return (frame.readUIntBE(tag + 21, 3) >> 12) + decoderDelay;
}

/**
 * A frame that says how many frames and bytes follow: without it players take the length of one of variable bit rate from its
 * first frame, and services may bill by that.
 * @param first the header of a frame of the same MP3
 */
export function infoFrame(first: Buffer, frames: number, bytes: number): Buffer {
  const header = Buffer.from(first.subarray(0, 4));
  // No checksum; and the least bit rate whose frames have room for it.
  header.writeUInt8((header[1] ?? 0) | 1, 1);
  let frame = Buffer.alloc(0);
  for (let rate = 1; rate < 15; rate++) {
    header.writeUInt8((rate << 4) | ((header[2] ?? 0) & 0x0c), 2);
    frame = Buffer.alloc(readMp3Header(header, 0)?.length ?? 0);
    if (frame.length >= 4 + sideLength(header) + 16) break;
  }
  header.copy(frame);
  const at = 4 + sideLength(header);
  frame.write('Xing', at, 'latin1');
  frame.writeUInt32BE(3, at + 4);
  frame.writeUInt32BE(frames, at + 8);
  frame.writeUInt32BE(bytes + frame.length, at + 12);
  return frame;
}
