import type { ChipView } from './messageProtocol.ts';

/** What will go along with the new version of a question that is being edited. */
export interface EditedView {
  readonly message: string;
  readonly chips: readonly ChipView[];
}

/** A message about a box where a question is written: with `of`, the id of a question that is being edited; else the message box. */
export interface OfQuestion {
  readonly of?: string | undefined;
}

/** A question is being edited from now on, or no longer: what was attached to it meanwhile is forgotten then. */
export interface FromEdited {
  readonly type: 'beginEdit' | 'endEdit';
  readonly message: string;
}
