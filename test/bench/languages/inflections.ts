import type { CommentLanguage } from './packages.ts';

/** Words that say little of what is asked for, in lower case. */
const stopWords: Partial<Record<CommentLanguage, ReadonlySet<string>>> = {
  German: new Set(
    'der die das den dem des ein eine einen einem einer eines und oder aber nicht kein keine ist sind war wird werden wurde hat haben kann können koennen muss soll mit von vom für fuer auf aus bei beim nach zu zum zur in im an am um durch über ueber unter als wenn dass daß ob wie wo was wer es er sie wir ich sich auch nur noch schon hier dann so da nun bzw damit diese dieser dieses diesem diesen alle falls ohne mehr'.split(
      ' ',
    ),
  ),
  Russian: new Set(
    'и в во на с со к ко по из за от до для о об у не ни но а или то что чтобы как так же если при это этот эта эти этого его её их он она они мы вы я бы был была было будет быть есть все всё также только уже еще ещё когда где через под над без может можно который которая которое которые которого'.split(
      ' ',
    ),
  ),
};

/** Another form of the same word, by rules that hold for any word with that ending; the longest ending first. */
const endings: Partial<Record<CommentLanguage, readonly (readonly [from: RegExp, to: string])[]>> = {
  Russian: [
    [/ает$/, 'ать'],
    [/ует$/, 'ует'],
    [/яет$/, 'ять'],
    [/ать$/, 'ает'],
    [/ного$/, 'ный'],
    [/ная$/, 'ной'],
    [/ный$/, 'ного'],
    [/ные$/, 'ных'],
    [/ных$/, 'ные'],
    [/ости$/, 'ость'],
    [/ость$/, 'ости'],
    [/ние$/, 'ния'],
    [/ния$/, 'ние'],
    [/нию$/, 'ние'],
    [/ция$/, 'ции'],
    [/ции$/, 'ция'],
    [/тов$/, 'т'],
    [/тор$/, 'тора'],
    [/ента$/, 'ент'],
    [/ент$/, 'ента'],
    [/ами$/, 'ы'],
  ],
  German: [
    [/ungen$/, 'ung'],
    [/ung$/, 'ungen'],
    [/eien$/, 'ei'],
    [/tei$/, 'teien'],
    [/keiten$/, 'keit'],
    [/keit$/, 'keiten'],
    [/ionen$/, 'ion'],
    [/ion$/, 'ionen'],
    [/iert$/, 'ieren'],
    [/ieren$/, 'iert'],
    [/ellen$/, 'elle'],
    [/elle$/, 'ellen'],
    [/enten$/, 'ent'],
    [/ent$/, 'enten'],
    [/(?<=\p{Ll}{3})te$/u, 'ten'],
    [/ierte$/, 'ierten'],
    [/ische$/, 'ischen'],
    [/ischen$/, 'ische'],
    [/liche$/, 'lichen'],
    [/lichen$/, 'liche'],
    [/(?<=\p{Ll}{3})er$/u, 'ern'],
    [/(?<=\p{Ll}{3})t$/u, 'te'],
  ],
};

/** What long words of German code end with, as its glossaries have them; each a word of its own. */
const tails =
  'datei dateien verbindung verbindungen name namen wert werte liste listen tabelle tabellen feld felder klasse klassen objekt objekte methode nummer schluessel schlüssel zeichen zugriff verzeichnis ordner fehler meldung abfrage anzeige ausgabe eingabe adresse zeit datum format typ typen text palette farbe farben attribut attribute schnittstelle zeile zeilen spalte spalten bank daten dienst server system anweisung ebene laden lader paket parameter pfad puffer speicher größe groesse'.split(
    ' ',
  );

export const isStopWord = (language: CommentLanguage, word: string): boolean =>
  stopWords[language]?.has(word.toLowerCase()) ?? false;

/** Another form of a word; undefined where no rule knows one. */
export function inflected(language: CommentLanguage, word: string): string | undefined {
  const rule = endings[language]?.find(([from]) => from.test(word));
  const form = rule && word.replace(...rule);
  return form === word ? undefined : form;
}

/** The last part of a compound of German, with the letter in front that a word of its own has. */
export function lastPart(word: string): string | undefined {
  const lower = word.toLowerCase();
  const tail = tails.filter((each) => lower.endsWith(each) && lower.length - each.length >= 4);
  const [longest] = tail.sort((a, b) => b.length - a.length);
  return longest && `${longest[0]?.toUpperCase()}${longest.slice(1)}`;
}

/** A German word with its umlauts written the other way: `Groesse` and `Größe`. */
export function otherUmlauts(word: string): string | undefined {
  const written = word.replace(/[äöüß]/g, (letter) => ({ ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' })[letter] ?? letter);
  if (written !== word) return written;
  const short = word.replace(/(?<![aeqAEQ])ue|ae|oe/g, (pair) => ({ ae: 'ä', oe: 'ö', ue: 'ü' })[pair] ?? pair);
  return short === word ? undefined : short;
}
