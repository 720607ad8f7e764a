import type { Node, TreeCursor } from '@vscode/tree-sitter-wasm';
import type { NameAt, NameRole } from '../../../syntax/lines/definedNames.ts';
import type { NameLevel } from './nameFinders.ts';
import { type NameRules, rulesOf } from './nameRules.ts';

/** Gathers names in a walk of a syntax tree, at the node of its cursor. */
export interface NameGatherer {
  readonly names: readonly NameAt[];
  /** Takes the names that the node declares, and returns the level of what is inside it. */
  take(type: string, level: NameLevel): NameLevel;
  /** Gathers inside a node that the walk does not visit itself. */
  visit(type: string, level: NameLevel, depth: number, isOneLine: boolean): void;
}

/** Maximum depth of nodes that are visited for names. */
const deepest = 60;

/** A gatherer of names by the rules of a grammar, which moves the walk's cursor and puts it back. */
export function gatherNames(grammar: string, cursor: TreeCursor, text: string): NameGatherer {
  const rules: NameRules = rulesOf(grammar);
  const names: NameAt[] = [];

  function take(type: string, level: NameLevel): NameLevel {
    if (level === 'none') return level;
    const kind = rules.kinds.get(type);
    if (kind === undefined) return level;
    if (kind.find !== undefined) add(kind.find(cursor, text, level), kind.role ?? 'other');
    return kind.level ?? level;
  }

  function add(nodes: readonly (Node | null)[], role: NameRole): void {
    let last = 0;
    for (const node of nodes) {
      if (node === null) continue;
      const start = node.startIndex;
      const name = rules.nameIn(text.slice(start, Math.min(node.endIndex, start + longest)));
      // Of several, the first one is the name; Rust's type stands behind its trait.
      last = Math.max(last, start);
      if (name === undefined) continue;
      const isOther = isSpecialised(node) || isPassedOn(name, text, node.endIndex);
      names.push({ at: last, name, role: isOther ? 'mention' : role });
    }
  }

  function visit(type: string, level: NameLevel, depth: number, isOneLine: boolean): void {
    if (level === 'none' || depth > deepest) return;
    if (isOneLine && !rules.kinds.get(type)?.enters?.(cursor, text, level)) return;
    if (level === 'local' && !mayDeclare(cursor, text, rules.inFunctions)) return;
    if (!cursor.gotoFirstChild()) return;
    do {
      const child = cursor.nodeType;
      // A token is no declaration: its type is its text, a keyword or a sign.
      if (rules.isToken(child)) continue;
      const inner = take(child, level);
      if (inner !== 'none') visit(child, inner, depth + 1, isOneLine || isInLine(cursor, text));
    } while (cursor.gotoNextSibling());
    cursor.gotoParent();
  }

  return { names, take, visit };
}

/** `struct Gate<int>`: the template itself is declared elsewhere. */
const isSpecialised = (node: Node): boolean => node.type === 'template_type';

/** `Gate = _core.Gate`, `exports.Gate = require('./gate')`: what is declared elsewhere is given on. @param end of the name */
function isPassedOn(name: string, text: string, end: number): boolean {
  passed.lastIndex = end;
  const [, given] = passed.exec(text) ?? [];
  return given !== undefined && (given === name || given === 'require');
}

/** What follows a name that is given a path, or a module, and nothing else: the last part of the path, or `require`. */
const passed = /\s{0,9}:?=\s{0,9}(?:[\w$]{1,60}(?:\.|::)){0,9}([\w$]{1,100})(?:\s{0,9}(?:[;,\r\n]|$)|(?<=require)\()/y;

/** Longest piece of text in which a name is looked for. */
const longest = 200;

/** Longest node whose text is read before its tree: the text says in a small part of the time that nothing is declared. */
const longestRead = 2_000;

function mayDeclare(cursor: TreeCursor, text: string, signs: RegExp): boolean {
  const start = cursor.startIndex;
  const end = cursor.endIndex;
  return end - start > longestRead || signs.test(text.slice(start, end));
}

function isInLine(cursor: TreeCursor, text: string): boolean {
  const end = text.indexOf('\n', cursor.startIndex);
  return end < 0 || end >= cursor.endIndex;
}
