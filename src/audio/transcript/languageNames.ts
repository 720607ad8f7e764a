/** The languages of ISO 639-1 that speech models know, in the order of their codes. */
export const spokenLanguages = (
  'af am ar as az ba be bg bn bo br bs ca cs cy da de el en es et eu fa fi fo fr gl gu ha he hi hr ht hu hy id is it ja jv ka kk km kn ko ' +
  'la lb ln lo lt lv mg mi mk ml mn mr ms mt my ne nl nn no oc pa pl ps pt ro ru sa sd si sk sl sn so sq sr su sv sw ta te tg th tk tl tr tt ' +
  'uk ur uz vi yi yo yue zh'
).split(' ');

/** English names that services have for languages, where they are not those of Unicode. */
const otherNames: Readonly<Record<string, string>> = {
  castilian: 'es',
  flemish: 'nl',
  mandarin: 'zh',
  cantonese: 'yue',
  moldovan: 'ro',
  valencian: 'ca',
  burmese: 'my',
  'haitian creole': 'ht',
  panjabi: 'pa',
  pushto: 'ps',
  sinhalese: 'si',
  letzeburgesch: 'lb',
  moldavian: 'ro',
  nynorsk: 'nn',
  tagalog: 'tl',
  faroese: 'fo',
  javanese: 'jv',
};

let byName: ReadonlyMap<string, string> | undefined;

/** The code of a language that a service names by its code, `de`, `de-CH`, or in English, `german`; undefined for any other name. */
export function languageCode(given: string): string | undefined {
  const name = given.trim().toLowerCase().replaceAll('_', '-');
  if (/^[a-z]{2,3}(-[a-z0-9]{2,8}){0,3}$/.test(name) && nameOf(name, 'en') !== undefined) return name;
  byName ??= new Map(spokenLanguages.map((code) => [nameOf(code, 'en')?.toLowerCase() ?? code, code]));
  return byName.get(name) ?? (Object.hasOwn(otherNames, name) ? otherNames[name] : undefined);
}

/** A language by its name in the language of the user; as it was given where it has none. */
export function languageName(given: string, userLanguage: string): string {
  const code = languageCode(given);
  return (
    (code === undefined ? undefined : nameOf(code, userLanguage)) ?? given.charAt(0).toUpperCase() + given.slice(1)
  );
}

function nameOf(code: string, language: string): string | undefined {
  try {
    return new Intl.DisplayNames([language], { type: 'language', fallback: 'none' }).of(code);
  } catch {
    return undefined;
  }
}
