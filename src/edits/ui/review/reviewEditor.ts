import {
  type Disposable,
  EventEmitter,
  l10n,
  languages,
  Range,
  Selection,
  TabInputText,
  type TextDocument,
  TextEdit,
  type TextEditor,
  TextEditorRevealType,
  Uri,
  ViewColumn,
  WorkspaceEdit,
  workspace,
} from 'vscode';
import { throttle } from '../../../base/throttle.ts';
import { Disposables } from '../../../editor/disposables.ts';
import { plain } from '../../../editor/text/plainText.ts';
import { window } from '../../../editor/text/window.ts';
import { toTextChange } from '../../lineChange.ts';
import { createPacedDrawing, type PacedDrawing } from '../../review/pacedDrawing.ts';
import { isDeleted } from '../../review/reviewedFile.ts';
import { type ReviewText, reviewText, toFileLine } from '../../review/reviewText.ts';
import { allLines, lineSource } from '../trackedLines.ts';
import type { ChangeSets } from './changeSet.ts';
import type { ReviewedDocument } from './reviewedDocument.ts';
import { createReviewMarks } from './reviewMarks.ts';

/** The scheme of the texts that are under review: a file with its old and its new lines in one column, only to be read. */
export const reviewScheme = 'parley-edit';

/** A review that an editor shows. */
export interface OpenReview {
  readonly document: ReviewedDocument;
  readonly text: ReviewText;
}

/** A text that a review was given to show. */
interface Drawn {
  readonly document: ReviewedDocument;
  readonly text: ReviewText;
  readonly content: string;
}

/** The editors in which files are reviewed: one a file, in the place of the file's own. */
export interface ReviewEditors extends Disposable {
  /** Shows the review of a file, at a line of the file, else at its first hunk. */
  open(document: ReviewedDocument, line?: number): Promise<void>;
  /** Closes the review of a file, and shows the file in its place where that was in sight. */
  close(document: ReviewedDocument): Promise<void>;
  /** Whether the review of a file is in sight. */
  isOpen(document: ReviewedDocument): boolean;
  /** The review that a text document shows. */
  reviewOf(document: TextDocument): OpenReview | undefined;
}

/** The time between two drawings of a review whose file is typed in, or whose answer comes in, in milliseconds. */
const drawingPause = 50;

function reviewUri({ uri }: ReviewedDocument): Uri {
  // The path gives the tab its name, its icon and its language.
  return Uri.from({ scheme: reviewScheme, path: uri.path, query: encodeURIComponent(uri.toString()) });
}

/** The file that a review is of; nothing where the address was not made here. */
export function addressIn({ query }: Uri): string {
  try {
    return decodeURIComponent(query);
  } catch {
    return '';
  }
}

