import type { MarkdownIt } from 'markdown-it';
import type { FileReferences } from '../markdown/fileReferences.ts';
import type { FromChatPanel, Strings } from '../shared/protocol.ts';
import type { Edits } from './edits.ts';

/** The page, as every part of the panel is given it. */
export interface Page {
  readonly strings: Strings;
  readonly markdown: MarkdownIt;
  readonly files: FileReferences;
  readonly edits: Edits;
  post(message: FromChatPanel): void;
  /** Says something to a screen reader, once. */
  announce(text: string): void;
  /** Puts the caret into the message box. */
  focusBox(): void;
}
