import type { Node, TreeCursor } from '@vscode/tree-sitter-wasm';

/**
 * Where a node stands: at the level of a module or a type, whose variables and fields are names that others use; in a
 * function, whose variables are its own; or in what declares nothing, as parameters and annotations do.
 */
export type NameLevel = 'outer' | 'local' | 'none';

/** The nodes that name what the cursor's node declares. */
export type NameFinder = (cursor: TreeCursor, text: string, level: NameLevel) => readonly (Node | null)[];

/** Whether a node on one line is entered. */
type Enters = (cursor: TreeCursor, text: string, level: NameLevel) => boolean;

/** The nodes that are entered though they stand on one line, by their types. */
export type Entering = Readonly<Record<string, Enters>>;

/** The node in a field. */
export const fieldOf =
  (field: string): NameFinder =>
  (cursor) => [cursor.currentNode.childForFieldName(field)];

/** The identifiers in all fields of this name. */
export const fieldsOf =
  (field: string): NameFinder =>
  (cursor) =>
    cursor.currentNode.childrenForFieldName(field);

/** The first child of a type. */
export const childOf =
  (type: string): NameFinder =>
  (cursor) => [childOfType(cursor.currentNode, type)];

function childOfType(node: Node, type: string): Node | null {
  return node.namedChildren.find((child) => child?.type === type) ?? null;
}

/** Properties of Kotlin, but not the variables of a function: `val name`, `val (name, other)`. */
export const kotlinProperties: NameFinder = (cursor, _, level) => {
  if (level !== 'outer') return [];
  const node = cursor.currentNode;
  const many = childOfType(node, 'multi_variable_declaration');
  const variables = (many ?? node).namedChildren.filter((child) => child?.type === 'variable_declaration');
  return variables.map((variable) => variable && childOfType(variable, 'simple_identifier'));
};

/** A parameter of a class that is a property, too: `class Gate(val width: Int)`. */
export const kotlinParameter: NameFinder = (cursor) => {
  const node = cursor.currentNode;
  return [childOfType(node, 'binding_pattern_kind') && childOfType(node, 'simple_identifier')];
};

/** Values and variables of Scala, but not those of a function, and no patterns. */
export const scalaValue =
  (field: string): NameFinder =>
  (cursor, _, level) => {
    const name = level === 'outer' ? cursor.currentNode.childForFieldName(field) : null;
    return name?.type === 'identifier' ? [name] : [];
  };

/** A parameter of a class that is a value, too: `class Gate(val width: Int)`. */
export const scalaParameter: NameFinder = (cursor, text) =>
  /(?:\w+\s+){0,3}va[lr]\b/y.test(text.slice(cursor.startIndex, cursor.startIndex + 60))
    ? [cursor.currentNode.childForFieldName('name')]
    : [];

export const onlyOuter: Enters = (_cursor, _text, level) => level === 'outer';

const functions = new Set(
  'arrow_function function_expression function generator_function class class_expression'.split(' '),
);
/** The longest node on one line in which a function is looked for. */
const longestLine = 2_000;

/** Whether a node on one line may hold a function: its text says so, which is read faster than the tree. */
export const hasFunction: Enters = (cursor, text) => {
  const start = cursor.startIndex;
  const part = text.slice(start, Math.min(cursor.endIndex, start + longestLine));
  return part.includes('=>') || part.includes('function') || part.includes('class ') || part.includes(') {');
};

/** Entered on one line where they may hold a function, an export or a namespace. */
export function entersForFunctions(types: string): Entering {
  const enters: Enters = (cursor, text, level) =>
    hasFunction(cursor, text, level) || /(?:exports|namespace|module)\b/y.test(startOf(cursor, text));
  return Object.fromEntries(types.split(' ').map((type) => [type, enters]));
}

const startOf = (cursor: TreeCursor, text: string): string => text.slice(cursor.startIndex, cursor.startIndex + 20);

export const entersVariables: Enters = (cursor, text, level) => level === 'outer' || hasFunction(cursor, text, level);

