import type { Strings } from '../../shared/protocol/protocol.ts';
import type { FileReferences } from '../fileReferences.ts';
import type { CodeWrap } from './wrap.ts';

/** The actions of a code block's buttons; `message` is the answer that it is of. */
export interface CodeActions {
  copy(code: string): void;
  insert(code: string, message?: string): void;
  /** @param path of the file that the answer names for the code */
  apply(code: string, path: string | undefined, message?: string): void;
  newFile(code: string, language: string, message?: string): void;
  runInTerminal(code: string, language: string): void;
  /** Shows the diagram that the code describes. */
  preview(code: string): void;
}

/** The parts of the page that its code blocks share. */
export interface CodePage {
  readonly strings: Strings;
  readonly actions: CodeActions;
  readonly wrap: CodeWrap;
  readonly files: FileReferences;
}
