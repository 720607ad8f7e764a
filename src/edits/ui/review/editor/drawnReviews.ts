import {
  type Disposable,
  type Event,
  EventEmitter,
  Range,
  type TextDocument,
  TextEdit,
  type Uri,
  WorkspaceEdit,
  workspace,
} from 'vscode';
import { throttle } from '../../../../base/throttle.ts';
import { Disposables } from '../../../../editor/disposables.ts';
import { toTextChange } from '../../../lineChange.ts';
import { createPacedDrawing, type PacedDrawing } from '../../../review/pacedDrawing.ts';
import type { ReviewedFile } from '../../../review/reviewedFile.ts';
import { type ReviewText, reviewText } from '../../../review/reviewText.ts';
import { allLines, lineSource } from '../../trackedLines.ts';
import type { ChangeSets } from '../changeSet.ts';
import type { ReviewedDocument } from '../reviewedDocument.ts';
import { addressIn, closeReviews, reviewScheme } from './reviewTabs.ts';

/** A text that a review was given to show. */
export interface Drawn {
  readonly document: ReviewedDocument;
  /** What was under review then. */
  readonly file: ReviewedFile;
  readonly text: ReviewText;
  readonly content: string;
}

/** The texts of the reviews, which are written anew whenever what is proposed, or the file, is another one. */
export interface DrawnReviews extends Disposable {
  /** The document under review at an address. */
  find(uri: Uri): ReviewedDocument | undefined;
  /** What an address was given to show last. */
  lastDrawn(uri: Uri): Drawn | undefined;
  /** What a document shows of a review; undefined where it shows an older text still, to which marks and lenses do not belong. */
  shownIn(document: TextDocument): Drawn | undefined;
  /** Has a review drawn, whatever it shows. */
  draw(uri: Uri): void;
  /** Fires when a review shows what it is to show. */
  readonly onDidShow: Event<void>;
}

/** The time between two drawings of a review whose file is typed in, or whose answer comes in, in milliseconds. */
const drawingPause = 50;

export function createDrawnReviews(sets: ChangeSets): DrawnReviews {
  const owned = new Disposables();
  const textChanged = owned.add(new EventEmitter<Uri>());
  const showed = owned.add(new EventEmitter<void>());
  /** By address. */
  const drawn = new Map<string, Drawn>();
  const drawing: PacedDrawing = createPacedDrawing((address) => {
    const document = workspace.textDocuments.find(({ uri }) => uri.toString() === address);
    if (document === undefined) return drawing.forget(address);
    void redraw(document);
  });
  owned.add(drawing);

  const find = (uri: Uri) => (uri.scheme === reviewScheme ? sets.find(addressIn(uri)) : undefined);

  function drawAll(): void {
    for (const { uri } of workspace.textDocuments) if (uri.scheme === reviewScheme) drawing.draw(uri.toString());
    // A file that was renamed has another review.
    void closeReviews((uri) => find(uri) === undefined);
  }

  /** Writes the lines that are others now. Told that the text changed, VS Code writes all of a long one again, and colours it anew. */
  async function redraw(document: TextDocument): Promise<void> {
    const next = render(document.uri);
    // Its tab is closed. An empty text, which VS Code writes late, would come over that of the next review of the file.
    if (next === undefined) return drawing.forget(document.uri.toString());
    if (next.content === document.getText()) {
      textChanged.fire(document.uri);
      // VS Code tells of no change of a text that stays as it is.
      showed.fire();
      return;
    }
    const edit = new WorkspaceEdit();
    edit.set(document.uri, [changeOf(document, next.text.lines)]);
    const isDrawn = await workspace.applyEdit(edit).then(Boolean, () => false);
    if (!isDrawn) textChanged.fire(document.uri);
  }

  /** What a review is to show now. */
  function render(uri: Uri): Drawn | undefined {
    const found = find(uri);
    if (found === undefined) return undefined;
    const { file } = found;
    const text = reviewText(file);
    const next = { document: found, file, text, content: text.lines.join('\n') };
    drawn.set(uri.toString(), next);
    return next;
  }

  function provideTextDocumentContent(uri: Uri): string {
    const { content } = render(uri) ?? {};
    if (content === undefined) return '';
    const address = uri.toString();
    const shown = workspace.textDocuments.find((each) => each.uri.toString() === address);
    // A text that is shown already changes nothing.
    if (shown?.getText() === content) drawing.seen(address);
    return content;
  }

  const provider = { onDidChange: textChanged.event, provideTextDocumentContent };
  owned.add(workspace.registerTextDocumentContentProvider(reviewScheme, provider));
  owned.add(sets.onDidChange(owned.add(throttle(drawAll, drawingPause))));
  owned.add(
    workspace.onDidChangeTextDocument(({ document }) => {
      if (document.uri.scheme !== reviewScheme) return;
      const address = document.uri.toString();
      // VS Code may have written an older text over a newer one.
      if (drawn.get(address)?.content !== document.getText()) return drawing.draw(address);
      drawing.seen(address);
      showed.fire();
    }),
  );
  owned.add(
    workspace.onDidCloseTextDocument(({ uri }) => {
      drawn.delete(uri.toString());
      drawing.forget(uri.toString());
    }),
  );

  return {
    find,
    lastDrawn: (uri) => drawn.get(uri.toString()),
    shownIn(document) {
      const last = drawn.get(document.uri.toString());
      const isCurrent = last !== undefined && find(document.uri) === last.document;
      return isCurrent && document.getText() === last.content ? last : undefined;
    },
    draw: (uri) => drawing.draw(uri.toString()),
    onDidShow: showed.event,
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