export function createReviewEditors(sets: ChangeSets): ReviewEditors {
  const owned = new Disposables();
  const textChanged = owned.add(new EventEmitter<Uri>());
  const marks = owned.add(createReviewMarks());
  /** What each review was given to show last, by its address. */
  const drawn = new Map<string, Drawn>();
  /** Reviews that show an older text still, and the line of the file to go to once they show theirs. */
  const waiting = new Map<string, number | undefined>();
  const draw = owned.add(throttle(drawAll, drawingPause));

  function find(uri: Uri) {
    return uri.scheme === reviewScheme ? sets.find(addressIn(uri)) : undefined;
  }

  const drawing: PacedDrawing = createPacedDrawing((address) => {
    const document = workspace.textDocuments.find(({ uri }) => uri.toString() === address);
    if (document === undefined) return drawing.forget(address);
    void redraw(document);
  });
  owned.add(drawing);

  function drawAll(): void {
    for (const { uri } of workspace.textDocuments) if (uri.scheme === reviewScheme) drawing.draw(uri.toString());
    // A file that was renamed has another review.
    void closeTabs((uri) => find(uri) === undefined);
  }

  /** Writes the lines that are others now. Told that the text changed, VS Code writes all of a long one again, and colours it anew. */
  async function redraw(document: TextDocument): Promise<void> {
    const next = render(document.uri);
    // Its tab is closed. An empty text, which VS Code writes late, would come over that of the next review of the file.
    if (next === undefined) return drawing.forget(document.uri.toString());
    if (next.content === document.getText()) return textChanged.fire(document.uri);
    const edit = new WorkspaceEdit();
    edit.set(document.uri, [changeOf(document, next.text.lines)]);
    const isDrawn = await workspace.applyEdit(edit).then(Boolean, () => false);
    if (!isDrawn) textChanged.fire(document.uri);
  }

  /** What a review is to show now. */
  function render(uri: Uri): Drawn | undefined {
    const found = find(uri);
    if (found === undefined) return undefined;
    const text = reviewText(found.file);
    const next = { document: found, text, content: text.lines.join('\n') };
    drawn.set(uri.toString(), next);
    return next;
  }

  function provide(uri: Uri): string {
    const { content } = render(uri) ?? {};
    if (content === undefined) return '';
    const address = uri.toString();
    const shown = workspace.textDocuments.find((each) => each.uri.toString() === address);
    // A text that is shown already changes nothing.
    if (shown?.getText() === content) drawing.seen(address);
    return content;
  }

  /** What a document shows of a review; undefined where it shows an older text still, to which marks and lenses do not belong. */
  function shownIn(document: TextDocument): Drawn | undefined {
    const last = drawn.get(document.uri.toString());
    const isCurrent = last !== undefined && find(document.uri) === last.document;
    return isCurrent && document.getText() === last.content ? last : undefined;
  }

  function mark(): void {
    for (const editor of window.visibleTextEditors) {
      if (editor.document.uri.scheme !== reviewScheme) continue;
      const shown = shownIn(editor.document);
      if (shown === undefined) continue;
      marks.draw(editor, shown.text);
      const address = editor.document.uri.toString();
      // An answer that is still awaited has no change to go to yet.
      if (shown.text.shown.length === 0 || !waiting.has(address)) continue;
      goTo(editor, shown.text, waiting.get(address));
      waiting.delete(address);
    }
  }

  owned.add(
    workspace.registerTextDocumentContentProvider(reviewScheme, {
      onDidChange: textChanged.event,
      provideTextDocumentContent: provide,
    }),
  );
  owned.add(sets.onDidChange(draw));
  owned.add(
    workspace.onDidChangeTextDocument(({ document }) => {
      if (document.uri.scheme !== reviewScheme) return;
      const address = document.uri.toString();
      // VS Code may have written an older text over a newer one.
      if (drawn.get(address)?.content !== document.getText()) return drawing.draw(address);
      drawing.seen(address);
      mark();
    }),
  );
  owned.add(window.onDidChangeVisibleTextEditors(mark));
  // The marks of another theme are others, and those that were drawn are gone.
  owned.add(window.onDidChangeActiveColorTheme(mark));
  owned.add(
    workspace.onDidCloseTextDocument(({ uri }) => {
      drawn.delete(uri.toString());
      drawing.forget(uri.toString());
    }),
  );
  owned.add(
    window.registerFileDecorationProvider({
      // The tabs of a file and of its review have one name.
      provideFileDecoration: ({ scheme }) =>
        scheme === reviewScheme ? { badge: plain('±'), tooltip: plain(l10n.t('Proposed changes')) } : undefined,
    }),
  );
  // A window that was reloaded may bring tabs back before there is anything to show in them; the file leads to its review.
  void closeTabs(() => true);

  async function open(document: ReviewedDocument, line?: number): Promise<void> {
    await document.refresh();
    const shown = await workspace.openTextDocument(reviewUri(document));
    const source = workspace.textDocuments.find(({ uri }) => uri.toString() === document.uri.toString());
    if (source !== undefined && source.languageId !== shown.languageId)
      await languages.setTextDocumentLanguage(shown, source.languageId);
    // VS Code keeps a text for a while, and brings back that of an earlier review.
    waiting.set(shown.uri.toString(), line);
    drawing.draw(shown.uri.toString());
    // VS Code takes its time to open a text: its set may have been rejected meanwhile.
    const isPending = (): boolean => find(shown.uri) !== undefined;
    if (isPending()) await window.showTextDocument(shown, { preview: false, viewColumn: columnOf(document) });
    if (!isPending()) return closeReview(shown.uri);
    mark();
  }

  async function close(document: ReviewedDocument): Promise<void> {
    const uri = reviewUri(document).toString();
    const editor = window.visibleTextEditors.find((each) => each.document.uri.toString() === uri);
    const text = drawn.get(uri)?.text;
    if (editor !== undefined && !document.isNew && !isDeleted(document.file)) {
      const line = text === undefined ? 0 : toFileLine(text, editor.selection.active.line);
      const isActive = window.activeTextEditor === editor;
      const { viewColumn = ViewColumn.Active } = editor;
      await showFile(document.uri, line, { viewColumn, preserveFocus: !isActive });
    }
    await closeReview(reviewUri(document));
  }

  return {
    open,
    close,
    isOpen(document) {
      const uri = reviewUri(document).toString();
      return window.visibleTextEditors.some((editor) => editor.document.uri.toString() === uri);
    },
    reviewOf(shown) {
      const found = find(shown.uri);
      const text = shownIn(shown)?.text;
      return found === undefined || text === undefined ? undefined : { document: found, text };
    },
    dispose: () => owned.dispose(),
  };
}

