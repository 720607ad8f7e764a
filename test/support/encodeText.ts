import { decoderOf } from '../../src/base/encoding/codePages.ts';

/** By encoding, the bytes of each character. */
const tables = new Map<string, ReadonlyMap<string, readonly number[]>>();

/** The bytes of a text in an encoding of one or two bytes a character, or in UTF-16, found by decoding all there are. */
export function encodeText(text: string, encoding: string): Buffer {
  if (encoding === 'utf-8') return Buffer.from(text);
  if (encoding === 'utf-16le') return Buffer.from(text, 'utf16le');
  if (encoding === 'utf-16be') return Buffer.from(text, 'utf16le').swap16();
  const table = tables.get(encoding) ?? tableOf(encoding);
  tables.set(encoding, table);
  const bytes = [...text].flatMap((character) => {
    const code = character.charCodeAt(0);
    const found = code < 0x80 ? [code] : table.get(character);
    if (found === undefined) throw new Error(`${encoding} has no ${character}`);
    return found;
  });
  return Buffer.from(bytes);
}

function tableOf(encoding: string): ReadonlyMap<string, readonly number[]> {
  const decode = decoderOf(encoding);
  if (decode === undefined) throw new Error(`There is no decoder for ${encoding}.`);
  const table = new Map<string, readonly number[]>();
  const add = (...bytes: number[]): void => {
    const character = decode(Uint8Array.from(bytes));
    if ([...character].length === 1 && character !== '\ufffd' && !table.has(character)) table.set(character, bytes);
  };
  const isWide = /^(gb18030|big5|shift_jis|euc-..)$/.test(encoding);
  for (let lead = 0x80; lead < 0x100; lead++) {
    add(lead);
    for (let trail = 0x40; isWide && trail < 0x100; trail++) add(lead, trail);
  }
  return table;
}
