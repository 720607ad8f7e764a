/** A declaration with all of its lines: a function, a class, a field, a test, a rule of CSS, a key of JSON. */
export interface Declaration {
  /** Its kind and name: `function:total`. Two forms of one declaration have the same key. */
  readonly key: string;
  /** The first line of comments and decorators right above it, from 0. */
  readonly lead: number;
  /** The line that names it. */
  readonly head: number;
  /** The line after its last. */
  readonly end: number;
  /** The line that names it, with single blanks: it tells overloads apart. */
  readonly signature: string;
  /** The index of the declaration around it, in the list of all; -1 for none. */
  readonly parent: number;
  /** The lines between its brackets, or below its head, where members of it stand; `end` is the line after the last. */
  readonly body: { readonly first: number; readonly end: number } | undefined;
  /** Whether others use what is declared within it: a class, a suite of tests, an object of JSON; not a function. */
  readonly isContainer: boolean;
}

/** What the syntax of a text says. */
export interface TextSyntax {
  /** In the order of their heads, those within others too. */
  readonly declarations: readonly Declaration[];
  /** Places at which the text breaks the grammar, which may lack what the language has. Always 0 without a grammar. */
  readonly errors: number;
  /** Brackets out of balance. */
  readonly unbalanced: number;
  /** Lines, from 0, with a statement that is never reached, as it stands behind a `return` of its block. */
  readonly dead: readonly number[];
  /** Whether the text is members of a type without the type around them, such as a method alone. */
  readonly isMembers: boolean;
}
