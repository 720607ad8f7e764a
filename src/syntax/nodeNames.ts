import type { Node } from '@vscode/tree-sitter-wasm';

/** The longest name, in characters. */
const longest = 200;

/** The name by which a declaration is known beside others of its kind; undefined for a node that declares nothing by a name. */
export function nameOfNode(node: Node): string | undefined {
  const form = forms[node.type];
  const name = form === undefined ? byField(node) : form(node);
  const text = name?.replace(/\s+/g, ' ').trim();
  return text === undefined || text === '' || text.length > longest ? undefined : text;
}

type Namer = (node: Node) => string | undefined;

function byField(node: Node): string | undefined {
  const named = node.childForFieldName('name')?.text;
  if (named !== undefined) return withAccess(node, named);
  const declarator = node.childForFieldName('declarator');
  if (declarator !== null) return declared(declarator);
  const first = node.namedChildren.find(
    (child) =>
      child !== null &&
      /^(?:simple_identifier|type_identifier|identifier|simple_name|function_name|property_name)$/.test(child.type),
  );
  return first?.text;
}

/** A getter and a setter of one name are two. */
function withAccess(node: Node, name: string): string {
  const access = node.children.find((child) => child !== null && /^(?:get|set|static)$/.test(child.type))?.type;
  return access === 'get' || access === 'set' ? `${access} ${name}` : name;
}

/** The name in a declarator of C or C++: `(*name)(int)`, `&Gate::name() const`. */
function declared(declarator: Node): string | undefined {
  let node: Node | null = declarator;
  for (let depth = 0; node !== null && depth < 20; depth++) {
    if (/^(?:qualified_identifier|destructor_name|operator_name)$/.test(node.type) || node.type.endsWith('identifier'))
      return node.text;
    if (node.type === 'variable_declarator' && node.childForFieldName('name') !== null)
      return node.childForFieldName('name')?.text;
    node = node.childForFieldName('declarator') ?? node.childForFieldName('name') ?? node.namedChild(0);
  }
  return undefined;
}

const headOf: Namer = (node) => {
  const body = node.childForFieldName('body');
  const end = body === null ? node.text.indexOf('{') : Math.max(0, body.startIndex - node.startIndex);
  return node.text.slice(0, Math.min(end < 0 ? node.text.length : end, longest + 1)).trim();
};

/** All names that a node with several declarators gives. */
const declarators: Namer = (node) => {
  const names = node.namedChildren.flatMap((child) =>
    child !== null &&
    /(?:declarator|_spec|property_element|const_element|variable_declaration|variable_assignment)$/.test(child.type)
      ? (child.childForFieldName('name')?.text ?? declaratorsIn(child))
      : [],
  );
  return names.length === 0 ? undefined : names.join(', ');
};

function declaratorsIn(node: Node): string {
  const inner = node.namedChildren.filter((child) => child?.type === 'variable_declarator');
  if (inner.length > 0)
    return inner.map((child) => child?.childForFieldName('name')?.text ?? child?.text ?? '').join(', ');
  return node.namedChildren.find((child) => child?.type.endsWith('identifier'))?.text ?? '';
}

/** A call that is known by its first text: `it('adds')`, `app.get('/orders')`, `describe 'Order' do`. */
const call: Namer = (node) => {
  const callee = node.childForFieldName('function') ?? node.childForFieldName('method') ?? node.namedChild(0);
  const list =
    node.childForFieldName('arguments') ?? node.namedChildren.find((child) => child?.type.includes('argument'));
  const receiver = node.childForFieldName('receiver')?.text;
  const first = list?.namedChild(0);
  if (callee === null || first === null || first === undefined) return undefined;
  if (
    !/^(?:string|string_literal|template_string|interpreted_string_literal|simple_symbol|encapsed_string)$/.test(
      first.type,
    )
  )
    return undefined;
  const isDeclaring =
    node.startPosition.row < node.endPosition.row ||
    /\.(?:get|post|put|patch|delete|use|all|on|route)$/.test(callee.text);
  if (!isDeclaring || callee.text.length > 60 || first.text.length > longest / 2) return undefined;
  return `${receiver === undefined ? '' : `${receiver}.`}${callee.text} ${first.text.replace(/^["'`:]|["'`]$/g, '')}`;
};

const assigned: Namer = (node) => {
  const left = node.childForFieldName('left');
  return left === null || left.text.length > 80 || !/^[\w$.@:[\]'"]+$/u.test(left.text) ? undefined : left.text;
};

const forms: Readonly<Record<string, Namer>> = {
  impl_item: headOf,
  singleton_class: headOf,
  extension_definition: headOf,
  media_statement: headOf,
  supports_statement: headOf,
  at_rule: headOf,
  type_declaration: declarators,
  rule_set: (node) => node.namedChildren.find((child) => child?.type === 'selectors')?.text,
  keyframes_statement: (node) => node.namedChildren.find((child) => child?.type === 'keyframes_name')?.text,
  section: (node) => node.namedChildren.find((child) => child?.type === 'section_name')?.text,
  setting: (node) => node.namedChildren.find((child) => child?.type === 'setting_name')?.text,
  singleton_method: (node) => `self.${node.childForFieldName('name')?.text ?? ''}`,
  companion_object: (node) => byField(node) ?? 'companion',
  constructor_declaration: (node) => `${byField(node) ?? ''}${signature(node)}`,
  method_declaration: (node) => {
    const receiver = node.childForFieldName('receiver')?.text.replace(/^\(\s*(?:\w+\s+)?\*?|\)$/g, '');
    const name = node.childForFieldName('name')?.text;
    return receiver === undefined || name === undefined ? name : `${receiver}.${name}`;
  },
  lexical_declaration: declarators,
  variable_declaration: declarators,
  const_declaration: declarators,
  var_declaration: declarators,
  property_declaration: (node) => node.childForFieldName('name')?.text ?? declarators(node) ?? byField(node),
  field_declaration: (node) => declarators(node) ?? byField(node),
  event_field_declaration: declarators,
  constant_declaration: declarators,
  enum_case: byField,
  field_definition: (node) => node.childForFieldName('property')?.text,
  assignment: assigned,
  assignment_expression: assigned,
  call_expression: call,
  call,
  method_invocation: call,
};

/** The parameters of a constructor: all have one name. */
function signature(node: Node): string {
  return node.childForFieldName('parameters')?.text.replace(/\s+/g, ' ') ?? '';
}