/** The change that makes of a document these lines, from the first to the last that is another one. */
function changeOf(document: TextDocument, lines: readonly string[]): TextEdit {
  const shown = allLines(document);
  const most = Math.min(shown.length, lines.length);
  let [first, same] = [0, 0];
  while (first < most && shown[first] === lines[first]) first++;
  while (same < most - first && shown.at(-1 - same) === lines.at(-1 - same)) same++;
  const edit = { line: first, removed: shown.length - same - first, inserted: lines.slice(first, lines.length - same) };
  const { start, end, text } = toTextChange(edit, lineSource(document));
  return new TextEdit(new Range(start.line, start.character, end.line, end.character), text);
}

function goTo(editor: TextEditor, { shown }: ReviewText, line: number | undefined): void {
  const at = shown.find(({ hunk }) => line === undefined || hunk.line >= line)?.line ?? shown[0]?.line ?? 0;
  editor.selection = new Selection(at, 0, at, 0);
  editor.revealRange(editor.selection, TextEditorRevealType.InCenter);
}

/** The column in which the review, or else the file itself, is open; else the active one. */
function columnOf(document: ReviewedDocument): ViewColumn {
  const wanted = [reviewUri(document).toString(), document.uri.toString()];
  const groups = window.tabGroups.all;
  for (const uri of wanted) {
    const shows = ({ input }: { readonly input: unknown }): boolean =>
      input instanceof TabInputText && input.uri.toString() === uri;
    const group =
      groups.find(({ activeTab }) => activeTab && shows(activeTab)) ?? groups.find(({ tabs }) => tabs.some(shows));
    if (group !== undefined) return group.viewColumn;
  }
  return ViewColumn.Active;
}

async function showFile(
  uri: Uri,
  line: number,
  options: { viewColumn: ViewColumn; preserveFocus: boolean },
): Promise<void> {
  const document = await workspace.openTextDocument(uri).then(
    (found) => found,
    () => undefined,
  );
  // A file that was deleted meanwhile cannot be shown.
  if (document === undefined) return;
  const at = Math.min(line, document.lineCount - 1);
  await window.showTextDocument(document, { ...options, preview: false, selection: new Selection(at, 0, at, 0) });
}

async function closeReview(uri: Uri): Promise<void> {
  await closeTabs((each) => each.toString() === uri.toString());
}

async function closeTabs(isMeant: (uri: Uri) => boolean): Promise<void> {
  const tabs = window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(({ input }) => input instanceof TabInputText && input.uri.scheme === reviewScheme && isMeant(input.uri));
  if (tabs.length > 0) await window.tabGroups.close(tabs);
}
