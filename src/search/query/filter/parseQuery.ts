import type { QueryFilters } from './queryFilter.ts';
import type { TextRule } from './textRule.ts';

/** A question taken apart. */
export interface ParsedQuery {
  /** What is searched for, by words and by meaning: without operators, and without the signs of quotes. */
  readonly text: string;
  readonly filters: QueryFilters;
  /** What the text of a hit has to hold; absent where nothing of it was typed. */
  readonly rules?: readonly TextRule[];
}

/** The most rules that are taken of a question; what comes after them is text. */
const mostRules = 20;

/** Longest phrase or expression, in UTF-16 units: a quote that is closed further away opens none. */
const longest = 1_500;

/** An opening quote and the one that closes it. */
const quotes: Readonly<Record<string, string>> = { '"': '"', '“': '”"', '„': '“”"', '«': '»', '»': '«', '”': '”' };
const operator = /^(lang|language|path|file|changed|symbol):/;

/**
 * Takes the operators out of a question. `lang:ts`, `path:src/` (a folder of that name), `path:gate` (a part of a file's or folder's
 * name), `path:*.md` (a glob), `changed:main`, `symbol:open` (a declaration), `"a phrase"`, `/a regular expression/`; with `-` or `NOT `
 * in front all but `changed:` leave out what they name, and so do `-word` and `NOT word`. Quoted operators are text. What might be meant
 * as text stays text: a quote alone, a path like `/usr/lib/`, `NOT NULL`, an option like `--force`.
 */
export function parseQuery(question: string): ParsedQuery {
  const globs: string[] = [];
  const languages: string[] = [];
  const notLanguages: string[] = [];
  const rules: TextRule[] = [];
  const words: string[] = [];
  let changedSince: string | undefined;
  let at = 0;

  const add = (rule: TextRule): void => {
    if (rules.length < mostRules) rules.push(rule);
    // What must be there is searched for as well; what must not, is not.
    if (!rule.isNegative && (rule.kind === 'phrase' || rule.kind === 'symbol')) words.push(rule.source);
  };

  /** Reads an operator, a phrase or a pattern; the place behind it, or undefined where there is none. */
  function read(from: number, isNegative: boolean): number | undefined {
    const name = operator.exec(question.slice(from, from + 12))?.[1];
    if (name === undefined) return readText(from, isNegative);
    const value = valueAt(question, from + name.length + 1);
    if (value === undefined || (isNegative && name === 'changed')) return undefined;
    if (name === 'path' || name === 'file')
      globs.push(...globsOf(value.text).map((glob) => (isNegative ? `!${glob}` : glob)));
    else if (name === 'changed') changedSince = value.text;
    else if (name === 'symbol') add({ ...symbolOf(value.text), isNegative });
    else (isNegative ? notLanguages : languages).push(...value.text.split(','));
    return value.end;
  }

  function readText(from: number, isNegative: boolean): number | undefined {
    const phrase = phraseAt(question, from);
    if (phrase !== undefined) {
      if (phrase.text !== '') add({ kind: 'phrase', source: phrase.text, isNegative });
      return phrase.end;
    }
    const pattern = patternAt(question, from);
    if (pattern === undefined) return undefined;
    add({ kind: 'pattern', source: pattern.source, flags: pattern.flags, isNegative });
    return pattern.end;
  }

  /** Reads what is left out, where `-` or `NOT` says so. */
  function readNegative(from: number): number | undefined {
    const [sign] = /^(?:-|NOT\s+)/.exec(question.slice(from, from + 20)) ?? [];
    if (sign === undefined) return undefined;
    const end = read(from + sign.length, true);
    if (end !== undefined) return end;
    const [word] = /^\S{1,200}/.exec(question.slice(from + sign.length)) ?? [];
    if (word === undefined || !(sign === '-' ? isNegatedByDash(word) : isNegatedByNot(word))) return undefined;
    const kind = /^[\p{L}\p{N}_$]+$/u.test(word) ? 'word' : 'phrase';
    add({ kind, source: word, isNegative: true });
    return from + sign.length + word.length;
  }

  while (at < question.length) {
    const blank = /^\s+/.exec(question.slice(at, at + 200))?.[0].length ?? 0;
    at += blank;
    if (at >= question.length) break;
    if (blank === 200) continue;
    const end = readNegative(at) ?? read(at, false);
    if (end !== undefined) {
      at = end;
      continue;
    }
    const [word = question[at] as string] = /^\S+/.exec(question.slice(at)) ?? [];
    words.push(word);
    at += word.length;
  }
  const filters = {
    globs,
    ...(languages.length > 0 ? { languages } : {}),
    ...(notLanguages.length > 0 ? { notLanguages } : {}),
    ...(changedSince === undefined ? {} : { changedSince }),
  };
  return { text: words.join(' ').replace(/\s+/g, ' ').trim(), filters, ...(rules.length > 0 ? { rules } : {}) };
}

