/** What a file of a format begins with, from byte 0 or another on. */
interface Beginning {
  /** The name that people know it by. */
  name: string;
  bytes: string;
  at?: number;
}

/** Recordings and films that are known and not read; lines of bytes as Latin-1. */
const beginnings: readonly Beginning[] = [
  { name: 'AMR', bytes: '#!AMR' },
  { name: 'WMA', bytes: '\x30\x26\xb2\x75\x8e\x66\xcf\x11\xa6\xd9\x00\xaa\x00\x62\xce\x6c' },
  { name: 'MPEG-PS', bytes: '\0\0\x01\xba' },
  { name: 'AVI', bytes: 'AVI ', at: 8 },
  { name: 'FLV', bytes: 'FLV\x01' },
  { name: 'AU', bytes: '.snd' },
  { name: 'VOC', bytes: 'Creative Voice File' },
  { name: 'WavPack', bytes: 'wvpk' },
  { name: 'Monkey’s Audio', bytes: 'MAC ' },
  { name: 'TTA', bytes: 'TTA1' },
  { name: 'Musepack', bytes: 'MPCK' },
  { name: 'Musepack', bytes: 'MP+' },
  { name: 'RealMedia', bytes: '.RMF' },
  { name: 'RealAudio', bytes: '.ra\xfd' },
  { name: 'DSF', bytes: 'DSD ' },
  { name: 'DSDIFF', bytes: 'FRM8' },
  { name: 'AC-3', bytes: '\x0b\x77' },
  { name: 'DTS', bytes: '\x7f\xfe\x80\x01' },
  { name: 'MIDI', bytes: 'MThd' },
  { name: 'SILK', bytes: '#!SILK' },
  { name: 'SILK', bytes: '#!SILK', at: 1 },
];

/** Bytes in which all of them show. */
export const longestBeginning = 1_024;

/** The name of the format of a file that is known and not read, by its first bytes. */
export function unreadName(head: Buffer): string | undefined {
  if (isTransportStream(head)) return 'MPEG-TS';
  return beginnings.find(({ bytes, at = 0 }) => head.toString('latin1', at, at + bytes.length) === bytes)?.name;
}

/** Packets of 188 bytes that begin with 0x47, each behind a time of four bytes where a camera wrote them (ISO/IEC 13818-1, 2.4.3.2). */
function isTransportStream(head: Buffer): boolean {
  return [188, 192].some((length) => [0, 1, 2, 3].every((i) => head[length - 188 + i * length] === 0x47));
}
