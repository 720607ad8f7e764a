import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** A piece of real code, its documentation taken out. */
export interface Passage {
  path: string;
  /** From 1. */
  startLine: number;
  endLine: number;
  text: string;
  /** The first sentence of the documentation that stood above it. */
  sentence?: string;
}

/** A sentence of documentation, and the passages it was written about: one, or copies that differ. */
export interface Question {
  text: string;
  /** Indices of passages. */
  targets: number[];
}

export interface Corpus {
  passages: Passage[];
  /** For choosing constants, and for judging them: no sentence is in both. */
  train: Question[];
  held: Question[];
}

const modules = join(import.meta.dirname, '../../../node_modules');
/** Lines of a body without documentation inside, and of the pieces of what is between bodies. */
const most = { body: 60, rest: 40 } as const;
const leastBodyLines = 3;
/** A sentence that stands above more passages than this says nothing of any. */
const mostTargets = 3;

/** Passages of the JavaScript and TypeScript of the packages in node_modules, each text once, always in the same order. */
export function readCorpus(): Corpus {
  const passages: Passage[] = [];
  const seen = new Set<string>();
  const entries = globSync('**/*.{js,ts,mjs,cjs,mts,cts,tsx}', { cwd: modules, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  for (const file of files.sort()) {
    const path = relative(modules, file).replaceAll('\\', '/');
    const text = readFileSync(file, 'utf8');
    const lines = text.split('\n');
    if (text.length / lines.length > 200) continue;
    for (const passage of passagesOf(path, lines)) {
      const key = createHash('sha1').update(passage.text.replace(/\s+/g, '')).digest('base64');
      if (seen.has(key)) continue;
      seen.add(key);
      passages.push(passage);
    }
  }
  const bySentence = new Map<string, number[]>();
  for (const [index, { sentence }] of passages.entries()) {
    if (sentence !== undefined) bySentence.set(sentence, [...(bySentence.get(sentence) ?? []), index]);
  }
  const questions = [...bySentence]
    .filter(([, targets]) => targets.length <= mostTargets)
    .map(([text, targets]) => ({ text, targets, order: createHash('sha1').update(`parley ${text}`).digest('hex') }))
    .sort((a, b) => (a.order < b.order ? -1 : 1));
  const half = Math.floor(questions.length / 2);
  return { passages, train: questions.slice(0, half), held: questions.slice(half) };
}

function passagesOf(path: string, source: readonly string[]): Passage[] {
  const { lines, documented } = withoutDocumentation(source);
  const borders = new Set([0, lines.length]);
  for (const start of documented.keys()) {
    const end = bodyEnd(lines, start);
    if (end - start < leastBodyLines) documented.delete(start);
    else borders.add(start).add(end);
  }
  const passages: Passage[] = [];
  let start = 0;
  for (const border of [...borders].sort((a, b) => a - b)) {
    for (; start < border; ) {
      const sentence = documented.get(start);
      const end = Math.min(border, start + (sentence === undefined ? most.rest : most.body));
      const text = lines.slice(start, end).join('\n');
      if ((text.match(/\w/g)?.length ?? 0) >= 20) {
        passages.push({
          path,
          startLine: start + 1,
          endLine: end,
          text,
          ...(sentence === undefined ? {} : { sentence }),
        });
      }
      start = end;
    }
  }
  return passages;
}

/** The lines without doc comments, and by the line that a comment stood above, its first sentence. */
function withoutDocumentation(source: readonly string[]): { lines: string[]; documented: Map<number, string> } {
  const lines: string[] = [];
  const documented = new Map<number, string>();
  for (let index = 0; index < source.length; index++) {
    const line = source[index] ?? '';
    if (!/^\s*\/\*\*/.test(line)) {
      lines.push(line);
      continue;
    }
    const start = index;
    while (index + 1 < source.length && !source[index]?.includes('*/')) index++;
    const sentence = firstSentence(source.slice(start, index + 1).join('\n'));
    if (sentence !== undefined && source[index + 1]?.trim()) documented.set(lines.length, sentence);
  }
  return { lines, documented };
}

function firstSentence(comment: string): string | undefined {
  const text = comment
    .replace(/^\s*\/\*\*|\*\/\s*$/g, '')
    .replace(/^\s*\* ?/gm, '')
    .trim()
    .split(/\n\s*\n|^\s*@/m)[0]
    ?.replace(/\{@\w+\s+([^}|]*)[^}]*\}/g, '$1')
    .replace(/[`*]/g, '')
    .replace(/\s+/g, ' ');
  const sentence = text?.match(/^.*?[.!?](?=\s|$)|^.*$/)?.[0]?.trim() ?? '';
  const words = sentence.match(/[A-Za-z]{2,}/g)?.length ?? 0;
  return words >= 4 && words <= 40 && !/licen[cs]e|copyright|eslint|https?:/i.test(sentence) ? sentence : undefined;
}

/** The line after a body: what is indented under its first line, and the bracket that closes it. */
function bodyEnd(lines: readonly string[], start: number): number {
  const indentOf = (line: string): number => line.search(/\S/);
  const indent = indentOf(lines[start] ?? '');
  for (let end = start + 1; end < lines.length; end++) {
    const line = lines[end] ?? '';
    const own = indentOf(line);
    if (own < 0 || own > indent) continue;
    if (own < indent || !/^\s*[})\]]/.test(line)) return end;
    if (!/[{([]\s*$/.test(line)) return end + 1;
  }
  return lines.length;
}
