import { ColorThemeKind, type Disposable, OverviewRulerLane, Range, type TextEditor, ThemeColor, Uri } from 'vscode';
import { Disposables } from '../../../../editor/disposables.ts';
import { window } from '../../../../editor/text/window.ts';
import { removedParts } from '../../../diff.ts';
import type { ReviewText, ShownHunk } from '../../../review/reviewText.ts';
import { linesOfShown } from '../../../review/reviewText.ts';

/** The marks of a review: which lines go, which come, and which words of them differ. */
export interface ReviewMarks extends Disposable {
  draw(editor: TextEditor, text: ReviewText): void;
}

/** Words are compared in hunks of at most so many lines. */
const mostCompared = 40;
/** Compared pairs of lines that are remembered: an edit that comes in is drawn again and again. */
const mostRemembered = 5_000;

export function createReviewMarks(): ReviewMarks {
  const owned = new Disposables();
  let types = createTypes(owned);
  const compare = remembering(removedParts);
  owned.add(
    window.onDidChangeActiveColorTheme(() => {
      for (const type of Object.values(types)) type.dispose();
      types = createTypes(owned);
    }),
  );
  return {
    draw(editor, text) {
      const words = text.shown.map((shown) => changedWords(shown, text, compare));
      const { removed, added } = types;
      editor.setDecorations(
        removed,
        text.shown.flatMap((shown) => lineRange(shown.line, shown.removed)),
      );
      editor.setDecorations(
        added,
        text.shown.flatMap((shown) => lineRange(shown.line + shown.removed, shown.added)),
      );
      editor.setDecorations(
        types.removedWords,
        words.flatMap(({ old }) => old),
      );
      editor.setDecorations(
        types.addedWords,
        words.flatMap(({ fresh }) => fresh),
      );
    },
    dispose: () => owned.dispose(),
  };
}

function createTypes(owned: Disposables) {
  const { kind } = window.activeColorTheme;
  const isHighContrast = kind === ColorThemeKind.HighContrast || kind === ColorThemeKind.HighContrastLight;
  const isLight = kind === ColorThemeKind.Light || kind === ColorThemeKind.HighContrastLight;
  const line = (side: 'removed' | 'inserted', ruler: string) =>
    owned.add(
      window.createTextEditorDecorationType({
        isWholeLine: true,
        backgroundColor: new ThemeColor(`diffEditor.${side}LineBackground`),
        overviewRulerColor: new ThemeColor(ruler),
        overviewRulerLane: OverviewRulerLane.Full,
        // A sign tells the two apart where colours do not.
        gutterIconPath: signIcon(side === 'removed' ? '−' : '+', isLight),
        gutterIconSize: 'contain',
        // High-contrast themes have no colour behind lines: there a frame tells the two apart, by its form as by its colour.
        ...(isHighContrast
          ? {
              borderWidth: '1px',
              borderStyle: side === 'removed' ? 'dashed' : 'solid',
              borderColor: new ThemeColor(`diffEditor.${side}TextBorder`),
            }
          : {}),
      }),
    );
  const words = (side: 'removed' | 'inserted') =>
    owned.add(
      window.createTextEditorDecorationType({
        backgroundColor: new ThemeColor(`diffEditor.${side}TextBackground`),
        // A frame within that of the line would be lost.
        ...(isHighContrast
          ? { fontWeight: 'bold', textDecoration: side === 'removed' ? 'line-through' : 'underline' }
          : {}),
      }),
    );
  return {
    removed: line('removed', 'editorOverviewRuler.deletedForeground'),
    added: line('inserted', 'editorOverviewRuler.addedForeground'),
    removedWords: words('removed'),
    addedWords: words('inserted'),
  };
}

/** A sign for the gutter, as a picture in itself: a decoration can show no text there. */
function signIcon(sign: string, isLight: boolean): Uri {
  const colour = isLight ? '#3b3b3b' : '#cccccc';
  const path = sign === '+' ? 'M8 4v8M4 8h8' : 'M4 8h8';
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16"><path d="${path}" stroke="${colour}" stroke-width="1.2"/></svg>`;
  return Uri.parse(`data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`);
}

function lineRange(first: number, count: number): Range[] {
  return count === 0 ? [] : [new Range(first, 0, first + count - 1, Number.MAX_SAFE_INTEGER)];
}

/** The words that only one side of a hunk has, where its lines pair off. */
function changedWords(
  shown: ShownHunk,
  text: ReviewText,
  compare: typeof removedParts,
): { old: Range[]; fresh: Range[] } {
  if (shown.removed !== shown.added || shown.removed > mostCompared) return { old: [], fresh: [] };
  const { old, fresh } = linesOfShown(shown, text);
  const ranges = (from: readonly string[], to: readonly string[], first: number): Range[] =>
    from.flatMap((line, at) =>
      compare(line, to[at] ?? '').map(([start, end]) => new Range(first + at, start, first + at, end)),
    );
  return { old: ranges(old, fresh, shown.line), fresh: ranges(fresh, old, shown.line + shown.removed) };
}

/** The same comparison, which keeps what it found. */
function remembering(compare: typeof removedParts): typeof removedParts {
  const known = new Map<string, [number, number][]>();
  return (from, to) => {
    const key = `${from}\n${to}`;
    const found = known.get(key) ?? compare(from, to);
    if (known.size > mostRemembered) known.clear();
    known.set(key, found);
    return found;
  };
}
