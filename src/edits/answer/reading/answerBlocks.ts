import { withoutThoughts } from '../../../service/chat/completion.ts';
import { splitFences } from '../../../webview/shared/markdownFences.ts';
import { pathInComment, pathInInfo, pathInProse } from './namedPath.ts';
import { findSearchReplace, type SearchReplaceBlock } from './searchReplace.ts';
import { type FileDiff, isBareDiff, isUnifiedDiff, readUnifiedDiff } from './unifiedDiff.ts';

/** Code that is meant to stand in a file, all of it or a part. */
export interface CodeBlock {
  readonly kind: 'code';
  readonly path: string | undefined;
  /** What the fence says of the language; empty where it says nothing. */
  readonly language: string;
  readonly lines: readonly string[];
  /** False for a block that never ends. */
  readonly isClosed: boolean;
  /** Whether the first line is a comment that names a file, and is left out of `lines`: it may be the file's own. */
  readonly pathLine: string | undefined;
  /** The last line of text above the block. */
  readonly above: string;
}

export type AnswerBlock = CodeBlock | SearchReplaceBlock | FileDiff;

/** What a model's answer consists of, as far as it is about files. */
export interface ReadAnswer {
  readonly blocks: readonly AnswerBlock[];
  /** What stands around the blocks. */
  readonly prose: readonly string[];
  /** Whether a block for search and replace never ends, or holds no divider. */
  readonly isBroken: boolean;
}

/** Reads an answer in Markdown, thoughts left out. @param lines without their endings */
export function readAnswer(lines: readonly string[]): ReadAnswer {
  const answer = withoutThoughts(lines.join('\n')).split('\n');
  const found = findSearchReplace(answer);
  if (found.length > 0) return readSearchReplace(answer, found);
  const blocks: AnswerBlock[] = [];
  const prose: string[] = [];
  /** What stands between a block and the one before it: a heading above that one is none of this. */
  let between: readonly string[] = [];
  for (const { kind, lines: inner, info, isClosed } of splitFences(answer)) {
    if (kind === 'prose' && inner.some((line) => line.trim() !== '')) between = inner;
    if (kind === 'fence') blocks.push(...readFence(inner, info, isClosed, prose, between));
    else if (isUnifiedDiff(inner)) blocks.push(...readBareDiff(inner, prose));
    else prose.push(...inner);
  }
  return { blocks, prose, isBroken: false };
}

/** Reads what is code as a whole, such as one block of an answer. */
export function readCode(lines: readonly string[]): ReadAnswer {
  const found = findSearchReplace(lines);
  if (found.length > 0) return readSearchReplace(lines, found);
  if (isUnifiedDiff(lines) || isBareDiff(lines)) return { blocks: readUnifiedDiff(lines), prose: [], isBroken: false };
  return { blocks: [codeBlock(lines, '', undefined, true, '')], prose: [], isBroken: false };
}

function readFence(
  lines: readonly string[],
  info: string,
  isClosed: boolean,
  prose: readonly string[],
  between: readonly string[],
): AnswerBlock[] {
  const [language = ''] = info.split(/[\s:{]/);
  const path = pathInInfo(info) ?? pathInProse(between);
  if (/^(?:diff|patch)$/i.test(language) || isUnifiedDiff(lines) || isBareDiff(lines)) {
    const diffs = readUnifiedDiff(lines);
    return diffs.map((diff) => ({ ...diff, path: diff.path ?? path }));
  }
  const above = prose.findLast((line) => line.trim() !== '') ?? '';
  const calls = language.toLowerCase() === 'json' ? callsInText(lines) : [];
  if (calls.length > 0) return calls;
  const twice = openedTwice(lines);
  if (twice !== undefined) return readFence(twice.lines, twice.info, isClosed, prose, [twice.path]);
  return [codeBlock(lines, /[./\\]/.test(language) ? '' : language.toLowerCase(), path, isClosed, above)];
}

/** Calls of a tool for edits that a model writes as text: their arguments say all that a block says. */
function callsInText(lines: readonly string[]): SearchReplaceBlock[] {
  const text = lines.join('\n');
  if (!/"(?:old_text|oldText|old_string)"/.test(text)) return [];
  try {
    const read: unknown = JSON.parse(text);
    const blocks = (Array.isArray(read) ? read : [read]).map(callBlock);
    return blocks.every((block) => block !== undefined) ? blocks : [];
  } catch {
    return [];
  }
}

function callBlock(call: unknown): SearchReplaceBlock | undefined {
  if (typeof call !== 'object' || call === null) return undefined;
  const inner =
    (call as { arguments?: unknown; parameters?: unknown }).arguments ?? (call as { parameters?: unknown }).parameters;
  const members = (typeof inner === 'object' && inner !== null ? inner : call) as Readonly<Record<string, unknown>>;
  const textOf = (...names: readonly string[]): string | undefined =>
    names.map((name) => members[name]).find((value): value is string => typeof value === 'string');
  const [path, search, replace] = [
    textOf('path', 'file_path', 'file'),
    textOf('old_text', 'oldText', 'old_string'),
    textOf('new_text', 'newText', 'new_string'),
  ];
  if (path === undefined || search === undefined || replace === undefined) return undefined;
  return {
    kind: 'replace',
    path,
    readings: [{ search: search.split('\n'), replace: replace === '' ? [] : replace.split('\n') }],
  };
}

/** A fence that opens again behind the name of a file: its code, without the end of the inner one. */
function openedTwice(lines: readonly string[]) {
  const [name = '', opening = ''] = lines;
  const path = pathInProse([name]);
  const info = /^\s*`{3,}\s*([\w+#-]+)\s*$/.exec(opening)?.[1];
  if (path === undefined || info === undefined) return undefined;
  const end = lines.findLastIndex((line) => /^\s*`{3,}\s*$/.test(line));
  return { path: name, info, lines: lines.slice(2, end < 2 ? lines.length : end) };
}

