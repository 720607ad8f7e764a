/**
 * The rules of version 0.4 by which hits by words were ranked, for comparison. A copy, complete in itself: it gives the
 * same order when `src/search` has changed. Only the borders of chunks are those of today's chunker.
 */
import { stemmer } from 'stemmer';

const stopWords = new Set(
  'a an and are as at be by can do does for from has have how i if in into is it its me my of on or our show that the them then there this to was we were what when where which who why will with you your code find function'.split(
    ' ',
  ),
);

/** The words of an identifier: `parseHTTPHeader_v2` → `parse HTTP Header v2`. */
export function splitIdentifier(identifier: string): string[] {
  return identifier
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[\s_$]+/)
    .filter((word) => word !== '');
}

/** The text for a word index: every identifier as it is, followed by its words. */
export function indexedWords(text: string): string {
  return text.replace(/[\p{L}\p{N}_$]+/gu, (identifier) => {
    const words = splitIdentifier(identifier);
    return words.length > 1 ? `${identifier} ${words.join(' ')}` : identifier;
  });
}

/** The words of a question, in lower case, each once; stop words only where there are no others. */
export function queryWords(query: string): string[] {
  const identifiers = query.match(/[\p{L}\p{N}_$]+/gu) ?? [];
  const words = identifiers.flatMap((identifier) => {
    const parts = splitIdentifier(identifier);
    return parts.length > 1 ? [identifier, ...parts] : parts;
  });
  const all = [...new Set(words.map((word) => word.toLowerCase()))];
  const telling = all.filter((word) => !stopWords.has(word));
  return telling.length > 0 ? telling : all;
}

const name = '([\\p{L}_$][\\p{L}\\p{N}_$]*)';
const byKeyword = new RegExp(
  `\\b(?:function\\*?|class|interface|enum|struct|trait|impl|type|def|fn|func|fun|module|namespace|package|object|record|protocol|extension|macro_rules!|sub|proc|(?:TABLE|VIEW|FUNCTION)(?= \\w+ *(?:AS|\\()))\\s+(?:\\([^)]*\\)\\s*)?${name}`,
  'u',
);
const byAssignment = new RegExp(
  `^\\s*(?:export\\s+)?(?:(?:const|let|var|static|readonly|public|private|protected|final)\\s+)*(?:[\\p{L}_$][\\p{L}\\p{N}_$]*\\.)*${name}\\s*[:=]\\s*(?:async\\s+)?(?:function\\b|class\\b|\\([^()]*\\)\\s*(?::[^=]+)?=>|[\\p{L}_$][\\p{L}\\p{N}_$]*\\s*=>)`,
  'u',
);
const byBody = new RegExp(
  `^\\s*(?:(?:export|default|public|private|protected|internal|static|async|override|final|abstract|virtual|readonly|get|set|inline)\\s+)*(?!(?:return|await|new|throw|yield|else)\\b)(?:[\\w<>[\\],.*&]+\\s+)??[*#]?${name}\\s*(?:<[^>]*>)?\\((?:(?!=>|\\bfunction\\b)[^;])*\\{\\s*$`,
  'u',
);
const keywords = new Set('if for while switch catch return function with else do try constructor'.split(' '));

/** The names that a piece of code defines, as far as single lines show; each once. */
export function definedNames(text: string): string[] {
  const names = new Set<string>();
  for (const line of text.split('\n')) {
    if (line.length > 300) continue;
    const found = (byKeyword.exec(line) ?? byAssignment.exec(line) ?? byBody.exec(line))?.[1];
    if (found !== undefined && !keywords.has(found)) names.add(found);
  }
  return [...names];
}

/** BM25 weights of a word in the path, in the names around and in a chunk, and in its text. */
export const columnWeights = '2, 6, 1';
/** Chunks scored for a question: words with more than are left are not looked up, the rarer ones first. */
export const mostScored = 8_000;
export const candidates = 200;

export interface Outline {
  id: number;
  path: string;
  names: readonly string[];
}

const [definition, path, coherence, aside, declaration, hitsAFile, top] = [4, 1, 0.02, 0.75, 0.98, 2, 5];

interface Candidate {
  chunk: Outline;
  relevance: number;
  score: number;
}

