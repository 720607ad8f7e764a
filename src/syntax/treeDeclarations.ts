import type { Node } from '@vscode/tree-sitter-wasm';
import type { Declaration } from './declaration.ts';
import { nameOfNode } from './nodeNames.ts';

const types = words(
  'class_declaration abstract_class_declaration interface_declaration enum_declaration internal_module module ' +
    'struct_declaration record_declaration record_struct_declaration namespace_declaration annotation_type_declaration ' +
    'file_scoped_namespace_declaration class_specifier struct_specifier union_specifier enum_specifier namespace_definition ' +
    'class_definition object_definition trait_definition enum_definition trait_declaration object_declaration companion_object ' +
    'class_statement enum_statement struct_item enum_item union_item trait_item impl_item mod_item class singleton_class ' +
    'rule_set media_statement supports_statement keyframes_statement at_rule section type_alias_declaration type_declaration ' +
    'extension_definition package_object interface_type',
);
const functions = words(
  'function_declaration generator_function_declaration method_definition function_definition method_declaration ' +
    'constructor_declaration compact_constructor_declaration destructor_declaration local_function_statement function_item ' +
    'function_signature method_signature abstract_method_signature function_signature_item method singleton_method ' +
    'function_statement class_method_definition macro_definition secondary_constructor operator_declaration ' +
    'conversion_operator_declaration indexer_declaration delegate_declaration method_elem preproc_function_def',
);
const values = words(
  'public_field_definition field_definition property_signature field_declaration property_declaration const_declaration ' +
    'constant_declaration var_declaration const_item static_item type_item variable_assignment class_property_definition setting ' +
    'event_declaration event_field_declaration enum_constant enum_entry enum_member_declaration enum_assignment enum_variant ' +
    'val_definition var_definition val_declaration var_declaration type_definition given_definition alias_declaration ' +
    'declaration preproc_def lexical_declaration variable_declaration enum_case type_alias alias',
);
/** Nodes around a declaration that belong to it. */
const wrappers = words(
  'export_statement decorated_definition ambient_declaration template_declaration expression_statement global_statement ' +
    'declaration_list_item attributed_statement',
);
const leads = /comment|^attribute_item$|^decorator$|^attribute_list$|^annotation$|^inner_attribute_item$/;
const bodies =
  /^(?:.*_body|body_statement|block|statement_block|declaration_list|field_declaration_list|enumerator_list|enum_variant_list|enum_member_declaration_list|statement_list|template_body|do_block|compound_statement|keyframe_block_list|object_type|interface_type|struct_type|switch_body|preproc_if|preproc_ifdef|preproc_else|preproc_elif)$/;
const leaves =
  /^(?:return_statement|return_expression|throw_statement|throw_expression|raise_statement|raise|return|jump_expression)$/;
/** Maximum depth of nodes that are visited. */
const deepest = 60;

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

/** All declarations below a node. @param shift lines before the text that are none of it */
export function treeDeclarations(root: Node, shift: number): Declaration[] {
  const found: Declaration[] = [];
  visit(root, -1, true, 0, found, shift);
  return found;
}

/** Visits the statements of a program, or the members of a body. */
function visit(list: Node, parent: number, isOuter: boolean, depth: number, found: Declaration[], shift: number): void {
  if (depth > deepest) return;
  let lead: Node | undefined;
  let before: Node | undefined;
  for (const node of list.namedChildren) {
    if (node === null) continue;
    if (bodies.test(node.type)) {
      visit(node, parent, isOuter, depth + 1, found, shift);
      lead = undefined;
    } else if (leads.test(node.type)) {
      const isBeside = before !== undefined && before.endPosition.row === node.startPosition.row;
      if (!isBeside && (lead === undefined || lastRow(before ?? lead) < node.startPosition.row - 1)) lead = node;
      else if (isBeside) lead = undefined;
    } else {
      const isAbove = lead !== undefined && before !== undefined && lastRow(before) === node.startPosition.row - 1;
      declare(
        node,
        isAbove || lead?.startPosition.row === node.startPosition.row ? lead : undefined,
        parent,
        isOuter,
        depth,
        found,
        shift,
      );
      lead = undefined;
    }
    before = node;
  }
}

