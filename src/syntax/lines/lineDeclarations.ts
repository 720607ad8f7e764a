import type { Declaration } from '../declaration.ts';
import { columnsOf, isBlank, isRemark } from '../textLines.ts';
import { namesByLine } from './definedNames.ts';

/**
 * The declarations of a text without a grammar: where a line names one, by the forms of its language, and how far it goes, by brackets
 * and indentation.
 */
export function lineDeclarations(lines: readonly string[], path: string): Declaration[] {
  const names = namesOf(lines, path);
  const found: Declaration[] = [];
  const open: number[] = [];
  for (const [head, key] of names) {
    const end = endOf(lines, head, path);
    while (open.length > 0 && (found[open.at(-1) ?? 0]?.end ?? 0) <= head) open.pop();
    const body = bodyOf(lines, head, end);
    const signature = (lines[head] ?? '').trim().replace(/\s+/g, ' ');
    found.push({
      key,
      lead: leadOf(lines, head),
      head,
      end,
      signature,
      parent: open.at(-1) ?? -1,
      body,
      isContainer: isContainer(key, body),
    });
    open.push(found.length - 1);
  }
  return found;
}

type Form = 'keys' | 'markdown' | 'sql' | 'markup' | 'code';

function formOf(path: string): Form {
  const ending = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  if (/^(?:ya?ml|json[c5]?|toml)$/.test(ending)) return 'keys';
  if (/^(?:md|mdx|markdown)$/.test(ending)) return 'markdown';
  if (/^(?:html?|xml|svg|vue|svelte)$/.test(ending)) return 'markup';
  return ending === 'sql' ? 'sql' : 'code';
}

/** A longer line, in characters, declares nothing: it is data, or was packed by a program. */
const longestHead = 1_000;

function namesOf(lines: readonly string[], path: string): [line: number, key: string][] {
  const form = formOf(path);
  const byLine = (keyOf: (text: string) => string | undefined): [number, string][] =>
    lines.flatMap((line, at) => {
      const key = line.length > longestHead ? undefined : keyOf(line.trim());
      return key === undefined ? [] : [[at, key] as [number, string]];
    });
  if (form === 'keys') return byLine(keyOfData);
  if (form === 'markup') return byLine(keyOfElement);
  if (form === 'markdown')
    return byLine((text) =>
      /^#{1,6} /.test(text) ? `heading:${text.replace(/^#+\s*/, '').replace(/\s*#*$/, '')}` : undefined,
    );
  const starts = new Map<number, number>();
  let at = 0;
  for (const [line, { length }] of lines.entries()) {
    starts.set(at, line);
    at += length + 1;
  }
  const keys = new Map<number, string>();
  for (const { at: start, name } of namesByLine(lines.join('\n'), path)) {
    const line = starts.get(start);
    if (line !== undefined && !keys.has(line)) keys.set(line, `name:${form === 'sql' ? name.toLowerCase() : name}`);
  }
  return [...keys];
}

function keyOfData(text: string): string | undefined {
  if (text.startsWith('#') || text.startsWith('//')) return undefined;
  const quoted = /^(?:- )?"([^"]+)"\s*:/.exec(text)?.[1] ?? /^(?:- )?'([^']+)'\s*:/.exec(text)?.[1];
  if (quoted !== undefined) return `key:${quoted}`;
  if (/^\[.*\]$/.test(text)) return `section:${text}`;
  const [, item, name, value] = /^(- )?([\p{L}\p{N}_./$-]+)\s?[:=](?:\s(.*))?$/u.exec(text) ?? [];
  if (name === undefined) return undefined;
  return item === undefined ? `key:${name}` : `item:${name}:${(value ?? '').trim()}`;
}

function keyOfElement(text: string): string | undefined {
  const [, tag, rest = ''] = /^<([A-Za-z][\w-]*)([^>]*)/.exec(text) ?? [];
  if (tag === undefined) return undefined;
  const id = /\bid="([^"]+)"/.exec(rest)?.[1];
  if (id !== undefined) return `element:#${id}`;
  return /^(?:head|body|main|nav|header|footer|template|script|style|title)$/.test(tag) ? `element:${tag}` : undefined;
}

function isContainer(key: string, body: Declaration['body']): boolean {
  return body !== undefined && !/^heading:/.test(key);
}

function leadOf(lines: readonly string[], head: number): number {
  const depth = columnsOf(lines[head] ?? '');
  let lead = head;
  while (lead > 0) {
    const line = lines[lead - 1] ?? '';
    const isInner = /^\s*\*/.test(line);
    if (isBlank(line) || !isRemark(line) || (columnsOf(line) !== depth && !isInner)) break;
    lead -= 1;
  }
  return lead;
}

