/** The messages about answers that stand side by side. `Column` is an answer with its head, `Change` a numbered change of one. */

/** What stands above an answer in its column. */
export interface ColumnHead {
  /** The model, or the preset, that it was asked with. */
  readonly name: string;
  /** Times, tokens, cost and end, in words, as far as they are known. */
  readonly figures: readonly string[];
  /** Its place among all versions, counted from 1, and how many there are. */
  readonly at: number;
  readonly of: number;
  /** The versions that can stand in its place: none of another column. */
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  /** Whether it is the version that the conversation goes on with. */
  readonly isChosen: boolean;
}

/** Versions of one answer side by side. */
export interface ComparisonView<Column> {
  /** Another one each time that other versions are compared: changes are for this one alone. */
  readonly id: string;
  /** The number of the last change that is in the columns. */
  readonly seq: number;
  /** The beginning of the question that they answer. */
  readonly question: string;
  readonly columns: readonly Column[];
}

export type ToComparison<Column, Change> =
  /** Shows versions side by side, or none any more. @param isAskedFor whether the user did that just now, with the focus in the page */
  | {
      readonly type: 'comparison';
      readonly comparison?: ComparisonView<Column> | undefined;
      readonly isAskedFor: boolean;
    }
  | { readonly type: 'columns'; readonly patches: readonly Change[] }
  /** The user wants answers to be compared: the answer is `compareAnswers` with what is in the box. */
  | { readonly type: 'offerComparison' | 'offerRequest' }
  /** This text was asked: it leaves the box. */
  | { readonly type: 'wasAsked'; readonly text: string };

export type FromComparison =
  /** Has the user choose who answers the text, and asks them all. Empty: the last question, again. */
  | { readonly type: 'compareAnswers'; readonly text: string }
  /** Shows an answer and its other versions side by side. */
  | { readonly type: 'openComparison'; readonly message: string }
  | { readonly type: 'closeComparison' }
  /** Shows another version in a column. */
  | { readonly type: 'stepColumn'; readonly column: number; readonly message: string }
  /** Everything up to this change is on the page. */
  | { readonly type: 'columnsDrawn'; readonly seq: number }
  /** Goes on with this version, alone. */
  | { readonly type: 'goOnWith'; readonly message: string }
  /** Asks for the answers that the service did not give with this one. */
  | { readonly type: 'askMissing'; readonly message: string };
