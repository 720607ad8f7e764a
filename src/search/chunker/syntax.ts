import type { Node, Parser, Tree, TreeCursor } from '@vscode/tree-sitter-wasm';
import { callRuntime } from '../../syntax/grammars.ts';
import type { NameAt } from '../../syntax/lines/definedNames.ts';
import type { NameLevel } from './names/nameFinders.ts';
import { gatherNames, type NameGatherer } from './names/treeNames.ts';
import { maxBytes, minBytes } from './size.ts';
import { isCloser, splitCost } from './splitCost.ts';
import type { Units } from './units.ts';

/** Borders and declarations from the syntax tree of a text, which has no borders where it fits into one chunk. To be freed. */
export interface Syntax {
  /** The costs of `textCosts`, replaced where the tree gives better ones. */
  costs: Float32Array;
  /** The declarations around a line (from 0), from the outside in: `class Foo`, `method bar`. */
  enclosing: ((line: number) => string[]) | undefined;
  /** The names of all declarations, also of those on one line. */
  names: readonly NameAt[];
  free(): void;
}

/** A declaration over several lines. */
interface Scope {
  node: Node;
  word: string;
  startLine: number;
  endLine: number;
}

/** Longest text that is parsed, in UTF-16 units: a longer one would take more than about 50 ms. */
const longestParsed = 250_000;
/**
 * Limit of the parser's progress calls for each 1,000 characters: sound code needs about 4 (every call stands for a
 * hundred parser steps). Steps are counted and not milliseconds, so that a busy machine cuts the same text in the same
 * way.
 */
const callsPerThousand = 10;
/** Grammars with many ambiguities, whose sound code needs up to 27. */
const callsPerThousandOf: Readonly<Record<string, number>> = { kotlin: 60, scala: 60 };
/**
 * Limit in time, in milliseconds, fifty times what sound code needs: in a text made to break a grammar one step can read on to
 * its end.
 */
const longestParse = 2_000;
/** Maximum depth of nodes that are visited. */
const deepest = 40;
/**
 * Cost of a column of indentation. Columns are used and not tree levels, because a line that breaks the syntax shifts
 * the levels of all lines after it.
 */
const columnCost = 0.75;
/** Cost of a line at which no node starts, in a statement or a short function: more than any line with a node. */
const insideCost = 8;

/** The word shown for each node type that declares something. */
const declarations: Readonly<Record<string, string>> = {
  ...words(
    'class',
    'class_declaration abstract_class_declaration class_definition class_specifier class class_statement',
  ),
  ...words('interface', 'interface_declaration'),
  ...words('object', 'object_declaration object_definition companion_object package_object'),
  ...words('enum', 'enum_declaration enum_definition enum_item enum_specifier enum_statement'),
  ...words('struct', 'struct_item struct_specifier struct_declaration'),
  ...words('union', 'union_item union_specifier'),
  ...words('record', 'record_declaration'),
  ...words('trait', 'trait_item trait_declaration trait_definition'),
  ...words('impl', 'impl_item'),
  ...words('module', 'mod_item module'),
  ...words('namespace', 'namespace_definition namespace_declaration internal_module'),
  ...words('function', 'function_declaration generator_function_declaration function_definition function_item'),
  ...words('function', 'function_statement local_function_statement macro_definition'),
  ...words('method', 'method_definition method_declaration method singleton_method class_method_definition'),
  ...words('constructor', 'constructor_declaration'),
  ...words('type', 'type_alias_declaration type_spec annotation_type_declaration'),
  ...words('', 'variable_declarator assignment_expression section rule_set media_statement property_declaration'),
};

function words(word: string, types: string): Record<string, string> {
  return Object.fromEntries(types.split(' ').map((type) => [type, word]));
}

/** Node types that stand before a declaration and belong to it. */
const remark = /comment|^attribute_item$|^decorator$|^attribute_list$/;

/** A text of the same length that the grammar knows: that of Kotlin has interfaces, but no `fun interface`. */
const inGrammar = (grammar: string, text: string): string =>
  grammar === 'kotlin' ? text.replace(/\bfun(?=[ \t]{1,9}interface\b)/g, '   ') : text;

/** Parses a text; undefined when it is too long or the parser needs too many steps. */
export function readSyntax(
  parser: Parser,
  grammar: string,
  source: string,
  units: Units,
  costs: Float32Array,
): Syntax | undefined {
  const text = inGrammar(grammar, source);
  if (text.length > longestParsed) return undefined;
  let calls = 100 + (text.length / 1_000) * (callsPerThousandOf[grammar] ?? callsPerThousand);
  const end = performance.now() + longestParse;
  const tree = parse(parser, text, () => --calls < 0 || performance.now() > end);
  if (tree === undefined) return undefined;
  const cursor = tree.walk();
  const names = gatherNames(grammar, cursor, text);
  // A text that fits into one chunk needs no borders, only names.
  const isOne = (units.bytes[units.count] ?? 0) <= maxBytes;
  if (isOne) names.visit(cursor.nodeType, 'outer', 0, false);
  const walk = isOne ? undefined : walkTree(cursor, text, units, costs, names);
  cursor.delete();
  return {
    costs: walk?.costs ?? costs,
    enclosing:
      walk && ((line) => walk.scopes.filter((scope) => scope.startLine < line && line <= scope.endLine).map(nameOf)),
    names: names.names,
    free: () => tree.delete(),
  };
}

