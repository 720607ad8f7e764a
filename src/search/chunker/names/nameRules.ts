import type { NameRole } from '../../../syntax/lines/definedNames.ts';
import type { Entering, NameFinder, NameLevel } from './nameFinders.ts';
import { grammarForms } from './nameForms.ts';

/** What a type of nodes says about names. */
interface NodeKind {
  /** Finds the names that a node of the type declares. */
  find?: NameFinder;
  /** The level inside it; else it stays. */
  level?: NameLevel;
  /** What such a declaration is to its name. */
  role?: NameRole;
  /** Whether it is entered though it stands on one line. */
  enters?: Entering[string];
}

/** How the names in the syntax trees of a grammar are found. */
export interface NameRules {
  kinds: ReadonlyMap<string, NodeKind>;
  /** The name in the text of a node; undefined when there is none that could be asked for. */
  nameIn(text: string): string | undefined;
  isToken(type: string): boolean;
  /** What a text in a function has that declares something itself. */
  inFunctions: RegExp;
}

const known = new Map<string, NameRules>();

/** The rules of a grammar. */
export function rulesOf(grammar: string): NameRules {
  const rules = known.get(grammar) ?? createRules(grammar);
  known.set(grammar, rules);
  return rules;
}

function createRules(grammar: string): NameRules {
  const {
    named = '',
    outer = '',
    local = '',
    none = '',
    finders = {},
    enters = '',
    entersIf = {},
    isData,
    inFunctions,
    namedOuter = '',
  } = grammarForms[grammar] ?? {};
  const byField: NameFinder = (cursor) => [cursor.currentNode.childForFieldName('name')];
  const onOuter: NameFinder = (cursor, _, level) =>
    level === 'outer' ? cursor.currentNode.childrenForFieldName('name') : [];
  const finds = { ...each(named, byField), ...each(namedOuter, onOuter), ...finders };
  const levels = { ...each(outer, 'outer'), ...each(local, 'local'), ...each(none, 'none') };
  const entering = { ...each(enters, () => true), ...entersIf };
  const kinds = new Map<string, NodeKind>();
  const put = (type: string, part: NodeKind): unknown => kinds.set(type, { ...kinds.get(type), ...part });
  for (const [type, find] of Object.entries(finds)) put(type, { find, role: roleOf(type) });
  for (const [type, level] of Object.entries(levels)) put(type, { level: level as NameLevel });
  for (const [type, enters] of Object.entries(entering)) put(type, { enters });
  return {
    kinds,
    nameIn: isData ? dataName : plainName,
    // The type of a token is its text: a sign, or a keyword, which has no children.
    isToken: (type) => type.charCodeAt(0) < 65 || type.charCodeAt(0) > 122,
    inFunctions: inFunctions ?? /(?:)/,
  };
}

/** What adds to a name that is declared elsewhere, or gives a type a member. */
const mentions =
  /^(?:impl_item|extension_definition|given_definition|\w*field_declaration|\w*field_definition|property_signature|property_element|class_parameter)$/;
const types =
  /^(?:\w+_)?(?:class|interface|struct|enum|union|record|trait|object|type)(?:_\w+)?_(?:declaration|definition|item|specifier|spec|statement|alias)$|^(?:class|type_spec|type_alias|type_definition|type_item|concept_definition)$/;

function roleOf(type: string): NameRole {
  return mentions.test(type) ? 'mention' : types.test(type) ? 'type' : 'other';
}

function each<T>(types: string, value: T): Record<string, T> {
  return Object.fromEntries(types.split(' ').map((type) => [type, value]));
}

/** Words that stand where a name does, and are none. */
const noNames = new Set('constructor default _'.split(' '));

/**
 * A name without what belongs to its use or its type: `Y<T>` gives `Y`, `Acme::Deep` gives `Deep`, `$width` gives `width`,
 * `empty?` gives `empty`.
 */
function plainName(text: string): string | undefined {
  const bare = text.replace(/^(?:&|\$|#|@|'\w{1,40}\s|mut\s|dyn\s|\s){1,20}/, '').replace(/[<([\n].*$/s, '');
  const last = bare.slice(Math.max(...[...'.:\\'].map((sign) => bare.lastIndexOf(sign))) + 1);
  const name = /^[\p{L}_$][\p{L}\p{N}_$-]{0,99}(?=[?!=]?$)/u.exec(last.trim())?.[0];
  return name === undefined || noNames.has(name) || !/\p{L}/u.test(name) ? undefined : name;
}

/** A name in a text of settings or styles: as it stands there. */
function dataName(text: string): string | undefined {
  const name = text.trim();
  return /^[^"'\s]{1,100}$/u.test(name) && /\p{L}/u.test(name) ? name : undefined;
}
