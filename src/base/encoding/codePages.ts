const latin1Half = String.fromCharCode(...Array.from({ length: 0x60 }, (_, index) => 0xa0 + index));

/** The upper halves of code pages that `TextDecoder` does not know. Those of DOS end with the same forms of boxes. */
const upperHalves: Readonly<Record<string, string>> = {
  // Some versions of Node take it for Latin-1.
  'windows-1252': `€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ${latin1Half}`,
  cp437:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\xa0',
  cp850:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\xad±‗¾¶§÷¸°¨·¹³²■\xa0',
  cp852:
    'ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\xad˝˛ˇ˘§÷¸°¨˙űŘř■\xa0',
  cp865:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø₧ƒáíóúñÑªº¿⌐¬½¼¡«¤░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\xa0',
  cp1125:
    'АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмноп░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀рстуфхцчшщъыьэюяЁёҐґЄєІіЇї·√№¤■\xa0',
};

/** Reads bytes in one encoding. Never throws: what is broken is U+FFFD. */
export type Decoder = (bytes: Uint8Array) => string;

/**
 * The decoder of an encoding, by its name in VS Code (`windows1251`) or in the Encoding Standard (`windows-1251`); undefined where
 * there is none.
 */
export function decoderOf(name: string): Decoder | undefined {
  const encoding = standardName(name);
  const upper = Object.hasOwn(upperHalves, encoding) ? upperHalves[encoding] : undefined;
  if (upper !== undefined) return (bytes) => decodeByTable(bytes, upper);
  try {
    new TextDecoder(encoding);
    // A decoder of its own for each text: one that threw may keep what it had.
    return (bytes) => new TextDecoder(encoding).decode(bytes);
  } catch {
    return undefined;
  }
}

function decodeByTable(bytes: Uint8Array, upper: string): string {
  const plain = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  // Most of Windows-1252 is Latin-1.
  const other = upper.endsWith(latin1Half) ? /[\x80-\x9f]/g : /[\x80-\xff]/g;
  return plain.replace(other, (byte) => upper[byte.charCodeAt(0) - 0x80] ?? '\ufffd');
}

const named: Readonly<Record<string, string>> = {
  big5hkscs: 'big5',
  cp866: 'ibm866',
  cp936: 'gb18030',
  cp950: 'big5',
  eucjp: 'euc-jp',
  euckr: 'euc-kr',
  gb2312: 'gb18030',
  gbk: 'gb18030',
  iso885911: 'windows-874',
  koi8r: 'koi8-r',
  koi8ru: 'koi8-u',
  koi8u: 'koi8-u',
  maccyrillic: 'x-mac-cyrillic',
  macroman: 'macintosh',
  shiftjis: 'shift_jis',
  utf16be: 'utf-16be',
  utf16le: 'utf-16le',
  utf8: 'utf-8',
  utf8bom: 'utf-8',
  xmaccyrillic: 'x-mac-cyrillic',
};

/** The name of an encoding in the Encoding Standard, as far as it has one. Each encoding that holds another stands for both. */
export function standardName(name: string): string {
  const plain = name.toLowerCase().replace(/[-_ ]/g, '');
  if (Object.hasOwn(named, plain)) return named[plain] ?? plain;
  // Latin-1 in files is Windows-1252, of which it is a part.
  if (plain === 'iso88591') return 'windows-1252';
  return plain.replace(/^windows(\d+)$/, 'windows-$1').replace(/^iso8859(\d+)$/, 'iso-8859-$1');
}

/** The name that VS Code has for an encoding of the Encoding Standard; undefined for UTF-8, and where it has none. */
export function editorName(encoding: string): string | undefined {
  if (encoding === 'utf-8' || encoding === 'x-mac-cyrillic') return undefined;
  const others: Readonly<Record<string, string>> = { big5: 'cp950', ibm866: 'cp866', macintosh: 'macroman' };
  return others[encoding] ?? encoding.replace(/[-_]/g, '');
}
