import { type FileName, type NameMark, readFileName, unwrapName } from './fileName.ts';

/**
 * A file that a text names. `unclear`: the text says that it names one, and what it says is no name that we can read, so that nobody may
 * take another file for it.
 */
export type NamedInText = ({ readonly kind: 'path' } & FileName) | { readonly kind: 'unclear'; readonly text: string };

/** The longest line, in characters, in which a name is looked for. */
const longestLine = 1_000;

const path = (name: FileName | undefined): NamedInText | undefined => name && { kind: 'path', ...name };
const unclear = (text: string): NamedInText => ({ kind: 'unclear', text });

/** What says in an answer that a name follows; models answer in the language of the question. */
const fileLabel = [
  'file ?(?:name|path)?|dateiname|dateipfad|datei|(?:nom du )?fichier|(?:nombre del? )?archivo|fichero|arquivo|ficheiro|nome del file',
  '(?:имя )?файла?|путь|文件名?|文件路径|檔案(?:名稱|路徑)?|路径|ファイル(?:名|パス)?|파일(?:명| ?이름| ?경로)?',
].join('|');
const labelled = new RegExp(
  `^(?:(?:new|updated?|modified|neue|nouveau|nuevo|novo|新)\\s?)?(${fileLabel}|path)\\s?[:：]\\s*(.*)$`,
  'iu',
);
const labelBefore = new RegExp(`(?:^|[^\\p{L}])(?:${fileLabel})\\s?$`, 'iu');

const states =
  'new(?: file)?|created?|added|updated?|modified|changed|edited|unchanged|excerpt|partial|continued|relevant part|full(?: file)?|neu|geändert|aktualisiert|新建|新增|修改|更新|新規|変更';
const stateBehind = new RegExp(`\\s*(?:[([（](?:${states})[)\\]）]|[-–—] (?:${states}))$`, 'iu');

/** ```` ```ts src/a.ts ````, ```` ```ts:src/a.ts ````, `title="src/a.ts"`, `{file=src/a.ts}`, `12:20:src/a.ts` (first and last line). */
export function fileInInfo(info: string): NamedInText | undefined {
  if (info.length > longestLine) return undefined;
  const whole = info.trim();
  const [, language = '', rest = ''] = /^(\S+)\s+(.+)$/.exec(whole) ?? [];
  // A word without a dot or a slash is the language: `Makefile`, `dockerfile`.
  const written = /[./\\]/.test(whole) ? readInfoWord(whole) : undefined;
  if (written !== undefined) return written;
  const attribute = inAttribute(whole);
  if (attribute !== undefined) return attribute;
  const behind = language === '' ? undefined : readFileName(rest);
  if (behind !== undefined) return path(behind);
  const words = whole.split(/\s+/);
  for (const [at, word] of words.entries()) {
    const name = at > 0 || /[./\\]/.test(word) ? readInfoWord(word) : undefined;
    if (name !== undefined) return name;
  }
  return undefined;
}

