import {
  ColorThemeKind,
  type DecorationOptions,
  type Disposable,
  l10n,
  MarkdownString,
  OverviewRulerLane,
  Range,
  type TextEditor,
  ThemeColor,
  window,
} from 'vscode';
import { Disposables } from '../../editor/disposables.ts';
import { type Hunk, removedParts } from '../diff.ts';
import type { Proposal } from './proposal.ts';

/** The marks of one proposal in the editors of its document; disposing them removes them everywhere. */
export interface Marks extends Disposable {
  draw(editor: TextEditor): void;
}

/** Beyond this many characters a new line is not shown beside the old one; the hover and the diff have it whole. */
const maxNoteLength = 100;

export function createMarks({ lines, hunks }: Proposal): Marks {
  const owned = new Disposables();
  const types = createTypes(owned);
  return {
    draw(editor) {
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
    },
    dispose: () => owned.dispose(),
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
      // The other themes have no such colour, and would draw the border in that of the text.
      ...(isHighContrast ? { border: '1px dashed', borderColor: new ThemeColor('diffEditor.removedTextBorder') } : {}),
    }),
    insertion: type({
      isWholeLine: true,
      overviewRulerColor: new ThemeColor('editorOverviewRuler.addedForeground'),
      overviewRulerLane: OverviewRulerLane.Full,
    }),
  };
}

function lineMarks({ line, removed, inserted }: Hunk, first: number, languageId: string): DecorationOptions[] {
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

/** What stands after a removed line: its new form where lines pair off, else, after the last, how many take their place. */
function noteBeside(at: number, removed: number, inserted: readonly string[]): string | undefined {
  if (removed === inserted.length) return `→ ${shorten(inserted[at] ?? '')}`;
  if (at < removed - 1 || inserted.length === 0) return undefined;
  return inserted.length === 1 ? `→ ${shorten(inserted[0] ?? '')}` : l10n.t('→ {0} lines', inserted.length);
}

function shorten(line: string): string {
  const text = line.trim();
  return text.length > maxNoteLength ? `${text.slice(0, maxNoteLength - 1)}…` : text;
}

function wordMarks({ line, removed, inserted }: Hunk, first: number): DecorationOptions[] {
  return removed.flatMap((text, at) => {
    const newLine = removed.length === inserted.length ? inserted[at] : undefined;
    const parts: [number, number][] = newLine === undefined ? [[0, text.length]] : removedParts(text, newLine);
    const row = first + line + at;
    return parts.map(([start, end]) => ({ range: new Range(row, start, row, end) }));
  });
}

/** New lines alone: said at the end of the line above them, or of the first line of the document. */
function insertionMark({ line, inserted }: Hunk, first: number, languageId: string): DecorationOptions {
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

function attachment(contentText: string) {
  return {
    contentText,
    margin: '0 0 0 2em',
    color: new ThemeColor('editor.foreground'),
    backgroundColor: new ThemeColor('diffEditor.insertedTextBackground'),
  };
}

/** The proposed lines as a code block; text of a model, so nothing in it is a link or a command. */
function hover(inserted: readonly string[], languageId: string): MarkdownString {
  const text = new MarkdownString();
  if (inserted.length === 0) return text.appendText(l10n.t('These lines are removed.'));
  return text.appendText(l10n.t('Proposed:')).appendCodeblock(inserted.join('\n'), languageId);
}

function lineRange(line: number): Range {
  return new Range(line, 0, line, Number.MAX_SAFE_INTEGER);
}
