import {
  type DecorationOptions,
  type Disposable,
  MarkdownString,
  OverviewRulerLane,
  Range,
  Selection,
  type TextEditor,
  type TextEditorDecorationType,
  TextEditorRevealType,
  ThemeColor,
  window,
  workspace,
} from 'vscode';
import { Disposables } from '../../editor/disposables.ts';
import { Color } from '../../ids.ts';
import type { Hit } from './search.ts';
import { whyText } from './sentences.ts';

/** The mark of the hit that was opened: background, overview ruler, and the reason on hover. */
export interface HitMarks extends Disposable {
  /** Opens the document at the hit and marks its lines, until `clear`, the next hit, or an edit. */
  open(hit: Hit, options?: { preserveFocus: boolean }): Promise<TextEditor>;
  clear(): void;
}

export function createHitMarks(): HitMarks {
  const owned = new Disposables();
  let type: TextEditorDecorationType | undefined;
  let marked: Hit | undefined;

  function draw(): void {
    const color = new ThemeColor(Color.searchHitBackground);
    type ??= owned.add(
      window.createTextEditorDecorationType({
        isWholeLine: true,
        backgroundColor: color,
        overviewRulerColor: color,
        overviewRulerLane: OverviewRulerLane.Center,
      }),
    );
    for (const editor of window.visibleTextEditors) {
      const isHit = marked !== undefined && editor.document.uri.toString() === marked.uri.toString();
      editor.setDecorations(type, isHit && marked !== undefined ? [decorationOf(marked)] : []);
    }
  }

  function clear(): void {
    if (marked === undefined) return;
    marked = undefined;
    draw();
  }

  owned.add(window.onDidChangeVisibleTextEditors(() => marked !== undefined && draw()));
  owned.add(
    workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      const isMarked = marked !== undefined && document.uri.toString() === marked.uri.toString();
      if (isMarked && contentChanges.length > 0) clear();
    }),
  );

  return {
    async open(hit, { preserveFocus } = { preserveFocus: false }) {
      const editor = await window.showTextDocument(hit.uri, { preview: true, preserveFocus });
      const line = Math.min(hit.line, editor.document.lineCount) - 1;
      const start = editor.document.lineAt(line).firstNonWhitespaceCharacterIndex;
      editor.selection = new Selection(line, start, line, start);
      editor.revealRange(new Range(line, 0, line, 0), TextEditorRevealType.InCenterIfOutsideViewport);
      marked = hit;
      draw();
      return editor;
    },
    clear,
    dispose: () => owned.dispose(),
  };
}

function decorationOf(hit: Hit): DecorationOptions {
  return {
    range: new Range(hit.startLine - 1, 0, Math.max(0, hit.endLine - 1), Number.MAX_SAFE_INTEGER),
    hoverMessage: new MarkdownString().appendText(`Parley · ${whyText(hit.why)} · ${hit.score.toFixed(2)}`),
  };
}
