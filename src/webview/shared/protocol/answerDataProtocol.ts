/** An answer that was asked for as JSON, as the page shows it. Every text of it is the model's or a schema's: never trusted. */
export interface AnswerDataView {
  /** JSON that can be read, at most 100 levels deep; absent where the answer has none. */
  readonly json?: string | undefined;
  /** Why the answer cannot be shown as JSON, or what there is to know of the check besides: sentences. */
  readonly notes: readonly string[];
  /** Whether that is a fault of the answer. */
  readonly isBroken: boolean;
  /** How it stands with the schema, in one line; absent where there was none. */
  readonly summary?: string | undefined;
  readonly violations: readonly ViolationView[];
  /** Whether a next question may ask for it in a better form. */
  readonly canFix: boolean;
}

/** What is wrong at a place. */
export interface ViolationView {
  readonly path: readonly (string | number)[];
  /** The path as a person reads it. */
  readonly place: string;
  readonly sentence: string;
}

/** What the page asks of the host about such an answer. */
export type FromAnswerData =
  /** The answer is `data`. */
  | { readonly type: 'showData'; readonly message: string }
  /** Copies the JSON, or its type as code. */
  | { readonly type: 'copyData'; readonly message: string; readonly as: 'json' | 'typescript' | 'zod' }
  /** Asks for it once more, by what is wrong with it. */
  | { readonly type: 'fixData'; readonly message: string };
