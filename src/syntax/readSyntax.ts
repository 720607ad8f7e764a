import type { Parser, Tree } from '@vscode/tree-sitter-wasm';
import type { Declaration, TextSyntax } from './declaration.ts';
import { callRuntime, grammarFor, parserOf } from './grammars.ts';
import { lineDeclarations } from './lines/lineDeclarations.ts';
import { columnsOf, isBlank } from './textLines.ts';
import { deadRows, errorCount, openBrackets, treeDeclarations } from './treeDeclarations.ts';

/** Reads the syntax of texts; what it read of a list of lines it keeps as long as that list. */
export interface SyntaxReader {
  /** A whole file. @param path tells its language */
  file(lines: readonly string[], path: string): TextSyntax;
  /** A whole file by its grammar; undefined where there is none for it, or the file is too long. */
  parsed(lines: readonly string[], path: string): TextSyntax | undefined;
  /** A piece of one, which may be members of a type without the type. */
  piece(lines: readonly string[], path: string): TextSyntax;
}

/** The longest text that is parsed, in UTF-16 units: a longer one takes more than about 50 ms, and is read line by line. */
const longestParsed = 250_000;
/**
 * The limit of the parser's progress calls for each 1,000 characters, and for any text: each stands for a hundred steps, of which sound
 * code needs some 400. A text that breaks a grammar may need thousands of times as many.
 */
const [callsPerThousand, leastCalls] = [30, 150];
/** A longer line, in characters, was written by no person, and grammars take long for it. */
const longestLine = 4_000;

/** Lines around a piece of code that make a text of it that the grammar knows. */
const frames: Readonly<Record<string, readonly (readonly [before: string, after: string])[]>> = {
  ...Object.fromEntries(
    ['typescript', 'tsx', 'javascript', 'java', 'c-sharp', 'kotlin', 'scala'].map((name) => [
      name,
      [['class X {', '}']] as const,
    ]),
  ),
  cpp: [['struct X {', '};']],
  php: [
    ['<?php', ''],
    ['<?php class X {', '}'],
  ],
  go: [['package x', '']],
  // A selection may end before the bracket that closes its last rule.
  css: [['', '}']],
};

/**
 * A reader for the languages of these files, whose grammars are loaded.
 * @param files those that are there: the code for one that is too long for its grammar is read as that file is, line by line
 */
export async function loadSyntax(
  paths: Iterable<string>,
  files: ReadonlyMap<string, readonly string[]> = new Map(),
): Promise<SyntaxReader> {
  const all = new Map<string, Parser>();
  for (const grammar of new Set([...paths, ...files.keys()].flatMap((path) => grammarFor(path) ?? []))) {
    const parser = await parserOf(grammar);
    if (parser !== undefined) all.set(grammar, parser);
  }
  const unparsed = new Set([...files].flatMap(([path, lines]) => (canParse(lines, path, all) ? [] : [path])));
  const none: ReadonlyMap<string, Parser> = new Map();
  const known = new WeakMap<readonly string[], Map<string, TextSyntax>>();
  const once = (lines: readonly string[], key: string, read: () => TextSyntax): TextSyntax => {
    const ofText = known.get(lines) ?? new Map<string, TextSyntax>();
    known.set(lines, ofText);
    const found = ofText.get(key) ?? read();
    ofText.set(key, found);
    return found;
  };
  const parsersFor = (path: string): ReadonlyMap<string, Parser> => (unparsed.has(path) ? none : all);
  return {
    file: (lines, path) => once(lines, path, () => readText(lines, path, parsersFor(path), [])),
    parsed: (lines, path) =>
      canParse(lines, path, parsersFor(path))
        ? once(lines, path, () => readText(lines, path, parsersFor(path), []))
        : undefined,
    piece: (lines, path) =>
      once(lines, `${path}\0`, () => readText(lines, path, parsersFor(path), frames[grammarFor(path) ?? ''] ?? [])),
  };
}

function canParse(lines: readonly string[], path: string, parsers: ReadonlyMap<string, Parser>): boolean {
  if (!parsers.has(grammarFor(path) ?? '') || lines.some(({ length }) => length > longestLine)) return false;
  return lines.reduce((sum, line) => sum + line.length + 1, 0) <= longestParsed;
}

function readText(
  lines: readonly string[],
  path: string,
  parsers: ReadonlyMap<string, Parser>,
  around: readonly (readonly [string, string])[],
): TextSyntax {
  const parser = parsers.get(grammarFor(path) ?? '');
  if (parser === undefined || !canParse(lines, path, parsers)) return byLines(lines, path);
  let best: TextSyntax | undefined;
  for (const frame of [undefined, ...around]) {
    const read = parseText(parser, lines, frame);
    const isBetter = read !== undefined && (best === undefined || rank(read) < rank(best));
    if (isBetter) best = read;
    if (best?.errors === 0 && best.declarations.length > 0) break;
  }
  return best ?? byLines(lines, path);
}

/** The fewer errors, the better; of two without any, the one with declarations. */
const rank = ({ errors, declarations }: TextSyntax): number => errors * 2 + (declarations.length > 0 ? 0 : 1);

function byLines(lines: readonly string[], path: string): TextSyntax {
  return { declarations: lineDeclarations(lines, path), errors: 0, unbalanced: 0, dead: [], isMembers: false };
}

function parseText(
  parser: Parser,
  lines: readonly string[],
  frame: readonly [string, string] | undefined,
): TextSyntax | undefined {
  const text = frame === undefined ? lines.join('\n') : [frame[0], ...lines, frame[1]].join('\n');
  const shift = frame === undefined ? 0 : 1;
  const tree = parse(parser, `${text}\n`);
  if (tree === undefined) return undefined;
  const all = treeDeclarations(tree.rootNode, shift);
  const isMembers = /\bX \{$/.test(frame?.[0] ?? '');
  const declarations = isMembers
    ? all.filter(({ head }) => head >= 0).map((each) => ({ ...each, parent: each.parent - 1 }))
    : all;
  const read = {
    declarations: declarations.map((each) => ({
      ...each,
      signature: signatureOf(lines, each.head),
      lead: Math.max(0, each.lead),
      end: Math.min(endOf(lines, each), lines.length),
    })),
    errors: errorCount(tree.rootNode),
    unbalanced: openBrackets(tree.rootNode),
    dead: deadRows(tree.rootNode).map((row) => row - shift),
    isMembers,
  };
  tree.delete();
  return read;
}

/** The line after a declaration: where indentation tells, remarks below its last line that stand deeper than its head are in it. */
function endOf(lines: readonly string[], { head, end }: Declaration): number {
  const depth = columnsOf(lines[head] ?? '');
  if (!/:\s*(?:#.*)?$/.test(lines[head] ?? '')) return end;
  let last = end;
  for (let at = end; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (isBlank(line)) continue;
    if (columnsOf(line) <= depth || !/^\s*#/.test(line)) break;
    last = at + 1;
  }
  return last;
}

/** The line that names a declaration, with single blanks. */
function signatureOf(lines: readonly string[], head: number): string {
  return (lines[head] ?? '').trim().replace(/\s+/g, ' ');
}

function parse(parser: Parser, text: string): Tree | undefined {
  let calls = leastCalls + (text.length / 1_000) * callsPerThousand;
  try {
    const tree = callRuntime(() => parser.parse(text, null, { progressCallback: () => --calls < 0 }));
    if (tree !== null) return tree;
  } catch {
    // The scanner of a grammar aborts where its own bounds end.
  }
  parser.reset();
  return undefined;
}
