/** Recordings in which there are pictures: as a track, a cover, a chunk of their own, or behind their end. */
import { chunk, type MuxOptions, mux } from './recordings.ts';

/** A picture: a JPEG by its first bytes, and a run of bytes that no sound has. */
export const picture = Buffer.concat([Buffer.from('ffd8ffe000104a464946', 'hex'), Buffer.alloc(3_000, 1)]);
/** The run by which it is found again, which the pictures of `mux` have, too. */
export const pictureRun = Buffer.alloc(64, 1);

const size28 = (length: number): Buffer => Buffer.from([21, 14, 7, 0].map((bits) => (length >> bits) & 0x7f));

/** A tag of ID3v2.3 with a cover. */
export function id3WithCover(image = picture): Buffer {
  const body = Buffer.concat([Buffer.from('\0image/jpeg\0\x03\0', 'latin1'), image]);
  const head = Buffer.alloc(10);
  head.write('APIC', 0, 'latin1');
  head.writeUInt32BE(body.length, 4);
  const frame = Buffer.concat([head, body]);
  return Buffer.concat([Buffer.from('ID3\x03\0\0', 'latin1'), size28(frame.length), frame]);
}

/** A box of an MP4. */
export function boxOf(name: string, body: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(body.length + 8, 0);
  head.write(name, 4, 'latin1');
  return Buffer.concat([head, body]);
}

/** Puts a box at the end of the table of an MP4, which has to stand at the end of the file. */
export function withInMoov(file: Buffer, box: Buffer): Buffer {
  const at = file.lastIndexOf('moov') - 4;
  const longer = Buffer.concat([file, box]);
  longer.writeUInt32BE(file.length - at + box.length, at);
  return longer;
}

/** The cover of an M4A, as players read it. */
export function coverBox(image = picture): Buffer {
  const data = boxOf('data', Buffer.concat([Buffer.from('0000000d00000000', 'hex'), image]));
  const meta = Buffer.concat([Buffer.alloc(4), boxOf('ilst', boxOf('covr', data))]);
  return boxOf('udta', boxOf('meta', meta));
}

/** A FLAC whose second block is a picture (RFC 9639, 8.8). */
export function flacWithPicture(flac: Buffer, image = picture): Buffer {
  const end = 4 + 4 + 34;
  const first = Buffer.from(flac.subarray(0, end));
  const wasLast = first.readUInt8(4) >= 0x80;
  first.writeUInt8(0, 4);
  const head = Buffer.alloc(4);
  head.writeUInt32BE((wasLast ? 0x86000000 : 0x06000000) + image.length);
  return Buffer.concat([first, head, image, flac.subarray(end)]);
}

/** A WAV with a chunk of its own for a cover, as some programs write it. */
export function wavWithCover(wav: Buffer, name = 'id3 '): Buffer {
  const longer = Buffer.concat([wav, chunk(name, id3WithCover())]);
  longer.writeUInt32LE(longer.length - 8, 4);
  return longer;
}

/** A page of an Ogg. */
export function oggPage(packet: Buffer, { serial = 77, flags = 0, number = 0, granule = 0n } = {}): Buffer {
  const lacing = [...Array.from({ length: Math.floor(packet.length / 255) }, () => 255), packet.length % 255];
  const head = Buffer.alloc(27 + lacing.length);
  head.write('OggS', 0, 'latin1');
  head.writeUInt8(flags, 5);
  head.writeBigInt64LE(granule, 6);
  head.writeUInt32LE(serial, 14);
  head.writeUInt32LE(number, 18);
  head.writeUInt8(lacing.length, 26);
  head.set(lacing, 27);
  const page = Buffer.concat([head, packet]);
  page.writeUInt32LE(oggChecksum(page), 22);
  return page;
}

/** The checksum of a page whose own is 0 (RFC 3533, 6): CRC-32 with the first bit first. */
export function oggChecksum(page: Buffer): number {
  let sum = 0;
  for (const byte of page) {
    sum ^= byte << 24;
    for (let bit = 0; bit < 8; bit++) sum = sum < 0 ? (sum << 1) ^ 0x04c11db7 : sum << 1;
  }
  return sum >>> 0;
}

/** An Ogg with a second stream, of Theora, beside its sound. */
export function oggWithTheora(ogg: Buffer): Buffer {
  const head = Buffer.concat([Buffer.from('\x80theora\x03\x02\x01', 'latin1'), Buffer.alloc(32)]);
  const second = ogg.indexOf('OggS', 4);
  const frames = [1, 2, 3].map((number) => oggPage(picture, { number, granule: BigInt(number) }));
  return Buffer.concat([
    oggPage(head, { flags: 2 }),
    ogg.subarray(0, second),
    ogg.subarray(second, ogg.lastIndexOf('OggS')),
    ...frames,
    ogg.subarray(ogg.lastIndexOf('OggS')),
  ]);
}

/** An MP4, WebM, Ogg or Matroska with its sound taken out of the table: what is left are pictures. */
export async function silentFilm(container: MuxOptions['container']): Promise<Buffer> {
  const codec = container === 'webm' ? 'opus' : 'aac';
  const file = await mux([Buffer.alloc(40, 2), Buffer.alloc(40, 2)], { container, codec, hasPictures: true });
  const name = container === 'webm' || container === 'mkv' ? (codec === 'opus' ? 'A_OPUS' : 'A_AAC') : 'soun';
  // A codec of subtitles, and a handler of texts: nobody takes them for sound.
  file.write(name === 'soun' ? 'text' : 'S_TEXT'.slice(0, name.length), file.indexOf(name), 'latin1');
  if (name !== 'soun') {
    // The type of the track: 2 is sound, 17 are subtitles.
    const at = file.lastIndexOf(Buffer.from([0x83, 0x81, 0x02]), file.indexOf('S_TEX'));
    const later = file.indexOf(Buffer.from([0x83, 0x81, 0x02]), at + 1);
    file.writeUInt8(17, (at >= 0 ? at : later) + 2);
  }
  return file;
}
