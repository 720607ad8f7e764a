/** What the drawer of parameters is told. */

/** How a field of the request is written: see `chat/parameters`. */
export type FieldKind = 'number' | 'switch' | 'text' | 'lines' | 'json' | 'word';

/** A field of the chat request, as the drawer shows it. */
export interface FieldView {
  /** As it is sent. */
  readonly name: string;
  readonly kind: FieldKind;
  readonly label: string;
  /** What it does, in one line. */
  readonly detail: string;
  /** The values it takes, in words. */
  readonly values: string;
  /** The heading above it. */
  readonly group: string;
  /** Words that are offered. */
  readonly words: readonly string[];
}

/** What a field is set to, as a person would write it. */
export interface FieldState {
  /** What the conversation has of its own. */
  readonly own?: string | undefined;
  readonly inSettings?: string | undefined;
  /** What becomes of it on its way, where it does not go as it is: a sentence. */
  readonly remark?: string | undefined;
  /** Whether it does not go at all. */
  readonly isOff?: boolean | undefined;
}

/** A field that `parley.chat.extraBody` sets, as it would be sent. */
export interface ExtraFieldView {
  readonly name: string;
  /** JSON in one line; a long value is cut. */
  readonly value: string;
  /** What becomes of it on its way, where it does not go as it is: a sentence. */
  readonly remark?: string | undefined;
  readonly isOff?: boolean | undefined;
}

/** What a conversation is asked with, besides its model. */
export interface DrawerView {
  /** By the name of the field; those of which there is nothing to say are absent. */
  readonly fields: Readonly<Record<string, FieldState>>;
  /** What the setting `parley.chat.extraBody` adds to each request, for all conversations; empty where it sets nothing. */
  readonly extra: readonly ExtraFieldView[];
  readonly files: readonly { readonly id: string; readonly label: string; readonly isSent: boolean }[];
  readonly hasSystemPrompt: boolean;
  readonly hasModel: boolean;
}
