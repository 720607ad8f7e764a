import { randomUUID } from 'node:crypto';
import { Range, type TextEditor, workspace } from 'vscode';
import { type Attachment, attachmentOf } from '../../context/attachment.ts';

/** A file longer than this many characters is attached as far as it is in view. */
const wholeFileLimit = 100_000;

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

function attachRange(document: TextEditor['document'], range: Range): Attachment {
  const selected = {
    path: workspace.asRelativePath(document.uri),
    languageId: document.languageId,
    text: document.getText(range),
    start: range.start,
    end: range.end,
  };
  return attachmentOf(selected, randomUUID());
}
