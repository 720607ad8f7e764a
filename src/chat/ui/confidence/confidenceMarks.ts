import { type Disposable, Range, type TextEditor, type TextEditorDecorationType, ThemeColor } from 'vscode';
import { Disposables } from '../../../editor/disposables.ts';
import { window } from '../../../editor/text/window.ts';
import type { LineMark } from '../../confidence/marks/lineMarks.ts';

/** The lines below words of code. They tell the bands apart by their form, as in the chat: colours are the theme's. */
export interface ConfidenceMarks extends Disposable {
  draw(editor: TextEditor, marks: readonly LineMark[]): void;
}

/** Of the bands 1 to 4; that of the surest words has no line. */
const lines = ['underline dotted 1px', 'underline dashed 1px', 'underline solid 2px', 'underline wavy 1px'] as const;

export function createConfidenceMarks(): ConfidenceMarks {
  const owned = new Disposables();
  let types: readonly TextEditorDecorationType[] | undefined;
  return {
    draw(editor, marks) {
      if (marks.length === 0 && types === undefined) return;
      types ??= lines.map((textDecoration, index) =>
        owned.add(
          window.createTextEditorDecorationType({
            textDecoration,
            ...(index === lines.length - 1 && {
              backgroundColor: new ThemeColor('editor.findMatchHighlightBackground'),
            }),
          }),
        ),
      );
      types.forEach((type, index) => {
        const own = marks.filter(({ band }) => band === index + 1);
        editor.setDecorations(
          type,
          own.map(({ line, start, end }) => new Range(line, start, line, end)),
        );
      });
    },
    dispose: () => owned.dispose(),
  };
}
