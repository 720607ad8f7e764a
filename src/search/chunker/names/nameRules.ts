import type { Entering, NameFinder, NameLevel } from './nameFinders.ts';
import { grammarForms } from './nameForms.ts';

/** How the names in the syntax trees of a grammar are found, by the types of nodes. */
export interface NameRules {
  declares: Readonly<Record<string, NameFinder>>;
  /** The level inside nodes of these types; inside others it stays. */
  levels: Readonly<Record<string, NameLevel>>;
  /** Nodes that are entered though they stand on one line. */
  enters: Entering;
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
  } = grammarForms[grammar] ?? {};
  const byField: NameFinder = (cursor) => [cursor.currentNode.childForFieldName('name')];
  const onOuter: NameFinder = (cursor, _, level) =>
    level === 'outer' ? cursor.currentNode.childrenForFieldName('name') : [];
  return {
    declares: {
      ...each(named, byField),
      ...each(grammarForms[grammar]?.namedOuter ?? '', onOuter),
      ...finders,
    },
    levels: { ...each(outer, 'outer'), ...each(local, 'local'), ...each(none, 'none') },
    enters: { ...each(enters, () => true), ...entersIf },
    nameIn: isData ? dataName : plainName,
    // The type of a token is its text: a sign, or a keyword, which has no children.
    isToken: (type) => type.charCodeAt(0) < 65 || type.charCodeAt(0) > 122,
    inFunctions: grammarForms[grammar]?.inFunctions ?? /./,
  };
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
