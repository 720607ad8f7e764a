import {
  type Disposable,
  OverviewRulerLane,
  Range,
  Selection,
  type TextDocument,
  type TextEditorDecorationType,
  TextEditorRevealType,
  ThemeColor,
  Uri,
  type ViewColumn,
} from 'vscode';
import { Disposables } from '../../../editor/disposables.ts';
import { markdownOf, type PlainMark } from '../../../editor/text/shown.ts';
import { window } from '../../../editor/text/window.ts';
import { Color } from '../../../ids/ids.ts';
import { matchesIn } from '../../query/matches.ts';
import type { Hit } from '../index/runSearch.ts';
import { reasonText } from '../shared/sentences.ts';
import type { KeptHit } from './keptAnswer.ts';
import type { KeptHits } from './keptHits.ts';

/**
 * Marks of the hits in editors: one in the gutter at the best line of each, its lines in the overview ruler, and why it
 * was found on hover. The hit that was opened last has an edge along all of its lines, and a background where they show
 * why it was found, with the words of the question marked. A hit loses its marks when its lines are edited.
 */
export interface HitMarks extends Disposable {
  /** Opens the document at the hit, which becomes the current one. Rejects when there is no such file. */
  open(hit: Hit, how?: { preserveFocus?: boolean; viewColumn?: ViewColumn }): Promise<void>;
}

interface DecorationTypes {
  best: TextEditorDecorationType;
  lines: TextEditorDecorationType;
  /** The edge along the lines of the current hit. */
  current: TextEditorDecorationType;
  /** The lines of the current hit that show why it was found, and the words of the question in them. */
  shows: TextEditorDecorationType;
  words: TextEditorDecorationType;
}

export function createHitMarks(extensionUri: Uri, keptHits: KeptHits): HitMarks {
  const owned = new Disposables();
  let types: DecorationTypes | undefined;

  function draw(): void {
    const hits = hitsToMark(keptHits);
    if (hits.length === 0 && types === undefined) return;
    types ??= createTypes(extensionUri, owned);
    for (const editor of window.visibleTextEditors) {
      const { document } = editor;
      const here = hits.filter((hit) => hit.uri.toString() === document.uri.toString());
      const current = here.filter((hit) => hit === keptHits.current);
      const others = here.filter((hit) => hit !== keptHits.current);
      editor.setDecorations(types.best, [
        ...others.map((hit) => explained(hit, startOf(hit.line, document))),
        ...current.map((hit) => ({ range: startOf(hit.line, document) })),
      ]);
      editor.setDecorations(types.lines, here.map(linesOf));
      editor.setDecorations(
        types.current,
        current.map((hit) => explained(hit, linesOf(hit))),
      );
      editor.setDecorations(
        types.shows,
        current.flatMap((hit) => showingLines(hit, document)),
      );
      // A hit that was opened from the list is of another question than those of the view.
      editor.setDecorations(
        types.words,
        current.flatMap((hit) => showingLines(hit, document).flatMap((line) => wordsOf(line, document, hit.stems))),
      );
    }
  }

  owned.add(window.onDidChangeVisibleTextEditors(draw));
  owned.add(keptHits.onDidChange(draw));
  owned.add(keptHits.onDidMove(draw));

  return {
    async open(hit, how) {
      const editor = await window.showTextDocument(hit.uri, { preview: true, ...how });
      const { line } = keptHits.setCurrent(hit);
      const { start } = startOf(line, editor.document);
      editor.selection = new Selection(start, start);
      editor.revealRange(new Range(start, start), TextEditorRevealType.InCenterIfOutsideViewport);
    },
    dispose: () => owned.dispose(),
  };
}

function hitsToMark({ files, current }: KeptHits): KeptHit[] {
  const hits = new Set(files.flatMap((file) => file.hits));
  if (current !== undefined) hits.add(current);
  return [...hits].filter((hit) => !hit.touched);
}

function createTypes(extensionUri: Uri, owned: Disposables): DecorationTypes {
  const icon = (theme: string): Uri => Uri.joinPath(extensionUri, 'media', `hit-${theme}.svg`);
  const own = (options: Parameters<typeof window.createTextEditorDecorationType>[0]): TextEditorDecorationType =>
    owned.add(window.createTextEditorDecorationType(options));
  const ruler = new ThemeColor(Color.searchHitRuler);
  return {
    best: own({
      light: { gutterIconPath: icon('light') },
      dark: { gutterIconPath: icon('dark') },
      gutterIconSize: '75%',
    }),
    lines: own({
      overviewRulerColor: ruler,
      overviewRulerLane: OverviewRulerLane.Center,
    }),
    shows: own({ isWholeLine: true, backgroundColor: new ThemeColor(Color.searchHitBackground) }),
    words: own({
      backgroundColor: new ThemeColor('editor.findMatchHighlightBackground'),
      borderColor: new ThemeColor('editor.findMatchHighlightBorder'),
      borderStyle: 'solid',
      borderWidth: '1px',
    }),
    current: own({
      isWholeLine: true,
      borderColor: new ThemeColor(Color.searchHitBorder),
      borderStyle: 'solid',
      borderWidth: '0 0 0 2px',
    }),
  };
}

/** The range from the first letter of a line (counted from 1) to its end. */
function startOf(line: number, document: TextDocument): Range {
  const { firstNonWhitespaceCharacterIndex: start, range } = document.lineAt(Math.min(line, document.lineCount) - 1);
  return new Range(range.start.translate(0, start), range.end);
}

/** The lines of a hit that show why it was found, the best among them. */
function showingLines({ line, lines, startLine, endLine }: KeptHit, document: TextDocument): Range[] {
  return [line, ...lines]
    .filter((each, at, all) => each >= startLine && each <= endLine && all.indexOf(each) === at)
    .filter((each) => each <= document.lineCount)
    .map((each) => document.lineAt(each - 1).range);
}

function wordsOf({ start: { line } }: Range, document: TextDocument, stems: readonly string[]): Range[] {
  return matchesIn(document.lineAt(line).text, stems).map(([start, end]) => new Range(line, start, line, end));
}

function linesOf({ startLine, endLine }: KeptHit): Range {
  return new Range(startLine - 1, 0, Math.max(0, endLine - 1), Number.MAX_SAFE_INTEGER);
}

function explained(hit: KeptHit, range: Range): PlainMark {
  return { range, hoverMessage: markdownOf(`Parley · ${reasonText(hit)}`) };
}
