import { hangul, kana, kanji, simplifiedHan, traditionalHan } from './frequentCharacters.ts';

/** How words look: Latin with some letters beyond ASCII; an alphabet of its own; or characters without blanks between words. */
export type Writing = 'latin' | 'alphabet' | 'ideographic';

/** What is known of a language: how rare each of its characters beyond ASCII is, in bits. */
export interface WrittenLanguage {
  readonly writing: Writing;
  readonly bits: ReadonlyMap<number, number>;
  /** The vowels of an alphabet that writes them: there is one every few letters. */
  readonly vowels?: ReadonlySet<number>;
}

/** An encoding, what is written in it, and how rare it is itself, in bits. */
export interface EncodingCandidate {
  readonly encoding: string;
  readonly languages: readonly WrittenLanguage[];
  readonly rarity: number;
}

/** @param letters the most frequent first */
function latin(letters: string): WrittenLanguage {
  return { writing: 'latin', bits: bothCases(letters, (rank) => 5.5 + 1.2 * Math.log2(1 + rank)) };
}

function alphabet(letters: string, vowels = ''): WrittenLanguage {
  const bits = bothCases(letters, (rank) => 3.2 + 0.17 * rank);
  if (vowels === '') return { writing: 'alphabet', bits };
  const both = [...vowels, ...vowels.toUpperCase()].map((vowel) => vowel.charCodeAt(0));
  return { writing: 'alphabet', bits, vowels: new Set(both) };
}

function ideographic(...lists: readonly string[]): WrittenLanguage {
  const bits = new Map<number, number>();
  for (const list of lists) {
    for (const [rank, character] of [...list].entries()) {
      bits.set(character.charCodeAt(0), 4.5 + 0.75 * Math.log2(1 + rank));
    }
  }
  return { writing: 'ideographic', bits };
}

function bothCases(letters: string, bitsAt: (rank: number) => number): Map<number, number> {
  const bits = new Map<number, number>();
  [...letters].forEach((letter, rank) => {
    bits.set(letter.charCodeAt(0), bitsAt(rank));
    const upper = letter.toUpperCase();
    if (upper.length === 1 && upper !== letter) bits.set(upper.charCodeAt(0), bitsAt(rank));
  });
  return bits;
}

const german = latin('üäöß');
const french = latin('éàèêôîçâùûœëïæ');
const spanish = latin('óáíúéñü');
const italian = latin('èàòùéì');
const portuguese = latin('ãçáíéóõêúâàô');
const nordic = latin('äöåøæé');
const mixed = latin('éäüöáóíèàçåñãøêæßâôîõúûùëïòìœýš');
const western = [german, french, spanish, italian, portuguese, nordic, mixed];
const icelandic = latin('ðáíæóöþúýé');
const turkish = latin('ıüşçğöİâ');
const polish = latin('łżąśęćóńź');
const czech = latin('íářžýéčěšůúóňťďľĺŕ');
const hungarian = latin('áéíóöőüúű');
const croatian = latin('čćžšđ');
const romanian = latin('ăţșîâş');
const lithuanian = latin('šėųįžąčūę');
const latvian = latin('āēīšļūņķžģč');
const bulgarian = alphabet('аениотрсвдпзклмъябучгжйфцшщхю', 'аеиоуъюя');
const russian = alphabet('оеаинтрслвпкдмуязьыбйчгжфцюхшщэёъ', 'аеёиоуыэюя');
const ukrainian = alphabet('оаниевтрікслпдумязбйчьгжцфєхюшїщґ', 'аеєиіїоуюя');
const serbian = alphabet('аеионртскупдвмзјлбгњчшцљжћфхђџ', 'аеиоур');
const greek = alphabet('αοετινσρμηπκυςλίδγέήόάχθωφύώβξζψϊϋΐΰ', 'αεηιουωάέήίόύώϊϋ');
const hebrew = alphabet('יותמהלרנאשבקפדסעגםחכטןצזךץף');
const arabic = alphabet('الميرتونةفدعسبحقكصأطجخهذإشضغزىثئءظؤآـ');
const thai = alphabet('า่อรมก้นเงดัลีตแบยไสวิขทพหจคปืะชำูใ์ถฟุ็โผซณึญภธษศๆฉฐฏฝฮ๊ฤฎฬฆฒ๋');
const simplified = ideographic(simplifiedHan);
const traditional = ideographic(traditionalHan);
const japanese = ideographic(kana, kanji);
const korean = ideographic(hangul);

export const candidates: readonly EncodingCandidate[] = [
  { encoding: 'windows-1252', languages: western, rarity: 0 },
  { encoding: 'windows-1252', languages: [icelandic], rarity: 4 },
  { encoding: 'gb18030', languages: [simplified], rarity: 2 },
  { encoding: 'shift_jis', languages: [japanese], rarity: 3 },
  { encoding: 'big5', languages: [traditional], rarity: 3 },
  { encoding: 'euc-kr', languages: [korean], rarity: 3 },
  { encoding: 'windows-1251', languages: [russian, ukrainian, bulgarian, serbian], rarity: 3 },
  { encoding: 'euc-jp', languages: [japanese], rarity: 4 },
  { encoding: 'koi8-u', languages: [russian, ukrainian], rarity: 5 },
  { encoding: 'ibm866', languages: [russian], rarity: 5 },
  { encoding: 'windows-1250', languages: [polish, czech, hungarian, croatian, romanian], rarity: 4 },
  { encoding: 'windows-1253', languages: [greek], rarity: 4 },
  { encoding: 'windows-1254', languages: [turkish], rarity: 3 },
  { encoding: 'windows-1255', languages: [hebrew], rarity: 4 },
  { encoding: 'windows-1256', languages: [arabic], rarity: 4 },
  { encoding: 'windows-874', languages: [thai], rarity: 4 },
  { encoding: 'windows-1257', languages: [lithuanian, latvian], rarity: 6 },
  { encoding: 'iso-8859-2', languages: [polish, czech, hungarian, croatian], rarity: 6 },
  { encoding: 'iso-8859-5', languages: [russian, bulgarian, serbian], rarity: 8 },
  { encoding: 'iso-8859-7', languages: [greek], rarity: 7 },
  { encoding: 'cp850', languages: western, rarity: 6 },
  { encoding: 'cp437', languages: western, rarity: 7 },
  { encoding: 'cp852', languages: [polish, czech, hungarian, croatian], rarity: 8 },
  { encoding: 'x-mac-cyrillic', languages: [russian, serbian], rarity: 9 },
  { encoding: 'macintosh', languages: western, rarity: 10 },
];
