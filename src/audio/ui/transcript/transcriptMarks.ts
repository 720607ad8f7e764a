import { type Disposable, OverviewRulerLane, type Range, type TextEditor, ThemeColor, workspace } from 'vscode';
import { throttle } from '../../../base/throttle.ts';
import { Disposables } from '../../../editor/disposables.ts';
import { markdownOf } from '../../../editor/text/shown.ts';
import { window } from '../../../editor/text/window.ts';
import { lineMap, readDocument } from '../../document/transcriptDocument.ts';
import type { Transcript } from '../../transcript/transcript.ts';
import { checksOf } from './qualityChecks.ts';
import { readUri } from './transcriptDocuments.ts';
import type { Transcripts } from './transcripts.ts';

/** The marks in transcripts that are open as text: what is heard now, and what is worth checking. */
export interface TranscriptMarks extends Disposable {
  /** The player has come to a segment; undefined: there is none any more. */
  show(id: string, segment: number | undefined): void;
}

/** The time between two readings of a document that is typed in, in milliseconds. */
const readingPause = 300;

/** The segment of each line, and why lines are worth checking, of a document as it was read. */
interface Read {
  readonly version: number;
  readonly segments: readonly (number | undefined)[];
  readonly reasons: ReadonlyMap<number, string>;
}

export function createTranscriptMarks(transcripts: Transcripts): TranscriptMarks {
  const owned = new Disposables();
  const heard = new Map<string, number>();
  const read = new WeakMap<TextEditor['document'], Read>();
  const heardType = owned.add(
    window.createTextEditorDecorationType({
      isWholeLine: true,
      backgroundColor: new ThemeColor('editor.findMatchHighlightBackground'),
      overviewRulerColor: new ThemeColor('editorOverviewRuler.findMatchForeground'),
      overviewRulerLane: OverviewRulerLane.Center,
    }),
  );
  const checkType = owned.add(
    window.createTextEditorDecorationType({
      textDecoration: 'underline dotted',
      overviewRulerColor: new ThemeColor('editorOverviewRuler.warningForeground'),
      overviewRulerLane: OverviewRulerLane.Right,
    }),
  );

  async function look(editor: TextEditor): Promise<void> {
    const { document } = editor;
    const named = readUri(document.uri);
    const transcript = named && (await transcripts.get(named.id));
    if (named === undefined || transcript === undefined) return;
    if (read.get(document)?.version !== document.version) {
      const { version } = document;
      const found = await readDocument(document.getText(), named.format, new AbortController().signal);
      // A document that was saved has the segments of the transcript; one that is being typed in has its own.
      const segments = lineMap(found, document.isDirty ? undefined : transcript.segments);
      read.set(document, { version, segments, reasons: await reasonsOf(transcript) });
    }
    draw(editor, named.id);
  }

  function draw(editor: TextEditor, id: string): void {
    const found = read.get(editor.document);
    if (found === undefined || found.version !== editor.document.version) return;
    const at = heard.get(id);
    const lines = [...found.segments.entries()].filter(([line]) => line < editor.document.lineCount);
    const rangeOf = (line: number): Range => editor.document.lineAt(line).range;
    editor.setDecorations(
      heardType,
      lines.flatMap(([line, segment]) => (segment !== undefined && segment === at ? [rangeOf(line)] : [])),
    );
    editor.setDecorations(
      checkType,
      lines.flatMap(([line, segment]) => {
        const reason = segment === undefined ? undefined : found.reasons.get(segment);
        return reason === undefined ? [] : [{ range: rangeOf(line), hoverMessage: markdownOf(reason) }];
      }),
    );
  }

  const lookAtAll = owned.add(
    throttle(() => {
      for (const editor of window.visibleTextEditors) void look(editor).catch(() => undefined);
    }, readingPause),
  );
  owned.add(window.onDidChangeVisibleTextEditors(lookAtAll));
  owned.add(workspace.onDidChangeTextDocument(({ document }) => readUri(document.uri) && lookAtAll()));
  lookAtAll();

  return {
    show(id, segment) {
      if (segment === undefined) heard.delete(id);
      else heard.set(id, segment);
      for (const editor of window.visibleTextEditors) if (readUri(editor.document.uri)?.id === id) draw(editor, id);
    },
    dispose: () => owned.dispose(),
  };
}

async function reasonsOf(transcript: Transcript): Promise<ReadonlyMap<number, string>> {
  return new Map((await checksOf(transcript)).map(({ segment, reason }) => [segment, reason]));
}