function readInfoWord(word: string): NamedInText | undefined {
  const [, first, last, ranged] = /^(?:[\w+#-]{1,30}:)?(\d{1,7}):(\d{1,7}):(.+)$/.exec(word) ?? [];
  if (ranged !== undefined) {
    const name = readFileName(ranged);
    return name === undefined ? unclear(word) : path({ ...name, line: Number(first), lastLine: Number(last) });
  }
  const name = readFileName(word);
  if (name !== undefined || /^file:\/\//i.test(word)) return path(name);
  const [, value] = /^[\w+#-]{1,30}:(.+)$/.exec(word) ?? [];
  if (value === undefined || /^\/\/|\s/.test(value)) return undefined;
  return path(readFileName(value)) ?? (/[\\/]/.test(value) ? unclear(value) : undefined);
}

const attribute =
  /(?:^|[\s{,;])(title|file(?:_?name|_?path)?|path|name)\s?[=:]\s?(?:"([^"]*)"|'([^']*)'|([^\s"'},]+))/gi;

function inAttribute(info: string): NamedInText | undefined {
  for (const [, key = '', ...values] of info.matchAll(attribute)) {
    const value = values.find((each) => each !== undefined)?.trim() ?? '';
    const says = /^(?:file|path)/i.test(key);
    const name = readFileName(value, says ? 'label' : 'marked');
    if (name !== undefined) return path(name);
    if (says && value !== '') return unclear(value);
  }
  return undefined;
}

const commentStart = /^\s*(?:\{?\/\*+!?|\/\/+!?|#+\s|--(?!-\s)-*|;+|%+\s|<!--+|\(\*|\{-|"""|'''|REM\s|'(?=\s))/i;
const commentEnd = /(?:\*+\/\}?|--+>|\*\)|-\}|"""|''')$/;

/** A comment that is nothing but a name, as the first line of code: `// src/a.ts`, `# file: src/a.ts (updated)`, `<!-- index.html -->`. */
export function fileInComment(line: string | undefined): NamedInText | undefined {
  const start = line === undefined || line.length > longestLine ? null : commentStart.exec(line);
  if (line === undefined || start === null) return undefined;
  const inner = line.slice(start[0].length).trim().replace(commentEnd, '').trim();
  const bare = inner.replace(/^(?:={2,}|-{2,}|\*{2,}|#{2,})\s|\s(?:={2,}|-{2,}|\*{2,}|#{2,})$/g, '').trim();
  const [, label = '', value = ''] =
    /^@?(file(?:[ _-]?(?:name|path))?|path|文件|文件路径|ファイル)(?:\s?[:：=]\s*|(?<=@\w{1,8})\s+)(.+)$/iu.exec(
      bare,
    ) ?? [];
  if (label !== '') return inLabelledComment(label, value);
  const name = readFileName(bare.replace(stateBehind, ''));
  if (name !== undefined) return /[./\\]|file$/.test(name.path) ? path(name) : undefined;
  // `// src/a.ts - what it is for`
  const [, first = ''] = /^(\S+)\s[-–—]\s\S/.exec(bare) ?? [];
  return /[\\/]/.test(first) ? path(readFileName(first)) : undefined;
}

function inLabelledComment(label: string, value: string): NamedInText | undefined {
  const name =
    readFileName(value.replace(stateBehind, ''), 'label') ?? readFileName(value.split(/[\s,]+/, 1)[0] ?? '', 'label');
  if (name !== undefined) return path(name);
  const isOneWord = !/\s/.test(value);
  if (/^file.?(?:name|path)$/i.test(label) || (isOneWord && /[./\\]/.test(value))) return unclear(value);
  return undefined;
}

/**
 * The file that the last lines of prose before a fence name for it: as a name of its own, before a colon, or in the heading above the
 * last line. What a sentence mentions may be any other file.
 */
export function fileNamedAbove(lines: readonly string[]): NamedInText | undefined {
  const written = lines.map((line) => line.trim()).filter((line) => line !== '');
  const last = written.at(-1);
  if (last === undefined || last.length > longestLine) return undefined;
  const above = written.at(-2) ?? '';
  const isUnder = above.length <= longestLine && heading.test(above) && !heading.test(last);
  return asName(last) ?? beforeColon(last) ?? (isUnder ? asName(above) : undefined);
}

/**
 * The last lines of prose before a fence: `### src/a.ts`, `**src/a.ts**`, `File: src/a.ts`, “In `src/a.ts`, change …”. A heading that is a
 * name counts for a sentence below it, too.
 */
export function fileInProse(lines: readonly string[]): NamedInText | undefined {
  const last = lines.findLast((line) => line.trim() !== '')?.trim() ?? '';
  return fileNamedAbove(lines) ?? (last.length > longestLine ? undefined : onlyMention(last));
}

const heading = /^#{1,6}\s|^\*\*[^*]+\*\*[:：]?$|^`[^`]+`[:：]?$|^<summary>/;

const htmlTag = /<\/?(?:summary|details|b|strong|em|i|u|code|kbd|h[1-6]|p|span|div|li)(?:\s[^<>]{0,200})?>/gi;
const fileTag = /<file\s[^<>]{0,200}?(?:path|name)\s?=\s?["']([^"'<>]+)["']/i;

/** A line that is a name and no more, but for marks of Markdown and a label. */
function asName(line: string): NamedInText | undefined {
  const tagged = fileTag.exec(line)?.[1];
  if (tagged !== undefined) return path(readFileName(tagged, 'label')) ?? unclear(tagged);
  const bare = withoutMarks(line.replaceAll(htmlTag, ''));
  const [, label = '', value = ''] = labelled.exec(bare.replaceAll('**', '')) ?? [];
  if (label !== '' && value.trim() !== '') return inLabel(label, value.trim());
  const target = /^\[[^\]]*\]\((\S+)\)$/.exec(bare)?.[1];
  return path(target === undefined ? readFileName(withoutWordsBefore(bare)) : readFileName(target, 'label'));
}

function inLabel(label: string, value: string): NamedInText | undefined {
  const isPath = /^path$/i.test(label);
  const bare = withoutMarks(value);
  const target = /^\[[^\]]*\]\((\S+)\)$/.exec(bare)?.[1];
  const name = readFileName(target ?? bare, isPath ? 'marked' : 'label');
  if (name !== undefined) return path(name);
  return onlyMention(value) ?? (isPath || value.split(/\s+/).length > mostUnread ? undefined : unclear(value));
}

/** The most words behind a label that are taken for a name: more are a sentence. */
const mostUnread = 6;

/** A line without the marks of a heading or of an item at its start, stars around it, and a colon or a note behind it. */
function withoutMarks(line: string): string {
  const item = line.replace(/^(?:#{1,6}|[-*+>]|\d{1,3}[.)])\s+/, '').replace(/^(?:#{1,6}|\d{1,3}[.)])\s+/, '');
  const end = (text: string): string => text.replace(/[\s:：]+$/, '').replace(stateBehind, '');
  return unwrapName(end(unwrapName(end(item)).replace(/^__(.+)__$/, '$1')));
}

/** What stands in quotes, in bold letters, or where a link leads. */
const quoted =
  /`([^`]+)`|"([^"]+)"|“([^”]+)”|„([^“”]+)[“”]|「([^」]+)」|『([^』]+)』|«([^»]+)»|《([^》]+)》|\*\*([^*`]+)\*\*|\[[^\][]*\]\(((?:[^()\s]|\([^()\s]*\))+)\)/g;

interface Quote {
  readonly text: string;
  readonly mark: NameMark;
  readonly start: number;
  readonly end: number;
}

function quotesIn(line: string): Quote[] {
  return [...line.matchAll(quoted)].map(({ index, 0: { length }, ...groups }) => {
    const target = groups[10];
    const text = target ?? Object.values(groups).find((each, at) => at < 9 && typeof each === 'string') ?? '';
    return { text: String(text), mark: target === undefined ? 'plain' : 'label', start: index, end: index + length };
  });
}

/** “Change this in `src/a.ts`:” */
function beforeColon(line: string): NamedInText | undefined {
  const last = quotesIn(line).at(-1);
  if (last === undefined || !/^[*_]*(?:\s?[(（][^()]{0,40}[)）])?\s?[:：][*_]*$/.test(line.slice(last.end)))
    return undefined;
  return readQuote(last, line);
}

function readQuote({ text, mark, start }: Quote, line: string): NamedInText | undefined {
  const isFile = labelBefore.test(line.slice(0, start).replace(/[*_]+$/, ''));
  const name = readFileName(text, isFile ? 'label' : mark);
  return path(name) ?? (isFile && !/\s/.test(text) ? unclear(text) : undefined);
}

/** The one file that a sentence names, in quotes or else as one of its words. */
function onlyMention(line: string): NamedInText | undefined {
  const inQuotes = quotesIn(line).flatMap((quote) => readQuote(quote, line) ?? []);
  if (inQuotes.length > 0) return sole(inQuotes);
  const outside = line.replaceAll(htmlTag, ' ').replaceAll(quoted, ' ');
  return sole(wordsIn(outside).flatMap(({ text }) => readWord(text) ?? []));
}

/** Several names say nothing of which is meant. */
function sole(all: readonly NamedInText[]): NamedInText | undefined {
  const texts = new Set(all.map((each) => (each.kind === 'path' ? each.path : each.text)));
  return texts.size === 1 ? all[0] : undefined;
}

/** A word of a text, without the punctuation around it. */
export interface TextWord {
  readonly text: string;
  readonly start: number;
}

/** Signs that stand in no name; a comma stands in `a.ts(3,5)`. */
const word = /(?:[^\s,;`"“”„«»「」『』《》【】（）：；，。、！？…<>|*]|,(?=\d{1,7}\)))+/gu;

/** The words of a text that may be names of files. */
export function wordsIn(text: string): TextWord[] {
  return [...text.matchAll(word)].map(({ 0: written, index }) => {
    const end = written.replace(/[.:!?'_]+$/, '');
    const isOpen = /^[([{]/.test(end) && !closes(end);
    const inner = isOpen ? end.slice(1) : end;
    const bare = /[)\]}]$/.test(inner) && !opens(inner) ? inner.slice(0, -1).replace(/[.:!?']+$/, '') : inner;
    const wrapped = /^\(([^()]+)\)$/.exec(bare)?.[1];
    return { text: wrapped ?? bare, start: index + (isOpen ? 1 : 0) + (wrapped === undefined ? 0 : 1) };
  });
}

const count = (text: string, signs: RegExp): number => text.match(signs)?.length ?? 0;
const closes = (text: string): boolean => count(text, /[([{]/g) <= count(text, /[)\]}]/g);
const opens = (text: string): boolean => count(text, /[([{]/g) >= count(text, /[)\]}]/g);

/** Letters of languages that have no blanks between words, or put endings on them. */
const joinedScripts = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]`;
const glued = new RegExp(String.raw`^([^\p{Cc}]*?\.[A-Za-z]\w{0,15}?(?:[:#][\dLC:-]+)?)(?=${joinedScripts})`, 'u');
/** Words of a sentence that a name follows without a blank; 更新日志.md is a name itself. */
const wordsBefore =
  /^(?:请|請|修改|更新|编辑|編輯|创建|創建|新建|新增|打开|替换|文件|檔案|在|将|把|对|對|次に|まず|ファイル|파일)+[:：]?(?=[\w.@/])/u;
const mixedStart = new RegExp(String.raw`^${joinedScripts}+(?=[\w.@-]+[\\/])`, 'u');
const withoutWordsBefore = (text: string): string => text.replace(wordsBefore, '').replace(mixedStart, '');

/** A word that is a name, or has one in it: `src/a.tsを`. */
function readWord(text: string): NamedInText | undefined {
  const cut = glued.exec(text)?.[1];
  const written = readFileName(text, 'plain') === undefined && cut !== undefined ? cut : text;
  const bare = withoutWordsBefore(written);
  const name = readFileName(bare, 'plain');
  if (name === undefined || cut === undefined || written === text) return path(name);
  // Where the word before the name ends is not to be seen: 次に工具.tsを
  return new RegExp(`^${joinedScripts}`, 'u').test(name.path) && bare === written ? unclear(text) : path(name);
}