function bodyOf(lines: readonly string[], head: number, end: number): Declaration['body'] {
  const depth = columnsOf(lines[head] ?? '');
  let first = head + 1;
  while (first < end && (isBlank(lines[first] ?? '') || columnsOf(lines[first] ?? '') <= depth)) first += 1;
  let last = end;
  while (last > first && columnsOf(lines[last - 1] ?? '') <= depth) last -= 1;
  return last > first ? { first, end: last } : undefined;
}

function endOf(lines: readonly string[], head: number, path: string): number {
  const form = formOf(path);
  if (form === 'markdown') return trimmed(lines, head, nextOf(lines, head, levelOf(lines[head] ?? '')));
  if (form === 'keys' && /^\s*\[/.test(lines[head] ?? ''))
    return trimmed(lines, head, lineFrom(lines, head + 1, /^\s*\[/));
  if (form === 'sql') return endOfStatement(lines, head);
  return endByBraces(lines, head) ?? endByIndentation(lines, head);
}

const levelOf = (line: string): number => /^#{1,6}(?= )/.exec(line)?.[0].length ?? 7;

function nextOf(lines: readonly string[], head: number, level: number): number {
  let at = head + 1;
  while (at < lines.length && levelOf(lines[at] ?? '') > level) at += 1;
  return at;
}

function lineFrom(lines: readonly string[], from: number, form: RegExp): number {
  let at = from;
  while (at < lines.length && !form.test(lines[at] ?? '')) at += 1;
  return at;
}

function trimmed(lines: readonly string[], head: number, end: number): number {
  let last = end;
  while (last > head + 1 && isBlank(lines[last - 1] ?? '')) last -= 1;
  return last;
}

/** A statement of SQL ends with the first semicolon that is not within `$$ … $$`. */
function endOfStatement(lines: readonly string[], head: number): number {
  let quote: string | undefined;
  for (let at = head; at < lines.length; at++) {
    const line = lines[at] ?? '';
    for (const mark of line.match(/\$\w*\$/g) ?? []) {
      if (quote === undefined) quote = mark;
      else if (quote === mark) quote = undefined;
    }
    if (quote === undefined && /;\s*(?:--.*)?$/.test(line)) return at + 1;
  }
  return lines.length;
}

/** The longest declaration whose brackets are counted, in lines. */
const longestCounted = 5_000;
/** What stands as deep as a head and belongs to it. */
const closer = /^\s*(?:[}\])]|end\b|<\/|fi\b|done\b|esac\b)/;
const goesOn =
  /^\s*(?:[{})\]]|->|:|where\b|throws\b|extends\b|implements\b|else\b|elif\b|catch\b|rescue\b|ensure\b|finally\b)/;

function endByBraces(lines: readonly string[], head: number): number | undefined {
  const depth = columnsOf(lines[head] ?? '');
  let [open, hasOpened] = [0, false];
  for (let at = head; at < Math.min(lines.length, head + longestCounted); at++) {
    const line = lines[at] ?? '';
    if (at > head && !isBlank(line) && columnsOf(line) <= depth && open <= 0 && !goesOn.test(line)) return undefined;
    for (const sign of withoutTexts(line).match(/[{}()[\]]/g) ?? []) {
      open += '{(['.includes(sign) ? 1 : -1;
      hasOpened ||= sign === '{' || sign === '[';
    }
    if (open < 0) return undefined;
    if (open > 0 || (!hasOpened && !/[;,]\s*$/.test(line))) continue;
    return at === head || columnsOf(line) === depth ? at + 1 : undefined;
  }
  return undefined;
}

/** A line without texts in quotes and the comment at its end; a very long one as it is. */
function withoutTexts(line: string): string {
  return line.length > 2 * longestHead
    ? line
    : line.replace(/(["'`])(?:\\.|(?!\1)[^\\])*\1/g, '').replace(/(?:\/\/|--|#\s).*$/, '');
}

function endByIndentation(lines: readonly string[], head: number): number {
  const depth = columnsOf(lines[head] ?? '');
  let last = head;
  for (let at = head + 1; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (isBlank(line)) continue;
    if (columnsOf(line) > depth) {
      last = at;
      continue;
    }
    if (columnsOf(line) < depth || !(closer.test(line) || goesOn.test(line))) break;
    last = at;
    if (closer.test(line) && !/\b(?:else|do|then|rescue|ensure|elif)\b/.test(line)) break;
  }
  return last + 1;
}
