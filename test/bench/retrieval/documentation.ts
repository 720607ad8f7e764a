import type { Language } from './languages.ts';

/** A body and the documentation that stands above it, or below its first line. Lines count from 0, ends are excluded. */
export interface Documented {
  /** The first sentence of the documentation, without markup. */
  sentence: string;
  comment: { start: number; end: number };
  body: { start: number; end: number };
}

const leastBodyLines = 3;
const mostBodyLines = 300;
/** Lines of a head that may stand before the bracket that opens its body. */
const mostHeadLines = 8;

/** The bodies of a text that have documentation of a sentence at least. */
export function documentedBodies(lines: readonly string[], language: Language): Documented[] {
  return language.documentation === 'below' ? docstrings(lines) : commentsAbove(lines, language);
}

function commentsAbove(lines: readonly string[], language: Language): Documented[] {
  const found: Documented[] = [];
  for (let start = 0; start < lines.length; start++) {
    const end = commentEnd(lines, start, language);
    if (end === undefined) continue;
    const sentence = firstSentence(lines.slice(start, end));
    let from = end;
    while (language.attribute?.test(lines[from] ?? '')) from++;
    const body = sentence === undefined ? undefined : bodyAt(lines, from, language);
    if (sentence !== undefined && body !== undefined) {
      found.push({
        sentence: withoutSubject(sentence, lines[from] ?? ''),
        comment: { start, end },
        body: { start: end, end: body },
      });
    }
    start = end - 1;
  }
  return found;
}

/** The line after a comment that starts here and stands alone on its lines. */
function commentEnd(lines: readonly string[], start: number, language: Language): number | undefined {
  const { blockComment, lineComment } = language;
  const first = lines[start] ?? '';
  if (blockComment?.start.test(first)) {
    let end = start;
    const isEnd = (at: number): boolean => blockComment.end.test(lines[at] ?? '');
    while (end < lines.length && end - start < 100 && !isEnd(end)) end++;
    return isEnd(end) && !/(\*\/|-\})\s*\S/.test(lines[end] ?? '') ? end + 1 : undefined;
  }
  if (lineComment === undefined || !lineComment.test(first)) return undefined;
  let end = start + 1;
  while (end < lines.length && lineComment.test(lines[end] ?? '')) end++;
  return end;
}

