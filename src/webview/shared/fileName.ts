import { isBareName, isDotName, isKnownEnding } from './fileEndings.ts';

/** What a text names as a file, and the place in it. */
export interface FileName {
  /** With `/` between its folders and without `./`; absolute, with or without a drive, where it was written so. Never with `..`. */
  readonly path: string;
  /** From 1, as are the others. */
  readonly line?: number;
  readonly column?: number;
  readonly lastLine?: number;
}

/**
 * How the text is known to be a name. `link`: it is where a link leads, so that any word will do. `label`: `File:` stands before it.
 * `marked`: it stands alone, as a heading, a comment, or behind a fence. `plain`: it is one word of a sentence.
 */
export type NameMark = 'link' | 'label' | 'marked' | 'plain';

/** The longest text, in characters, that is looked at: the longest path of most systems is 260. */
const longestName = 400;

/**
 * The file that a text names when it is a name and no more: `src/a.ts`, `a.ts:12:80`, `a.ts#L3-L5`, `C:\p\a.ts`, `file:///p/a.ts`, with `%20` for a space,
 * in quotes or brackets or without.
 */
export function readFileName(text: string, mark: NameMark = 'marked'): FileName | undefined {
  if (text.length > longestName) return undefined;
  const [written, place] = splitPlace(unwrapName(text.trim()));
  const path = readPath(unwrapName(written));
  return path !== undefined && isName(path, mark) ? { path, ...place } : undefined;
}

/** Whether a path begins at the root of a file system. */
export function isAbsolutePath(path: string): boolean {
  return /^(?:[\\/]|[A-Za-z]:[\\/])/.test(path);
}

const pairs = ['<>', '``', '""', "''", '**', '“”', '‘’', '„“', '«»', '「」', '『』', '《》', '【】', '（）', '()'];

/** The text without the quotes, brackets and marks that stand around all of it. */
export function unwrapName(text: string): string {
  let inner = text;
  for (let depth = 0; depth < 4; depth++) {
    const pair = pairs.find(
      ([left = '', right = '']) => inner.length > 2 && inner.startsWith(left) && inner.endsWith(right),
    );
    const within = inner.slice(1, -1);
    if (pair === undefined || (pair === '()' && /[()]/.test(within))) return inner;
    inner = within.trim();
  }
  return inner;
}

/** First line, column, last line. */
const places: readonly RegExp[] = [
  /#L?(?<line>\d{1,7})(?:[C,](?<column>\d{1,7}))?(?:[-–]L?(?<last>\d{1,7})(?:C\d{1,7})?)?$/i,
  /:L?(?<line>\d{1,7})(?::(?<column>\d{1,7}))?(?:[-–]L?(?<last>\d{1,7})(?::\d{1,7})?)?:?$/,
  /(?<=\.\w{1,16}) ?\((?<line>\d{1,7})(?:, ?(?<column>\d{1,7})|[-–](?<last>\d{1,7}))?\)$/,
  /,? \(?lines? (?<line>\d{1,7})(?: ?[-–] ?(?<last>\d{1,7}))?\)?$/i,
];