function parse(parser: Parser, text: string, isTooLong: () => boolean): Tree | undefined {
  try {
    const tree = callRuntime(() => parser.parse(text, null, { progressCallback: isTooLong }));
    if (tree !== null) return tree;
  } catch {
    // The scanner of a grammar aborts where its own bounds end: that of Kotlin at a thousand strings inside each other.
  }
  parser.reset();
  return undefined;
}

function walkTree(
  cursor: TreeCursor,
  text: string,
  units: Units,
  textual: Float32Array,
  names: NameGatherer,
): { costs: Float32Array; scopes: Scope[] } {
  const costs = textual.map((cost) => (cost >= splitCost - 5 ? cost : Math.min(splitCost - 6, insideCost + cost)));
  const unitOf = firstUnits(units);
  const marked = new Uint8Array(costs.length);
  const scopes: Scope[] = [];

  function mark(line: number, start: number, cost: number): void {
    const unit = unitOf[line];
    if (unit === undefined || marked[unit] === 1) return;
    const first = units.starts[unit] as number;
    if (text.slice(first, start).trim() !== '' || isCloser(text, first)) return;
    marked[unit] = 1;
    costs[unit] = cost;
  }

  /** Visits the children of the cursor's node. */
  function visitChildren(parentLine: number, depth: number, level: NameLevel): void {
    if (!cursor.gotoFirstChild()) return;
    // Lines of the remarks right before the next node, and their start index.
    let remarks: { line: number; start: number; end: number } | undefined;
    let lastEnd = -1;
    do {
      const { row: line } = cursor.startPosition;
      const { row, column } = cursor.endPosition;
      const end = column === 0 && row > line ? row - 1 : row;
      const start = cursor.startIndex;
      const type = cursor.nodeType;
      if (remark.test(type) && line > lastEnd) {
        if (remarks?.end === line - 1) remarks.end = end;
        else remarks = { line, start, end };
        lastEnd = end;
        continue;
      }
      lastEnd = end;
      const word = end > line ? declarations[type] : undefined;
      if (line > parentLine) {
        const isLoose = remarks?.end !== line - 1 && remarks?.end !== line;
        const spaced = textual[unitOf[remarks !== undefined && !isLoose ? remarks.line : line] ?? 0] as number;
        // A blank line before a node, or a declaration, wins between borders at the same column.
        const cost =
          Math.min(units.indents[unitOf[line] ?? 0] ?? 0, 24) * columnCost +
          (end > line ? 0 : 2) +
          (spaced < 12 ? 0 : 2);
        if (remarks !== undefined && !isLoose) {
          mark(remarks.line, remarks.start, cost);
          mark(line, start, splitCost);
          for (let inner = remarks.line + 1; inner < line; inner++) {
            const unit = unitOf[inner];
            if (unit !== undefined) costs[unit] = splitCost;
          }
        } else mark(line, start, cost);
      }
      remarks = undefined;
      const inner = names.take(type, level);
      if (end === line) {
        names.visit(type, inner, depth + 1, true);
        continue;
      }
      if (word !== undefined && cursor.nodeIsNamed) {
        scopes.push({ node: cursor.currentNode, word, startLine: line, endLine: end });
      }
      if (cursor.endIndex - start < minBytes || depth >= deepest) names.visit(type, inner, depth + 1, false);
      else visitChildren(line, depth + 1, inner);
    } while (cursor.gotoNextSibling());
    cursor.gotoParent();
  }

  visitChildren(-1, 0, 'outer');
  return { costs, scopes };
}

/** The first unit of each line. */
function firstUnits({ count, lines }: Units): Uint32Array {
  const first = new Uint32Array((lines[count - 1] ?? 0) + 1);
  for (let unit = count - 1; unit >= 0; unit--) first[lines[unit] as number] = unit;
  return first;
}

function nameOf({ node, word }: Scope): string {
  const name = ['name', 'left', 'declarator', 'type']
    .map((field) => node.childForFieldName(field))
    // Kotlin's nodes have no fields.
    .concat(
      node.namedChildren.filter((child) => child?.type === 'type_identifier' || child?.type === 'simple_identifier'),
    )
    .find((n) => n !== null);
  const said = (name?.text ?? node.text).split('\n', 1)[0] ?? '';
  return `${word} ${said.slice(0, 1_000).replace(/(?<![\s{:(=])[\s{:(=]+$/, '')}`.trim().slice(0, 100);
}
