import { stemmer } from '@orama/stemmers/german';
import { isAscii } from './foldLetters.ts';

// Words of German, and of others that write compounds as one word, are in the index a second time, in forms that no other text has, so that
// English is found as if there were none: by their stem, and by the stem backwards, of which the last part of a compound is the beginning.

/** Letters that begin those forms: of the private use area, which the tokenizer takes for letters. */
const [forwardMark, backwardMark] = ['\ue0de', '\ue0df'];
/** A word that each text with such forms has. */
export const compoundMark = '\ue0dd';
/** Words that are common in German, or Dutch, and in code of English are not; and nouns with an ending that only German has. */
const telling =
  /\b(?:und|oder|nicht|wird|werden|wurden?|kann|sind|eine[rnms]?|keine[rnms]?|f(?:ü|ue)r|(?:ü|ue)ber|wenn|dass|beim|zu[mr]|vom|der|die|das|de[mn]|ist|im|sich|auch|nur|nach|auf|aus|um|als|liefert|gibt|setzt|het|een|niet|voor|wordt|worden)\b|\b[A-Z][a-z]{4,}(?:ung|ungen|keit|heit|schaft|itaet)\b/gi;
/** What one of them is behind a blank, told quickly: most texts have none. */
const anyTelling = / (?:der|das|den|dem|und|ist|wird|nicht|zum|zur|vom|eine|einen|liefert|het|een|voor|wordt)(?= )/;
/** Words with letters of those languages; a name, or a noun of German, begins with a capital letter. */
const withUmlaut = /(?<![\p{L}\p{M}])[\p{L}\p{M}]*[äöüßåæøÄÖÜÅÆØ][\p{L}\p{M}]*/gu;
/** The least number of different words that tell. */
const leastTelling = 2;

/** Whether a text is German, or of a language with those letters, and not English with names of people. */
export function hasCompounds(text: string): boolean {
  const hasUmlauts = !isAscii(text) && /[äöüßåæøÄÖÜÅÆØ]/.test(text);
  if (!hasUmlauts && !anyTelling.test(text)) return false;
  const words = new Set<string>();
  if (hasUmlauts) {
    for (const [word] of text.matchAll(withUmlaut)) {
      const isName = /^\p{Lu}/u.test(word) && !/^[ÄÖÜÅÆØ]/.test(word);
      if (words.add(isName ? '' : word).size >= leastTelling) return true;
    }
  }
  for (const [word] of text.matchAll(telling)) if (words.add(word.toLowerCase()).size >= leastTelling) return true;
  return false;
}

/** The least letters of a word, of one that may be a compound, and of a stem by whose beginning or end others are found. */
const [leastWord, leastCompound, leastHead, leastTail] = [4, 8, 4, 4];
const longestWord = 64;

/** The stem of a word in plain letters and lower case, umlauts written in any way; undefined where it has none. */
function compoundStem(word: string): string | undefined {
  if (word.length < leastWord || word.length > longestWord) return undefined;
  const kept = known.get(word);
  if (kept !== undefined) return kept === '' ? undefined : kept;
  if (known.size >= stemsKept) known.clear();
  const plain = withoutUmlauts(word);
  const stem = plain && stemmer(plain);
  known.set(word, stem ?? '');
  return stem;
}

/** Marks and lines compare the same words again and again. */
const stemsKept = 20_000;
const known = new Map<string, string>();

/** As Snowball's `german2` and Lucene's normalization have it: `Groesse` is `Größe`, whose accents are folded. */
function withoutUmlauts(word: string): string | undefined {
  if (word.length < leastWord || word.length > longestWord || !/^[a-z]+$/.test(word)) return undefined;
  return word.replace(/([ao])e/g, '$1').replace(/(?<![aeiouyq])ue/g, 'u');
}

/** A word backwards, of which the last part of a compound is the beginning. */
function backwards(word: string): string {
  return [...withoutEnding(withoutUmlauts(word) ?? word)].reverse().join('');
}

/** A word without the ending of its case or number, whatever its length: a compound ends as its last part does. By Savoy's minimal stemmer. */
function withoutEnding(word: string): string {
  if (word.length > 6 && word.endsWith('nen')) return word.slice(0, -3);
  if (word.length > 5 && /(?:e[nsr]|se)$/.test(word)) return word.slice(0, -2);
  return word.replace(/[nesr]$/, '');
}

/** What the index has of a text besides its words. */
export function compoundWords(plain: string): string {
  const forms = new Set([compoundMark]);
  for (const [word] of plain.matchAll(/[A-Z]?[a-z]{3,}|[A-Z]{4,}/g)) {
    const stem = compoundStem(word.toLowerCase());
    if (stem === undefined) continue;
    forms.add(forwardMark + stem);
    if (word.length >= leastCompound) forms.add(backwardMark + backwards(word.toLowerCase()));
  }
  return [...forms].join(' ');
}

/** The words of the index, as FTS5 reads them, that are forms of a word or compounds with it. */
export function compoundQuery(word: string): string[] {
  const stem = compoundStem(word);
  if (stem === undefined) return [];
  const tail = backwards(word);
  return [
    stem.length < leastHead ? `"${forwardMark}${stem}"` : `"${forwardMark}${stem}" *`,
    ...(tail.length < leastTail ? [] : [`"${backwardMark}${tail}" *`]),
  ];
}

/** Whether a word, in plain letters and lower case, is a form of another, or a compound that begins or ends with it; as `compoundQuery`. */
export function isCompoundOf(word: string, part: string): boolean {
  const [whole, stem] = [compoundStem(word), compoundStem(part)];
  if (whole === undefined || stem === undefined) return false;
  if (whole === stem) return true;
  const isHead = stem.length >= leastHead && whole.startsWith(stem);
  const tail = backwards(part);
  return isHead || (tail.length >= leastTail && word.length >= leastCompound && backwards(word).startsWith(tail));
}