/** Ids of chunks, the best first, from hits by words in the order of their relevance. */
export function rankBefore(
  query: string,
  hits: readonly { id: number; relevance: number }[],
  outline: (id: number) => Outline | undefined,
): number[] {
  const asked = new Set(queryWords(query).map(stem));
  const best = hits[0]?.relevance ?? 1;
  const all = hits.flatMap(({ id, relevance }): Candidate[] => {
    const chunk = outline(id);
    if (chunk === undefined) return [];
    const gain = 1 + definition * fitOf(chunk, asked) + path * inPath(chunk.path, asked);
    return [{ chunk, relevance: (relevance / best) * gain, score: 0 }];
  });
  const part = isSymbol(query) ? 0.7 : 0.5;
  all.sort((a, b) => b.relevance - a.relevance || a.chunk.id - b.chunk.id);
  for (const [index, candidate] of all.entries()) {
    candidate.score = part * (61 / (60 + index + 1)) * weightOf(candidate.chunk.path, asked);
  }
  addCoherence(all);
  all.sort((a, b) => b.score - a.score || a.chunk.id - b.chunk.id);
  return spread(all).map(({ chunk }) => chunk.id);
}

const stems = new Map<string, string>();
function stem(word: string): string {
  if (word.length > 64) return word;
  const known = stems.get(word) ?? stemmer(word);
  stems.set(word, known);
  return known;
}

function isSymbol(query: string): boolean {
  return /^[\p{L}_$][\p{L}\p{N}_$.:#]*(\(\))?$/u.test(query) && /[\p{Ll}\p{N}]\p{Lu}|[_$.:#(]/u.test(query);
}

const stemsOf = (name: string): string[] => splitIdentifier(name).map((word) => stem(word.toLowerCase()));

function fitOf(chunk: Outline, asked: ReadonlySet<string>): number {
  let best = 0;
  for (const name of chunk.names) {
    const own = stemsOf(name);
    const shared = new Set(own.filter((word) => asked.has(word))).size;
    best = Math.max(best, (2 * shared) / (own.length + asked.size));
  }
  return best;
}

function inPath(path: string, asked: ReadonlySet<string>): number {
  const names = path
    .split('/')
    .slice(-2)
    .join(' ')
    .replace(/\.\w+$/, '');
  const own = names.split(/[^\p{L}\p{N}_$]+/u).flatMap(stemsOf);
  const found = [...asked].filter((word) => own.some((part) => part.length >= 3 && part.startsWith(word)));
  return asked.size === 0 ? 0 : found.length / asked.size;
}

function weightOf(path: string, asked: ReadonlySet<string>): number {
  const kind =
    /(?:^|\/)(tests?|__tests__|spec|examples?|fixtures?|compat|legacy|deprecated)\//i.exec(path) ??
    /[._-](test|spec)\.[^/]+$/i.exec(path);
  const isAside = kind !== null && ![...stemsOf(kind[1] ?? ''), 'test'].some((word) => asked.has(word));
  return (isAside ? aside : 1) * (/\.d\.[cm]?ts$/.test(path) ? declaration : 1);
}

function addCoherence(all: readonly Candidate[]): void {
  const files = new Map<string, { sum: number; best: Candidate }>();
  for (const candidate of all) {
    const file = files.get(candidate.chunk.path);
    if (file === undefined) files.set(candidate.chunk.path, { sum: candidate.score, best: candidate });
    else {
      file.sum += candidate.score;
      if (candidate.score > file.best.score) file.best = candidate;
    }
  }
  const most = Math.max(...[...files.values()].map(({ sum }) => sum));
  for (const { sum, best } of files.values()) best.score *= 1 + (coherence * sum) / most;
}

function spread(ranked: readonly Candidate[]): Candidate[] {
  const seen = new Map<string, number>();
  const first: Candidate[] = [];
  const rest: Candidate[] = [];
  for (const candidate of ranked) {
    const count = (seen.get(candidate.chunk.path) ?? 0) + 1;
    const isFirst = first.length < top && count <= hitsAFile;
    if (isFirst) seen.set(candidate.chunk.path, count);
    (isFirst ? first : rest).push(candidate);
  }
  return [...first, ...rest];
}