/** Python's way: `def …:` or `class …:`, under it a string. */
function docstrings(lines: readonly string[]): Documented[] {
  const found: Documented[] = [];
  for (const [start, line] of lines.entries()) {
    if (!/^\s*(?:async\s+)?(?:def|class)\s/.test(line)) continue;
    let head = start;
    while (head < start + mostHeadLines && !/:\s*(#.*)?$/.test(lines[head] ?? '')) head++;
    const first = lines[head + 1] ?? '';
    const quote = /^\s*[rRuU]?("""|''')/.exec(first)?.[1];
    if (quote === undefined) continue;
    let end = head + 1;
    if (first.split(quote).length < 3)
      do end++;
      while (end < lines.length && !lines[end]?.includes(quote));
    const sentence = firstSentence(lines.slice(head + 1, end + 1));
    const bodyEnd = indentationEnd(lines, start, end + 1);
    // A body that is nothing but its documentation would have nothing left to be found by.
    if (sentence === undefined || bodyEnd - end - 1 < leastBodyLines - 1) continue;
    found.push({ sentence, comment: { start: head + 1, end: end + 1 }, body: { start, end: bodyEnd } });
  }
  return found;
}

/** The line after the body that starts here, if one does that is long enough to be worth a question. */
function bodyAt(lines: readonly string[], start: number, language: Language): number | undefined {
  const first = lines[start] ?? '';
  if (
    !/[\p{L}]/u.test(first) ||
    /^\s*(?:[*/#]|--|import\b|use\b|from\b|package\b|using\b|#include|return\b|if\b|for\b|while\b)/.test(first)
  )
    return undefined;
  const end =
    language.body === 'brackets'
      ? bracketEnd(lines, start)
      : language.body === 'end'
        ? keywordEnd(lines, start)
        : paragraphsEnd(lines, start);
  const isWorth = end !== undefined && end - start >= leastBodyLines && end - start <= mostBodyLines;
  return isWorth ? end : undefined;
}

const indentOf = (line: string): number => line.search(/\S/);

/** The first line that begins with a closing bracket and is no deeper than the one that opened. */
function bracketEnd(lines: readonly string[], start: number): number | undefined {
  const indent = indentOf(lines[start] ?? '');
  let open = start;
  for (; !/[{([]\s*(\/[/*].*)?$|=>\s*$/.test(lines[open] ?? ''); open++) {
    const line = lines[open] ?? '';
    if (open - start >= mostHeadLines || /;\s*$/.test(line) || line.trim() === '') return undefined;
  }
  for (let end = open + 1; end < lines.length; end++) {
    const line = lines[end] ?? '';
    const own = indentOf(line);
    if (own < 0 || own > indent || /^\s*(#|\w+:\s*$)/.test(line)) continue;
    if (/^\s*[})\]]/.test(line)) {
      if (!/[{([]\s*$/.test(line)) return end + 1;
    } else if (own < indent) return undefined;
  }
  return undefined;
}

function keywordEnd(lines: readonly string[], start: number): number | undefined {
  const first = lines[start] ?? '';
  if (!/^\s*(?:local\s+)?(?:def|class|module|function|[\w.]+\s*=\s*function)\b/.test(first)) return undefined;
  const indent = indentOf(first);
  for (let end = start + 1; end < lines.length; end++) {
    const own = indentOf(lines[end] ?? '');
    if (own < 0 || own > indent) continue;
    return own === indent && /^\s*end\b/.test(lines[end] ?? '') ? end + 1 : undefined;
  }
  return undefined;
}

/** Haskell's way: a signature and the equations under it, up to an empty line that no deeper line follows. */
function paragraphsEnd(lines: readonly string[], start: number): number | undefined {
  if (indentOf(lines[start] ?? '') !== 0) return undefined;
  for (let end = start + 1; end <= lines.length; end++) {
    if ((lines[end] ?? '').trim() !== '') continue;
    let next = end;
    while (next < lines.length && (lines[next] ?? '').trim() === '') next++;
    if (next >= lines.length || indentOf(lines[next] ?? '') === 0) return end;
    end = next;
  }
  return undefined;
}

/** The line after what is indented under a first line; the lines of its own head are passed over. */
function indentationEnd(lines: readonly string[], start: number, from: number): number {
  const indent = indentOf(lines[start] ?? '');
  let end = from;
  for (let at = from; at < lines.length; at++) {
    const own = indentOf(lines[at] ?? '');
    if (own < 0) continue;
    if (own <= indent) break;
    end = at + 1;
  }
  return end;
}

/** The first sentence of a comment, without its marks and markup; undefined where it is none, or says nothing. */
function firstSentence(comment: readonly string[]): string | undefined {
  const text = comment
    .map((line) =>
      line
        .replace(/^\s*(?:\/\*+!?|\*+(?!\/)|\/\/+[/!<]*|#+|--+|\{-|=(?:head\d|item)\b|[rRuU]?(?="""|'''))/, '')
        .replace(/\*+\/\s*$|-\}\s*$|"""|'''/g, '')
        .replace(/^\s*[|^]\s?/, '')
        .replace(/^\s*[*]\s/, '')
        .trim(),
    )
    .join('\n')
    .trim()
    .replace(/^<\/?summary>\s*/i, '')
    .replace(/^[@\\](?:brief|details|short)\s+/i, '')
    .split(
      /\n\s*\n|<\/summary>|\n\s*(?:@\w|\\\w|:\w+[ :]|- (?:parameter|returns)|={3}|-{3}|Args:|Returns:|Parameters\b)/i,
    )[0]
    ?.replace(/<see\s+cref="([^"]*)"\s*\/>/g, (_, name: string) => name.split('.').at(-1) ?? '')
    .replace(/\{@\w+\s+([^}|]*)[^}]*\}/g, '$1')
    .replace(/<[/\w][^>]*>|\[\[|\]\]|[`*]/g, '')
    .replace(/:\w+:(?=\S)/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  const sentence = text?.match(/^.*?[.!?](?=\s|$)|^.*$/)?.[0]?.trim() ?? '';
  const words = sentence.match(/[A-Za-z]{2,}/g)?.length ?? 0;
  const isCode = /[{};=]|\(\)|->|\|\|/.test(sentence) || /^[@\\=]/.test(sentence);
  const isNotice = /licen[cs]e|copyright|eslint|https?:|todo|fixme|deprecated|SPDX|autogenerated|inheritdoc/i.test(
    sentence,
  );
  return words >= 4 && words <= 40 && !isCode && !isNotice ? sentence : undefined;
}

/** Go's way begins with the name of what is documented, which would give the answer away. */
function withoutSubject(sentence: string, declaration: string): string {
  const first = /^[A-Za-z_]\w*/.exec(sentence)?.[0] ?? '';
  const isName = first.length > 2 && new RegExp(`\\b${first}\\b`).test(declaration);
  return isName ? sentence.slice(first.length).replace(/^(?:\(\))?[\s:,-]+/, '') : sentence;
}
