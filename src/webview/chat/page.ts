import type { MarkdownIt } from 'markdown-it';
import type { FileReferences } from '../markdown/fileReferences.ts';
import type { Formulas } from '../markdown/formulas.ts';
import type { FromChatPanel, Strings } from '../shared/protocol.ts';

/** The page, as every part of the panel is given it. */
export interface Page {
  readonly strings: Strings;
  readonly markdown: MarkdownIt;
  readonly files: FileReferences;
  readonly formulas: Formulas;
  post(message: FromChatPanel): void;
  /** Says something to a screen reader, once. */
  announce(text: string): void;
  /** Puts the caret into the message box. */
  focusBox(): void;
}