/** `const name = …` outside functions, and a function that is given to a name anywhere. */
export const ecmaVariable: NameFinder = (cursor, text, level) => {
  if (level !== 'outer' && !hasFunction(cursor, text, level)) return [];
  const node = cursor.currentNode;
  // A module that is loaded into a variable is defined elsewhere.
  const isImport = /[\w$]{1,60} ?= ?(?:require\(|await import\()/y.test(
    text.slice(cursor.startIndex, cursor.startIndex + 80),
  );
  const isName = (level === 'outer' && !isImport) || functions.has(node.childForFieldName('value')?.type ?? '');
  const name = isName ? node.childForFieldName('name') : null;
  return name?.type === 'identifier' ? [name] : [];
};

/** `exports.name = …`, and a function that is given to a member or a name. */
export const ecmaAssignment: NameFinder = (cursor, text, level) => {
  const isExport = /(?:module\.)?exports\.\w/y.test(startOf(cursor, text));
  if (!isExport && !hasFunction(cursor, text, level)) return [];
  const node = cursor.currentNode;
  if (!isExport && !functions.has(node.childForFieldName('right')?.type ?? '')) return [];
  const left = node.childForFieldName('left');
  return [left?.type === 'member_expression' ? left.childForFieldName('property') : left];
};

/** `name: () => …` in an object. */
export const ecmaPair: NameFinder = (cursor, text, level) => {
  if (!hasFunction(cursor, text, level)) return [];
  const node = cursor.currentNode;
  return functions.has(node.childForFieldName('value')?.type ?? '') ? [node.childForFieldName('key')] : [];
};

/** Types of C and C++ that have a body; without one a type is only mentioned. */
export function withBody(types: string): Record<string, NameFinder> {
  const finder: NameFinder = (cursor) => {
    const node = cursor.currentNode;
    return [node.childForFieldName('body') && node.childForFieldName('name')];
  };
  return Object.fromEntries(types.split(' ').map((type) => [type, finder]));
}

export const cFunction: NameFinder = (cursor) => [declared(cursor.currentNode.childForFieldName('declarator'))];

/** Variables, fields and functions without a body, but not the variables of a function. */
export const cDeclaration: NameFinder = (cursor, _, level) =>
  level === 'outer' ? cursor.currentNode.childrenForFieldName('declarator').map(declared) : [];

export const cTypedef: NameFinder = (cursor) => cursor.currentNode.childrenForFieldName('declarator').map(declared);

/** The name in a declarator of C or C++: `(*name)(int)`, `&Gate::name() const`, `name[4]`. */
function declared(declarator: Node | null): Node | null {
  let node = declarator;
  for (let depth = 0; node !== null && depth < 20; depth++) {
    if (node.type.endsWith('identifier') && node.type !== 'qualified_identifier') return node;
    if (node.type === 'destructor_name' || node.type === 'operator_name') return null;
    node = node.childForFieldName('declarator') ?? node.childForFieldName('name') ?? node.namedChild(0);
  }
  return null;
}

/** The variables of a field or an event of C#. */
export const csharpFields: NameFinder = (cursor) => {
  const variables = childOfType(cursor.currentNode, 'variable_declaration');
  return variables?.namedChildren.map((child) => child?.childForFieldName('name') ?? null) ?? [];
};

/** The classes and ids in the selectors of a rule. */
export const cssSelectors: NameFinder = (cursor) =>
  childOfType(cursor.currentNode, 'selectors')
    ?.descendantsOfType(['class_selector', 'id_selector'])
    .map((selector) => selector?.namedChild(selector.namedChildCount - 1) ?? null)
    .sort((a, b) => (a?.startIndex ?? 0) - (b?.startIndex ?? 0)) ?? [];

/** `--name: …`. */
export const cssProperty: NameFinder = (cursor, text) =>
  text.startsWith('--', cursor.startIndex) ? [childOfType(cursor.currentNode, 'property_name')] : [];

/** `NAME = …` in a module or a class, and a lambda that is given to a name anywhere. */
export const pythonAssignment: NameFinder = (cursor, _, level) => {
  const node = cursor.currentNode;
  if (level !== 'outer' && node.childForFieldName('right')?.type !== 'lambda') return [];
  const left = node.childForFieldName('left');
  return left?.type === 'identifier' ? [left] : [];
};

/** A statement of Python on one line; in a function only lambdas have a name. */
export const entersAssignment = (cursor: TreeCursor, text: string, level: NameLevel): boolean =>
  level === 'outer' ||
  text.slice(cursor.startIndex, Math.min(cursor.endIndex, cursor.startIndex + 200)).includes('lambda');

/** `private def name`: a definition is given to a call. */
export const hasDefinition: Enters = (cursor, text) =>
  text.slice(cursor.startIndex, Math.min(cursor.endIndex, cursor.startIndex + 200)).includes('def ');

export const rubyConstant: NameFinder = (cursor) => {
  const left = cursor.currentNode.childForFieldName('left');
  return left?.type === 'constant' ? [left] : [];
};

/** `attr_reader :name, :size` and `define_method(:name)`. */
export const rubyAttributes: NameFinder = (cursor, text) => {
  if (!/(?:attr_(?:reader|writer|accessor)|define_method)\b/y.test(startOf(cursor, text))) return [];
  const names = cursor.currentNode.childForFieldName('arguments')?.namedChildren ?? [];
  return names.filter((name) => name?.type === 'simple_symbol');
};