const lastRow = ({ startPosition, endPosition }: Node): number =>
  endPosition.column === 0 && endPosition.row > startPosition.row ? endPosition.row - 1 : endPosition.row;

function declare(
  outer: Node,
  lead: Node | undefined,
  parent: number,
  isOuter: boolean,
  depth: number,
  found: Declaration[],
  shift: number,
): void {
  const node = unwrapped(outer);
  const kind = kindOf(node, isOuter);
  const name = kind === undefined ? undefined : nameOfNode(node);
  let [own, container] = [parent, isOuter];
  if (kind !== undefined && name !== undefined) {
    container = kind === 'type' || kind === 'call';
    const body = bodyOf(node);
    const head = headRow(outer, node);
    own = found.length;
    found.push({
      key: `${kind}:${name}`,
      lead: Math.min(lead?.startPosition.row ?? head, outer.startPosition.row) - shift,
      head: head - shift,
      signature: '',
      end: lastRow(outer) + 1 - shift,
      parent,
      body: body && rangeOf(body, shift),
      isContainer: container,
    });
  } else if (/function|method|lambda|closure/.test(node.type)) container = false;
  enter(node, own, container, depth, found, shift);
}

/** Visits what a node holds, as far as it has more than one line. */
function enter(node: Node, parent: number, isOuter: boolean, depth: number, found: Declaration[], shift: number): void {
  if (depth > deepest || node.startPosition.row === node.endPosition.row) return;
  if (node.type === 'section') {
    visit(node, parent, isOuter, depth + 1, found, shift);
    return;
  }
  for (const child of node.namedChildren) {
    if (child === null || child.startPosition.row === child.endPosition.row) continue;
    if (bodies.test(child.type)) visit(child, parent, isOuter, depth + 1, found, shift);
    else if (kindOf(unwrapped(child), isOuter) === 'type' && nameOfNode(unwrapped(child)) !== undefined)
      declare(child, undefined, parent, isOuter, depth + 1, found, shift);
    else enter(child, parent, isOuter && !/function|lambda|closure|block/.test(child.type), depth + 1, found, shift);
  }
}

function unwrapped(node: Node): Node {
  let inner = node;
  for (let depth = 0; depth < 4 && wrappers.has(inner.type); depth++) {
    const next = inner.namedChildren.findLast((child) => child !== null && !leads.test(child.type));
    if (next === null || next === undefined) break;
    inner = next;
  }
  return inner;
}

type Kind = 'type' | 'function' | 'value' | 'call';

function kindOf(node: Node, isOuter: boolean): Kind | undefined {
  const { type } = node;
  if (types.has(type)) return 'type';
  if (functions.has(type)) return 'function';
  if (type === 'call_expression' || type === 'call' || type === 'method_invocation') return 'call';
  if (!isOuter) return isFunctionValue(node) ? 'function' : undefined;
  if (type === 'assignment' || type === 'assignment_expression') return isFunctionValue(node) ? 'function' : 'value';
  if (!values.has(type)) return undefined;
  return isFunctionValue(node) ? 'function' : 'value';
}

/** Whether a name is given a function: `const total = () => …`. */
function isFunctionValue(node: Node): boolean {
  if (
    !/^(?:lexical_declaration|variable_declaration|assignment|assignment_expression|public_field_definition|field_definition)$/.test(
      node.type,
    )
  )
    return false;
  const holder = node.type.endsWith('_declaration')
    ? node.namedChildren.find((child) => child?.type === 'variable_declarator')
    : node;
  const value = holder?.childForFieldName('value') ?? holder?.childForFieldName('right');
  return /^(?:arrow_function|function_expression|generator_function|lambda)$/.test(value?.type ?? '');
}

/** The line that names a declaration: behind decorators and comments that are part of it. */
function headRow(outer: Node, node: Node): number {
  const name = nodeStart(node);
  return Math.max(outer.startPosition.row, name);
}

