import type { MarkdownIt } from 'markdown-it';
import type { CodeActions, CodePage } from '../markdown/code/codePage.ts';
import type { CodeWrap } from '../markdown/code/wrap.ts';
import { createFileReferences, type FileReferences } from '../markdown/fileReferences.ts';
import { createFormulas, type Formulas, type MathBundle } from '../markdown/formulas.ts';
import { createMarkdown } from '../markdown/markdown.ts';
import type { Hold } from '../parts/keepPlace.ts';
import type { AnswerDataView } from '../shared/protocol/answerDataProtocol.ts';
import type { ConfidenceView } from '../shared/protocol/confidenceProtocol.ts';
import type { FromChatPanel, Strings } from '../shared/protocol/protocol.ts';
import type { Edits } from './edits.ts';

/** The page, as every part of the panel is given it. */
export interface Page {
  readonly strings: Strings;
  readonly markdown: MarkdownIt;
  readonly files: FileReferences;
  readonly formulas: Formulas;
  readonly code: CodePage;
  /** Whether the end of the conversation is in sight, where answers grow. */
  isFollowing(): boolean;
  /** Keeps something in its place on the screen through a change. */
  readonly hold: Hold;
  readonly edits: Edits;
  /** What waits for how sure the model was of an answer, by the answer's id. */
  readonly confidences: Map<string, (view: ConfidenceView | string) => void>;
  /** What waits for an answer as data, by the answer's id. */
  readonly data: Map<string, (view: AnswerDataView) => void>;
  /** Makes a change that may move what stands below it, and keeps the place of whoever reads. */
  keepPlace(change: () => void): void;
  post(message: FromChatPanel): void;
  /** Says something to a screen reader, once. */
  announce(text: string): void;
  /** Puts the caret into the message box. */
  focusBox(): void;
}

/** What the page is given by the panel, whose parts are given the page. */
export interface PageParts extends Pick<Page, 'edits' | 'focusBox' | 'hold' | 'isFollowing' | 'keepPlace'> {
  readonly wrap: CodeWrap;
}

/** The bundle beside this one: a script that carries the nonce of the page may import it. */
const mathBundle = './math.js';

/** @param live the element that is announced */
export function createPage(
  strings: Strings,
  post: (message: FromChatPanel) => void,
  live: HTMLElement,
  parts: PageParts,
): Page {
  const announce = (text: string): void => {
    live.textContent = text;
  };
  const files = createFileReferences(post);
  return {
    strings,
    markdown: createMarkdown((label) => (strings['image'] ?? '').replace('{0}', () => label)),
    files,
    formulas: createFormulas(() => import(mathBundle) as Promise<MathBundle>, parts.keepPlace),
    code: { strings, wrap: parts.wrap, files, actions: codeActions(strings, post, announce) },
    edits: parts.edits,
    confidences: new Map(),
    data: new Map(),
    keepPlace: parts.keepPlace,
    isFollowing: parts.isFollowing,
    hold: parts.hold,
    post,
    announce,
    focusBox: parts.focusBox,
  };
}

function codeActions(
  strings: Strings,
  post: (message: FromChatPanel) => void,
  announce: (text: string) => void,
): CodeActions {
  return {
    copy(text) {
      post({ type: 'copy', text });
      announce(strings['copied'] ?? '');
    },
    insert: (text, message) => post({ type: 'insert', text, message }),
    apply: (text, path, message) => post({ type: 'apply', text, path, message }),
    newFile: (text, language, message) =>
      post({ type: 'newFile', text, language: language.slice(0, longestLanguage), message }),
    runInTerminal: (text, language) => post({ type: 'runInTerminal', text, language }),
    preview: (text) => post({ type: 'preview', text }),
  };
}

/** No language has a longer name, in characters. */
const longestLanguage = 64;
