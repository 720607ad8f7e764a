import { randomUUID } from 'node:crypto';
import { Range, type TextEditor, workspace } from 'vscode';
import { type Attachment, attachmentOf, placedAttachment } from '../../conversation/attachment.ts';

/** A file longer than this many characters is attached as far as it is in view. */
export const wholeFileLimit = 100_000;

/** The selection of an editor as context for a question. */
export function attachSelection({ document, selection }: TextEditor): Attachment {
  return attachRange(document, selection);
}

export function attachFile({ document, visibleRanges }: TextEditor): Attachment {
  const whole = new Range(0, 0, document.lineCount, 0);
  const tooLong = document.getText().length > wholeFileLimit;
  const inView = visibleRanges[0];
  return attachRange(document, document.validateRange(tooLong && inView ? inView : whole));
}

/** A whole document as context for a question. */
export function attachDocument(document: TextEditor['document']): Attachment {
  const { uri, languageId, lineCount } = document;
  const text = document.getText();
  // The line after the last line break is none of the file's.
  const endLine = text.endsWith('\n') && lineCount > 1 ? lineCount - 1 : lineCount;
  const path = workspace.asRelativePath(uri);
  return placedAttachment({ path, languageId, text, range: { startLine: 1, endLine }, kind: 'file' }, randomUUID());
}

export function attachRange(document: TextEditor['document'], range: Range): Attachment {
  const selected = {
    path: workspace.asRelativePath(document.uri),
    languageId: document.languageId,
    text: document.getText(range),
    start: range.start,
    end: range.end,
  };
  return attachmentOf(selected, randomUUID());
}