/** `-word` leaves a word out; `-f`, `-rf` and `-std=c99` are options of a command. */
const isNegatedByDash = (word: string): boolean => /^\p{L}[\p{L}\p{N}_$]{2,}$/u.test(word);

/** `NOT word` does; `NOT NULL` and `NOT EXISTS` are SQL, and `must NOT be` is a sentence. */
function isNegatedByNot(word: string): boolean {
  if (!/[\p{L}\p{N}]/u.test(word) || /^\p{Lu}{2,}\W*$/u.test(word)) return false;
  return !/^(?:a|an|the|be|been|is|to|in|on|of|for|have|has|found|allowed|supported|and|or|NOT)$/i.test(word);
}

/** The value of an operator, up to a blank, or in quotes. */
function valueAt(question: string, from: number): { text: string; end: number } | undefined {
  const quoted = phraseAt(question, from);
  if (quoted !== undefined) return quoted.text === '' ? undefined : quoted;
  const pattern = patternAt(question, from);
  if (pattern !== undefined) return { text: question.slice(from, pattern.end), end: pattern.end };
  const [text] = /^\S+/.exec(question.slice(from)) ?? [];
  return text === undefined ? undefined : { text, end: from + text.length };
}

/** A phrase in quotes: it begins a word and ends one; undefined for a quote that none closes. */
function phraseAt(question: string, from: number): { text: string; end: number } | undefined {
  const closing = quotes[question[from] ?? ''];
  if (closing === undefined) return undefined;
  const last = Math.min(question.length, from + longest);
  for (let end = from + 1; end < last; end++) {
    if (question[end] === '\\' && question[end + 1] === question[from]) end++;
    else if (closing.includes(question[end] as string) && /^(?:$|[\s.,;:!?)\]])/.test(question.slice(end + 1, end + 2)))
      return {
        text: question
          .slice(from + 1, end)
          .replaceAll(`\\${question[from]}`, question[from] as string)
          .trim(),
        end: end + 1,
      };
  }
  return undefined;
}

/** What only a regular expression has; a path has none of it. */
const signs = /[\\[\](){}*+?|^$]/;

/** A regular expression between slashes, on one line, with something in it that no path has. */
function patternAt(question: string, from: number): { source: string; flags: string; end: number } | undefined {
  if (question[from] !== '/' || question[from + 1] === '*' || question[from + 1] === '/') return undefined;
  let isInClass = false;
  const last = Math.min(question.length, from + longest);
  for (let end = from + 1; end < last && question[end] !== '\n'; end++) {
    const sign = question[end];
    if (sign === '\\') end++;
    else if (sign === '[') isInClass = true;
    else if (sign === ']') isInClass = false;
    else if (sign === '/' && !isInClass) {
      const [flags] = /^[imsu]{0,4}(?=\s|$)/.exec(question.slice(end + 1, end + 6)) ?? [];
      const source = question.slice(from + 1, end);
      return flags === undefined || !signs.test(source) ? undefined : { source, flags, end: end + 1 + flags.length };
    }
  }
  return undefined;
}

function symbolOf(value: string): Pick<TextRule, 'kind' | 'source' | 'flags'> {
  const pattern = patternAt(value, 0);
  if (pattern === undefined || pattern.end < value.length)
    return { kind: 'symbol', source: value.replace(/\(\)$/, '') };
  return { kind: 'symbol-pattern', source: pattern.source, flags: pattern.flags };
}

function globsOf(value: string): string[] {
  if (/[*?[{]/.test(value)) return [value];
  const path = value.replace(/^\.?\/+/, '');
  return path.endsWith('/') ? [`**/${path}**`] : [`**/*${path}*`, `**/*${path}*/**`];
}

/** The words that a question without any other has in its regular expressions: by them its hits are put in order, and marked. */
export function lettersOfRules(rules: readonly TextRule[]): string {
  const sources = rules.flatMap(({ source, isNegative }) =>
    isNegative ? [] : [source.replace(/\\(?:[pP]\{[^}]*\}|.)/g, ' ')],
  );
  return (sources.join(' ').match(/[\p{L}_$][\p{L}\p{N}_$]{2,}/gu) ?? []).join(' ');
}
