import type { Node, Parser, TreeCursor } from '@vscode/tree-sitter-wasm';
import { isCloser, torn } from './borders.ts';
import { minBytes } from './size.ts';
import type { Units } from './units.ts';

/** What the syntax tree of a text says of its borders. To be freed. */
export interface Syntax {
  /** As `textCosts`, with what the tree knows better put in its place. */
  costs: Float32Array;
  /** The declarations that a line (from 0) is inside of, from the outside in: `class Foo`, `method bar`. */
  enclosing(line: number): string[];
  free(): void;
}

/** A declaration over several lines. */
interface Scope {
  node: Node;
  word: string;
  startLine: number;
  endLine: number;
}

/** Longer texts are not parsed: it would take more than about 50 ms. In UTF-16 units. */
const longestParsed = 250_000;
/**
 * How often a parse may call back for each 1,000 characters: sound code needs about 4 (every call stands for a hundred
 * steps of the parser). Steps and not milliseconds, so that the same text is cut in the same way on a busy machine.
 */
const callsPerThousand = 10;
/** Nodes are looked into down to this depth. */
const deepest = 40;
/**
 * A column of indentation makes a border worse by this. Not a level of the tree: a line that breaks the syntax moves the
 * levels of all after it.
 */
const columnCost = 0.75;
/** A line that no node starts at, in a statement or a short function, is worse than any that one does. */
const insideCost = 8;

/** What a node that declares something is called. */
const declarations: Readonly<Record<string, string>> = {
  ...words(
    'class',
    'class_declaration abstract_class_declaration class_definition class_specifier class class_statement',
  ),
  ...words('interface', 'interface_declaration'),
  ...words('enum', 'enum_declaration enum_item enum_specifier enum_statement'),
  ...words('struct', 'struct_item struct_specifier struct_declaration'),
  ...words('union', 'union_item union_specifier'),
  ...words('record', 'record_declaration'),
  ...words('trait', 'trait_item trait_declaration'),
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

/** What stands before a declaration and belongs to it. */
const remark = /comment|^attribute_item$|^decorator$|^attribute_list$/;

/** Parses a text; undefined when it is too long, or the parser gets lost in it. */
export function readSyntax(parser: Parser, text: string, units: Units, costs: Float32Array): Syntax | undefined {
  if (text.length > longestParsed) return undefined;
  let calls = 100 + (text.length / 1_000) * callsPerThousand;
  const tree = parser.parse(text, null, { progressCallback: () => --calls < 0 });
  if (tree === null) {
    parser.reset();
    return undefined;
  }
  const cursor = tree.walk();
  const walk = walkTree(cursor, text, units, costs);
  cursor.delete();
  return {
    costs: walk.costs,
    enclosing: (line) => walk.scopes.filter((scope) => scope.startLine < line && line <= scope.endLine).map(nameOf),
    free: () => tree.delete(),
  };
}

function walkTree(
  cursor: TreeCursor,
  text: string,
  units: Units,
  textual: Float32Array,
): { costs: Float32Array; scopes: Scope[] } {
  const costs = textual.map((cost) => (cost >= torn - 5 ? cost : Math.min(torn - 6, insideCost + cost)));
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

  /** Goes through the children of the cursor's node. */
  function visitChildren(parentLine: number, depth: number): void {
    if (!cursor.gotoFirstChild()) return;
    // The line of the remarks that stand right before the next node, and where they start.
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
        // A blank line before it, or a declaration, makes of equals the better one.
        const cost =
          Math.min(units.indents[unitOf[line] ?? 0] ?? 0, 24) * columnCost +
          (end > line ? 0 : 2) +
          (spaced < 12 ? 0 : 2);
        if (remarks !== undefined && !isLoose) {
          mark(remarks.line, remarks.start, cost);
          mark(line, start, torn);
          for (let inner = remarks.line + 1; inner < line; inner++) {
            const unit = unitOf[inner];
            if (unit !== undefined) costs[unit] = torn;
          }
        } else mark(line, start, cost);
      }
      remarks = undefined;
      if (end === line) continue;
      if (word !== undefined && cursor.nodeIsNamed) {
        scopes.push({ node: cursor.currentNode, word, startLine: line, endLine: end });
      }
      if (cursor.endIndex - start < minBytes || depth >= deepest) continue;
      visitChildren(line, depth + 1);
    } while (cursor.gotoNextSibling());
    cursor.gotoParent();
  }

  visitChildren(-1, 0);
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
    .find((n) => n !== null);
  const said = (name?.text ?? node.text).split('\n', 1)[0] ?? '';
  return `${word} ${said.replace(/[\s{:(=]+$/, '')}`.trim().slice(0, 100);
}
