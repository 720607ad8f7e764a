import {
  type Disposable,
  l10n,
  languages,
  Range,
  Selection,
  type TextDocument,
  type TextDocumentChangeEvent,
  TextEditorRevealType,
  workspace,
} from 'vscode';
import { registerCommand } from '../../../editor/commands.ts';
import { Disposables } from '../../../editor/disposables.ts';
import type { Services } from '../../../editor/services.ts';
import { window } from '../../../editor/text/window.ts';
import { Command } from '../../../ids/ids.ts';
import { usualThreshold } from '../../../webview/shared/confidenceBands.ts';
import { type LineMark, nextUnsure } from '../../confidence/marks/lineMarks.ts';
import { createMarkedDocuments } from '../../confidence/marks/markedDocuments.ts';
import type { TokenStore } from '../../confidence/tokenStore.ts';
import type { Answer } from '../../conversation/conversation.ts';
import { createConfidenceMarks } from './confidenceMarks.ts';
import { markHover } from './markHover.ts';

/** Marks of code from answers in editors: a line below each word that the model was not sure of, and on hover what could have stood there. */
export interface EditorConfidence extends Disposable {
  /** Code of an answer is about to come into a document. @param code as its page has it; without it, any code of the answer */
  expect(answer: Pick<Answer, 'id' | 'text'>, code?: string): void;
}

/** Whether marks are hidden, by the user's last word. */
const hiddenKey = 'parley.confidence.hidden';

export function createEditorConfidence(
  { context, notices }: Pick<Services, 'context' | 'notices'>,
  tokens: Pick<TokenStore, 'of'>,
): EditorConfidence {
  const owned = new Disposables();
  const documents = createMarkedDocuments();
  const marks = owned.add(createConfidenceMarks());
  let isHidden = context.globalState.get(hiddenKey) === true;
  let isListening = false;

  const shownIn = (document: TextDocument): readonly LineMark[] =>
    isHidden ? [] : documents.of(document.uri.toString());

  function draw(document?: TextDocument): void {
    for (const editor of window.visibleTextEditors)
      if (document === undefined || editor.document === document) marks.draw(editor, shownIn(editor.document));
  }

  function follow({ document, contentChanges }: TextDocumentChangeEvent): void {
    if (!isText(document) || contentChanges.length === 0) return;
    const changes = contentChanges.map(({ range: { start, end }, text }) => ({ start, end, text }));
    if (documents.change(document.uri.toString(), changes)) draw(document);
  }

  /** From the first code on that has probabilities: nobody else pays for it. */
  function listen(): void {
    if (isListening) return;
    isListening = true;
    owned.add(workspace.onDidChangeTextDocument(follow));
    owned.add(workspace.onDidCloseTextDocument(({ uri }) => documents.close(uri.toString())));
    owned.add(
      workspace.onDidOpenTextDocument((document) => {
        if (isText(document) && documents.open(document.uri.toString(), document.getText())) draw(document);
      }),
    );
    owned.add(window.onDidChangeVisibleTextEditors(() => draw()));
    owned.add(
      languages.registerHoverProvider('*', {
        provideHover(document, { line, character }) {
          const at = shownIn(document).find(
            (mark) => mark.line === line && mark.start <= character && character <= mark.end,
          );
          return at && markHover(at);
        },
      }),
    );
  }

  function goTo(by: 1 | -1): void {
    const editor = window.activeTextEditor;
    const found = editor && shownIn(editor.document);
    if (editor === undefined || found === undefined || found.length === 0)
      return void notices.info(l10n.t('No code here is from an answer whose log probabilities are known.'));
    const next = nextUnsure(found, editor.selection, by, usualThreshold);
    if (next === undefined) return void notices.info(l10n.t('The model was sure of all the code here.'));
    const range = rangeOf(next);
    editor.selection = new Selection(range.start, range.end);
    editor.revealRange(range, TextEditorRevealType.InCenterIfOutsideViewport);
  }

  owned.add(registerCommand(Command.confidenceNext, notices, () => goTo(1)));
  owned.add(registerCommand(Command.confidencePrevious, notices, () => goTo(-1)));
  owned.add(
    registerCommand(Command.confidenceToggle, notices, async () => {
      isHidden = !isHidden;
      draw();
      await context.globalState.update(hiddenKey, isHidden);
    }),
  );

  return {
    expect({ id, text }, code) {
      const known = tokens.of(id);
      if (known.length > 0) listen();
      if (isListening) documents.expect(text, known, code);
    },
    dispose: () => owned.dispose(),
  };
}

/** Documents that people write in; others are output, or what extensions show. */
function isText({ uri: { scheme } }: TextDocument): boolean {
  return !scheme.startsWith('parley') && !['output', 'git', 'comment'].includes(scheme);
}

function rangeOf({ line, start, end }: LineMark): Range {
  return new Range(line, start, line, end);
}
