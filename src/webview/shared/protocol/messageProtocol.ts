/** The place of a message among its versions, counted from 1, and the ids of those beside it. */
export interface VersionsView {
  readonly at: number;
  readonly of: number;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

export interface QuestionView {
  readonly role: 'user';
  readonly id: string;
  readonly text: string;
  /** The prompt that worded it. */
  readonly label?: string | undefined;
  readonly chips: readonly ChipView[];
  /** Absent where there is one version. */
  readonly versions?: VersionsView | undefined;
}

/** An answer that failed or was stopped keeps the text that came. */
export type AnswerState = 'streaming' | 'complete' | 'stopped' | 'failed';

export interface AnswerView {
  readonly role: 'assistant';
  readonly id: string;
  /** Markdown that the model wrote: never trusted. */
  readonly text: string;
  /** Thoughts of the model, where it shows them. */
  readonly reasoning: string;
  readonly state: AnswerState;
  /** Model, tokens and times in one line; absent while nothing is known. */
  readonly summary?: string | undefined;
  /** The numbers behind the summary: a label and a value each, with the seconds of what is a part of the service's time. */
  readonly details: readonly (readonly [label: string, value: string, seconds?: number])[];
  /** A note about an answer that did not fail: stopped, at its token limit, empty. */
  readonly note?: string | undefined;
  /** The reason why it failed. `action` is the title of the one action that helps, besides Retry. */
  readonly error?: { readonly sentence: string; readonly action?: string | undefined } | undefined;
  /** Calls that the model asks for; nothing of a call is trusted. */
  readonly calls?: readonly { readonly name: string; readonly arguments: string }[] | undefined;
  /** Whether it was asked for as JSON, and can be shown as such. */
  readonly hasData?: boolean | undefined;
  /** Whether it can be shown how sure the model was. */
  readonly hasConfidence?: boolean | undefined;
  /** Whether it was cut, and can go on from its last words. */
  readonly canContinue?: boolean | undefined;
  /** Whether its request can be sent once more, in the way of then. */
  readonly canReplay?: boolean | undefined;
  /** The answer that it is a replay of, where the two differ. */
  readonly differsFrom?: string | undefined;
  /** How many answers were asked for with it that the service did not give. */
  readonly missing?: number | undefined;
  /** Absent where there is one version. */
  readonly versions?: VersionsView | undefined;
}

export type MessageView = QuestionView | AnswerView;

/** A piece of context attached to a question: `label` is short (`name.ts:3-9`), `title` says the whole path. */
export interface ChipView {
  readonly id: string;
  readonly label: string;
  readonly title: string;
  /** About how many tokens a model reads in it, in short: `1.2k`. */
  readonly tokens?: string;
  /** A codicon. */
  readonly icon?: string;
}

/**
 * The file that is open in the editor: it goes along with the next question, or not, or the model has read it as it is with an
 * earlier one.
 */
export interface OpenFileView {
  readonly chip: ChipView;
  readonly state: 'on' | 'off' | 'known';
}