function codeBlock(
  lines: readonly string[],
  language: string,
  path: string | undefined,
  isClosed: boolean,
  above: string,
): CodeBlock {
  const first = lines.findIndex((line) => line.trim() !== '');
  const named = pathInComment(lines[first]);
  if (named === undefined) return { kind: 'code', path, language, lines, isClosed, pathLine: undefined, above };
  const rest = lines.slice(first + 1);
  return { kind: 'code', path: path ?? named, language, lines: rest, isClosed, pathLine: lines[first], above };
}

/** A diff that stands in the answer without a fence: what is before its first line is prose. */
function readBareDiff(lines: readonly string[], prose: string[]): FileDiff[] {
  const first = lines.findIndex((_, at) => isUnifiedDiff(lines.slice(at, at + 2)));
  prose.push(...lines.slice(0, first));
  return readUnifiedDiff(lines.slice(first));
}

const fence = /^[ \t]*(?:`{3,}|~{3,})/;

/** The mark that stands for a search/replace block while the rest of an answer is read. */
const mark = '\0block ';

function readSearchReplace(lines: readonly string[], found: ReturnType<typeof findSearchReplace>): ReadAnswer {
  const blocks: AnswerBlock[] = [];
  const prose: string[] = [];
  let [at, path]: [number, string | undefined] = [0, undefined];
  const masked: string[] = [];
  const paths = found.map(({ first, next, path: own }) => {
    const before = lines.slice(at, first);
    path = own ?? pathAbove(before) ?? path;
    masked.push(...before, `${mark}${masked.length}`);
    at = next;
    return path;
  });
  masked.push(...lines.slice(at));
  let count = 0;
  for (const { kind, lines: inner, info, isClosed } of splitFences(masked)) {
    if (kind === 'fence' && isClosed && !inner.some((line) => line.startsWith(mark))) {
      const others = readFence(inner, info, isClosed, prose, prose.slice(-3));
      // An example of use is no change; a diff is, and so is code that names its file.
      blocks.push(...others.filter((block) => block.kind === 'diff' || block.path !== undefined));
      continue;
    }
    for (const line of inner) {
      const block = line.startsWith(mark) ? found[count]?.block : undefined;
      if (block !== undefined) blocks.push({ ...block, path: paths[count] });
      if (line.startsWith(mark)) count += 1;
      else if (!fence.test(line)) prose.push(line);
    }
  }
  return { blocks, prose, isBroken: found.some(({ block }) => block === undefined) };
}

/** The path above a block: in the line above it, behind the fence it stands in, or above that. */
function pathAbove(lines: readonly string[]): string | undefined {
  const near = lines.filter((line) => line.trim() !== '').slice(-3);
  for (const line of near.toReversed()) {
    if (fence.test(line)) {
      const named = pathInInfo(line.replace(fence, '').trim());
      if (named !== undefined) return named;
      continue;
    }
    return pathInComment(line) ?? pathInProse([line]);
  }
  return undefined;
}
