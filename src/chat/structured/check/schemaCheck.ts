import type { Fault, Unchecked } from '../violation.ts';
import type { Effort, TextPattern } from './textPattern.ts';

/** The place of a value: the way to it from the outside in, as a chain. */
export interface ValuePlace {
  readonly key: string | number;
  readonly outer: ValuePlace | undefined;
}

/** What the parts of a check share. */
export interface SchemaCheck {
  readonly effort: Effort;
  /** Checks a value, and gives whether it fits. Faults are told. */
  fits(schema: unknown, value: unknown, place: ValuePlace | undefined): boolean;
  /** Whether a value fits, with no fault told. */
  isFit(schema: unknown, value: unknown, place: ValuePlace | undefined): boolean;
  /** Tells what is wrong at a place. */
  fault(place: ValuePlace | undefined, fault: Fault): false;
  /** Notes a part of the schema that is passed over. */
  pass(kind: Unchecked['kind'], text: string): void;
  /** A pattern of the schema, ready to be matched; undefined for one that is not checked. */
  pattern(source: string): TextPattern | undefined;
}
