import { basename } from 'node:path';
import { l10n, type TextEditor, workspace } from 'vscode';
import { window } from '../../../editor/text/window.ts';
import type { Attachment } from '../../conversation/attachment.ts';
import { attachFile } from './attach.ts';

/** A suggestion: the question that would be asked, and the open file where it is about that. */
export interface Suggestion {
  readonly text: string;
  readonly attachments: () => Attachment[];
}

/** Three things to try that fit the open file. In Restricted Mode Parley reads no file on its own. */
export function suggest(): Suggestion[] {
  const editor = window.activeTextEditor;
  if (editor === undefined || !workspace.isTrusted || editor.document.getText().trim() === '') return general();
  return aboutFile(editor);
}

function general(): Suggestion[] {
  return [
    l10n.t('Explain what a race condition is, with a short example'),
    l10n.t('Write a regular expression that matches an ISO 8601 date'),
    l10n.t('List what to look for in a code review'),
  ].map((text) => ({ text, attachments: () => [] }));
}

const proseLanguages = new Set(['markdown', 'plaintext', 'asciidoc', 'restructuredtext', 'latex', 'html']);
const dataLanguages = new Set(['json', 'jsonc', 'yaml', 'toml', 'ini', 'xml', 'csv', 'dotenv', 'properties']);

function aboutFile(editor: TextEditor): Suggestion[] {
  const { document } = editor;
  const name = basename(document.fileName);
  const attachments = (): Attachment[] => [attachFile(editor)];
  return textsFor(document.languageId, name).map((text) => ({ text, attachments }));
}

function textsFor(languageId: string, name: string): string[] {
  if (proseLanguages.has(languageId)) {
    return [
      l10n.t('Summarize {0}', name),
      l10n.t('Find what is unclear in {0}', name),
      l10n.t('Suggest what is missing in {0}', name),
    ];
  }
  if (dataLanguages.has(languageId)) {
    return [
      l10n.t('Explain what {0} sets', name),
      l10n.t('Find mistakes in {0}', name),
      l10n.t('Suggest what could be left out of {0}', name),
    ];
  }
  return [
    l10n.t('Explain what {0} does', name),
    l10n.t('Find what could go wrong in {0}', name),
    l10n.t('Write tests for {0}', name),
  ];
}
