import { ColorThemeKind, type Disposable, l10n, OverviewRulerLane, Range, type TextEditor, ThemeColor } from 'vscode';
import { Disposables } from '../../editor/disposables.ts';
import { plain } from '../../editor/text/plainText.ts';
import { markdownOf, markdownWithCode, type PlainMark, type PlainMarkdown } from '../../editor/text/shown.ts';
import { window } from '../../editor/text/window.ts';
import { type Hunk, removedParts } from '../diff.ts';
import type { Proposal } from './proposal.ts';

/** Marks a proposal in all editors of its document, also in later ones, until it is disposed of. */
export function keepMarked(proposal: Proposal): Disposable {
  const owned = new Disposables();
  const { lines } = proposal;
  const mark = createMarks(proposal, owned);
  const draw = (): void => {
    for (const editor of window.visibleTextEditors) {
      // The left side of the diff editor shows the document too; it has marks of its own, and no column.
      if (editor.document === lines.document && editor.viewColumn !== undefined) mark(editor);
    }
  };
  owned.add(window.onDidChangeVisibleTextEditors(draw));
  // Marks move by themselves; lines that were changed since have no place to draw them anew.
  owned.add(lines.onDidChange(() => lines.isUnchanged() && draw()));
  draw();
  return owned;
}

/** The longest new line, in characters, that is shown beside the old one; the hover and the diff show it whole. */
const maxNoteLength = 100;

function createMarks({ lines, hunks }: Proposal, owned: Disposables): (editor: TextEditor) => void {
  const types = createTypes(owned);
  return (editor) => {
    const { languageId } = lines.document;
    const first = lines.range.first;
    const changed = hunks.filter(({ removed }) => removed.length > 0);
    editor.setDecorations(
      types.line,
      changed.flatMap((hunk) => lineMarks(hunk, first, languageId)),
    );
    editor.setDecorations(
      types.words,
      changed.flatMap((hunk) => wordMarks(hunk, first)),
    );
    editor.setDecorations(
      types.insertion,
      hunks.filter(({ removed }) => removed.length === 0).map((hunk) => insertionMark(hunk, first, languageId)),
    );
  };
}

function createTypes(owned: Disposables) {
  const { kind } = window.activeColorTheme;
  const isHighContrast = kind === ColorThemeKind.HighContrast || kind === ColorThemeKind.HighContrastLight;
  const type = (options: Parameters<typeof window.createTextEditorDecorationType>[0]) =>
    owned.add(window.createTextEditorDecorationType(options));
  return {
    line: type({
      isWholeLine: true,
      backgroundColor: new ThemeColor('diffEditor.removedLineBackground'),
      overviewRulerColor: new ThemeColor('editorOverviewRuler.deletedForeground'),
      overviewRulerLane: OverviewRulerLane.Full,
    }),
    words: type({
      backgroundColor: new ThemeColor('diffEditor.removedTextBackground'),
      // Only high-contrast themes have such a colour; the others would draw the border in that of the text.
      ...(isHighContrast ? { border: '1px dashed', borderColor: new ThemeColor('diffEditor.removedTextBorder') } : {}),
    }),
    insertion: type({
      isWholeLine: true,
      overviewRulerColor: new ThemeColor('editorOverviewRuler.addedForeground'),
      overviewRulerLane: OverviewRulerLane.Full,
    }),
  };
}

function lineMarks({ line, removed, inserted }: Hunk, first: number, languageId: string): PlainMark[] {
  const hoverMessage = hover(inserted, languageId);
  return removed.map((_, at) => {
    const note = noteBeside(at, removed.length, inserted);
    return {
      range: lineRange(first + line + at),
      hoverMessage,
      ...(note === undefined ? {} : { renderOptions: { after: attachment(note) } }),
    };
  });
}

/** The note after a removed line: its new form where lines pair off, else, after the last, how many take their place. */
function noteBeside(at: number, removed: number, inserted: readonly string[]): string | undefined {
  if (removed === inserted.length) return `→ ${shorten(inserted[at] ?? '')}`;
  if (at < removed - 1 || inserted.length === 0) return undefined;
  return inserted.length === 1 ? `→ ${shorten(inserted[0] ?? '')}` : l10n.t('→ {0} lines', inserted.length);
}

function shorten(line: string): string {
  const text = line.trim();
  return text.length > maxNoteLength ? `${text.slice(0, maxNoteLength - 1)}…` : text;
}

function wordMarks({ line, removed, inserted }: Hunk, first: number): PlainMark[] {
  return removed.flatMap((text, at) => {
    const newLine = removed.length === inserted.length ? inserted[at] : undefined;
    const parts: [number, number][] = newLine === undefined ? [[0, text.length]] : removedParts(text, newLine);
    const row = first + line + at;
    return parts.map(([start, end]) => ({ range: new Range(row, start, row, end) }));
  });
}

/** Marks new lines alone: at the end of the line above them, or of the first line of the document. */
function insertionMark({ line, inserted }: Hunk, first: number, languageId: string): PlainMark {
  const row = first + line;
  const isTop = row === 0;
  const [only = ''] = inserted;
  const note =
    inserted.length === 1
      ? `+ ${shorten(only)}`
      : isTop
        ? l10n.t('+ {0} lines above', inserted.length)
        : l10n.t('+ {0} lines below', inserted.length);
  return {
    range: lineRange(isTop ? 0 : row - 1),
    hoverMessage: hover(inserted, languageId),
    renderOptions: { after: attachment(note) },
  };
}

function attachment(text: string) {
  return {
    contentText: plain(text),
    margin: '0 0 0 2em',
    color: new ThemeColor('editor.foreground'),
    backgroundColor: new ThemeColor('diffEditor.insertedTextBackground'),
  };
}

/** The proposed lines as a code block; a model wrote them, so nothing in it is a link or a command. */
function hover(inserted: readonly string[], languageId: string): PlainMarkdown {
  if (inserted.length === 0) return markdownOf(l10n.t('These lines are removed.'));
  return markdownWithCode(l10n.t('Proposed:'), inserted.join('\n'), languageId);
}

function lineRange(line: number): Range {
  return new Range(line, 0, line, Number.MAX_SAFE_INTEGER);
}
