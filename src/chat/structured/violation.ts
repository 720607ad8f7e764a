/** The way to a value within an answer: names of members and places in lists, from the outside in. */
export type ValuePath = readonly (string | number)[];

/** What is wrong at a place of an answer. */
export interface Violation {
  readonly path: ValuePath;
  readonly fault: Fault;
}

/** Where a schema is not met, as data. Texts in it are of the schema or of the answer. */
export type Fault =
  | { readonly kind: 'type'; readonly wanted: readonly string[]; readonly found: string }
  | { readonly kind: 'missing'; readonly name: string }
  | { readonly kind: 'extra' | 'name' | 'never' | 'not' | 'anyOf' | 'contains' }
  /** As JSON, cut where there are many. */
  | { readonly kind: 'enum' | 'const'; readonly wanted: string }
  | { readonly kind: 'oneOf'; readonly matches: number }
  | {
      readonly kind:
        | ('minimum' | 'maximum' | 'above' | 'below' | 'multipleOf')
        | ('minLength' | 'maxLength' | 'minItems' | 'maxItems' | 'minProperties' | 'maxProperties');
      readonly bound: number;
    }
  | { readonly kind: 'pattern' | 'format'; readonly wanted: string }
  | { readonly kind: 'same'; readonly index: number }
  | { readonly kind: 'needs'; readonly name: string; readonly by: string };

/** A part of a schema that was not checked. */
export interface Unchecked {
  readonly kind: 'remote' | 'lost' | 'circle' | 'pattern' | 'keyword' | 'deep';
  /** What the schema has there. */
  readonly text: string;
}

/** `places[2].name`; empty for the whole answer. */
export function pathText(path: ValuePath): string {
  return path
    .map((key, index) => {
      if (typeof key === 'number') return `[${key}]`;
      if (/^[\p{L}_$][\p{L}\p{M}\p{N}_$-]*$/u.test(key)) return index === 0 ? key : `.${key}`;
      return `[${JSON.stringify(key)}]`;
    })
    .join('');
}