/** The name, and the place that is written behind it. */
function splitPlace(text: string): [written: string, place: Omit<FileName, 'path'>] {
  for (const pattern of places) {
    const found = pattern.exec(text);
    const { line, column, last } = found?.groups ?? {};
    if (!found?.index || Number(line) === 0) continue;
    const rest = { ...(column && { column: Number(column) }), ...(last && { lastLine: Number(last) }) };
    return [text.slice(0, found.index), { line: Number(line), ...rest }];
  }
  // A heading within the file says no line.
  return [text.replace(/(?<=\.\w{1,16})#[\p{L}\p{N}_-]*$/u, ''), {}];
}

/** What no system lets stand in a name, or what would not be seen. */
const neverInNames = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>"|*?:;`]/u;

function readPath(written: string): string | undefined {
  const isAddress = /^file:\/\//i.test(written);
  if (!isAddress && /^[A-Za-z][A-Za-z\d+.-]+:/.test(written)) return undefined;
  const plain = decode(isAddress ? pathOfAddress(written) : written).replaceAll('\\', '/');
  const [, drive = '', rest = ''] = /^([A-Za-z]:(?=\/))?(.*)$/s.exec(plain) ?? [];
  if (neverInNames.test(rest) || rest.split('/').includes('..') || /(?:^|\/)\.?$/.test(rest)) return undefined;
  return drive + rest.replace(/^(?:\.\/+)+/, '').replaceAll(/\/(?:\.?\/)+/g, '/');
}

/** `file:///home/u/a.ts`, `file:///C:/p/a.ts`, `file://C:/p/a.ts`, `file://server/share/a.ts`. */
function pathOfAddress(address: string): string {
  const rest = address.slice('file://'.length).replace(/^localhost(?=\/)/i, '');
  const drive = /^\/*([A-Za-z])(?::|%3A)(?=[\\/])/i.exec(rest);
  if (drive !== null) return `${drive[1]}:${rest.slice(drive[0].length)}`;
  return rest.startsWith('/') ? rest : `//${rest}`;
}

function decode(text: string): string {
  if (!/%[\da-f]{2}/i.test(text)) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const nameLetters = /^[\p{L}\p{M}\p{N}\p{Extended_Pictographic}_@.()[\]+~$#&=!{}%,'^ -]+$/u;

function isName(path: string, mark: NameMark): boolean {
  const segments = path.replace(/^[A-Za-z]:(?=\/)/, '').split('/');
  const name = segments.at(-1) ?? '';
  const hasFolder = segments.length > 1;
  if (!segments.every((each) => each === '' || nameLetters.test(each)) || !hasSpacesOfNames(segments, mark))
    return false;
  if (hasFolder && /^[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev)$/i.test(segments[0] ?? '')) return false;
  if (isBareName(name)) return hasFolder || mark !== 'plain' || /file$|^README|^LICENSE|\./.test(name);
  if (name.startsWith('.'))
    return isDotName(name) || (mark !== 'plain' && hasFolder) || mark === 'label' || mark === 'link';
  if (mark === 'link') return true;
  const dot = name.lastIndexOf('.');
  if (dot <= 0) return hasFolder && mark === 'label';
  return isEnding(name.slice(0, dot), name.slice(dot + 1), hasFolder, mark);
}

/** A space may stand in a name, but a sentence with names in it is none. */
function hasSpacesOfNames(segments: readonly string[], mark: NameMark): boolean {
  if (segments.every((each) => !each.includes(' '))) return true;
  if (mark === 'plain' || segments.some((each) => /\.\w{1,16},? |^ | $| {2}|,/.test(each))) return false;
  return mark !== 'marked' || !segments[0]?.includes(' ');
}

/** What stands before a dot in code. */
const objects =
  /^(?:this|self|super|cls|console|process|window|document|module|exports|import|Math|JSON|Object|Array|Promise|String|Number|System|os|sys|np|pd|plt|df|std|fmt|it|e|i)$/;
/** Names of things that are spelled like files. */
const products =
  /^(?:(?:Node|Vue|Next|Nuxt|Express|Three|React|Angular|Ember|Backbone|Nest|Electron|Discord|D3)\.js|node\.js|Socket\.(?:IO|io)|(?:ASP|ADO|VB|ML|asp|vb)\.(?:NET|net)|[ap]\.m|e\.g|i\.e|z\.B|d\.h)$/;
const hosts = /^(?:com|org|net|io|dev|app|ai|edu|gov)$/i;

function isEnding(stem: string, ending: string, hasFolder: boolean, mark: NameMark): boolean {
  if (!/^[A-Za-z][\w+-]*$/.test(ending)) return false;
  const isKnown = isKnownEnding(ending);
  if (!isKnown && (ending.length > 8 || /^v?\d+(?:\.\d+)*$/i.test(stem))) return false;
  if (hasFolder || mark === 'label') return true;
  if (objects.test(stem) || products.test(`${stem}.${ending}`)) return false;
  if (isKnown) return mark !== 'plain' || !/^(?:Chart|Moment|Day|Alpine)$/.test(stem) || ending !== 'js';
  // `a.b.call` and `List.Add` are code, `example.com` an address.
  return mark === 'marked' && !stem.includes('.') && !/^[A-Z]/.test(ending) && !hosts.test(ending);
}