function nodeStart(node: Node): number {
  const first = node.namedChildren.find(
    (child) => child !== null && !leads.test(child.type) && child.type !== 'modifiers',
  );
  const named = node.childForFieldName('name') ?? first;
  return Math.min(named?.startPosition.row ?? node.startPosition.row, node.endPosition.row);
}

function bodyOf(node: Node): Node | undefined {
  if (node.type === 'section') return node.namedChild(1) === null ? undefined : node;
  const body = node.childForFieldName('body');
  if (body !== null) return body;
  for (const child of node.namedChildren) {
    if (child === null || child.startPosition.row === child.endPosition.row) continue;
    if (bodies.test(child.type)) return child;
  }
  for (const child of node.namedChildren) {
    if (child === null || child.startPosition.row === child.endPosition.row) continue;
    const inner = bodyOf(child);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/** The lines of a body without those of its brackets. */
function rangeOf(body: Node, shift: number): Declaration['body'] {
  const hasBracket = /^[{[(]/.test(body.text.slice(0, 1)) || body.type === 'do_block';
  if (body.type === 'section') return { first: body.startPosition.row + 1 - shift, end: lastRow(body) + 1 - shift };
  const first = body.startPosition.row + (hasBracket ? 1 : 0);
  const end = hasBracket ? body.endPosition.row : lastRow(body) + 1;
  return end < first ? undefined : { first: first - shift, end: end - shift };
}

/** Lines with statements behind one that leaves their block. */
export function deadRows(root: Node): number[] {
  const rows: number[] = [];
  const walk = (node: Node, depth: number): void => {
    if (depth > deepest || node.startPosition.row === node.endPosition.row) return;
    let hasLeft = false;
    for (const child of node.namedChildren) {
      if (child === null) continue;
      const inner = child.type === 'expression_statement' ? (child.namedChild(0) ?? child) : child;
      const isStatement =
        /statement|expression|declaration|assignment|call$/.test(child.type) && !leads.test(child.type);
      if (
        hasLeft &&
        isStatement &&
        !/^(?:function|class|local_function|case|switch|labeled|default|else|elif)/.test(child.type)
      )
        rows.push(child.startPosition.row);
      if (/^(?:case|default|labeled|switch_label)/.test(child.type)) hasLeft = false;
      hasLeft ||= leaves.test(inner.type) && isBlock(node);
      walk(child, depth + 1);
    }
  };
  walk(root, 0);
  return rows;
}

/** Whether a node's children are statements that follow one another. */
function isBlock({ type }: Node): boolean {
  return /^(?:block|statement_block|compound_statement|statement_list|function_body|body_statement|method_body|then|else|statements)$/.test(
    type,
  );
}

/** How many brackets of a tree are out of balance; its grammar may lack other things that the language has. */
export function openBrackets(root: Node): number {
  return sumOfErrors(root, (node) => {
    const missing = node.isMissing && brackets.has(node.type) ? 1 : 0;
    return missing + (node.isError ? Math.abs(balanceOf(node)) : 0);
  });
}

/** How often a tree breaks its grammar, in whatever way. */
export function errorCount(root: Node): number {
  if (!root.hasError) return 0;
  const count = sumOfErrors(root, (node) => (node.isError || node.isMissing ? 1 : 0));
  return Math.max(1, count);
}

/** Adds up what a node counts, over those with an error within. */
function sumOfErrors(root: Node, countOf: (node: Node) => number): number {
  if (!root.hasError) return 0;
  let count = 0;
  const walk = (node: Node, depth: number): void => {
    count += countOf(node);
    if (!node.hasError || depth > 200) return;
    for (const child of node.children) if (child !== null) walk(child, depth + 1);
  };
  walk(root, 0);
  return count;
}

const brackets: ReadonlyMap<string, number> = new Map([
  ...['{', '[', '('].map((sign): [string, number] => [sign, 1]),
  ...['}', ']', ')', 'end'].map((sign): [string, number] => [sign, -1]),
]);

function balanceOf(node: Node): number {
  return node.children.reduce(
    (sum, child) => sum + (child === null || child.isMissing ? 0 : (brackets.get(child.type) ?? 0)),
    0,
  );
}
