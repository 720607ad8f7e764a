import { Disposable, type TextDocumentContentChangeEvent, Uri, workspace } from 'vscode';
import type { KeptHit } from './keptAnswer.ts';
import { moveLines } from './moveLines.ts';

/**
 * Keeps the places of hits up to date while documents change and files are renamed.
 * @param hits all that are followed now
 */
export function followPlaces(hits: () => Iterable<KeptHit>, onMove: () => void, onRename: () => void): Disposable {
  return Disposable.from(
    workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      const uri = document.uri.toString();
      const here = [...hits()].filter((hit) => hit.uri.toString() === uri);
      if (here.length === 0 || contentChanges.length === 0) return;
      for (const hit of here) move(hit, contentChanges);
      onMove();
    }),
    workspace.onDidRenameFiles(({ files }) => {
      let isMoved = false;
      for (const hit of hits()) {
        const uri = afterRename(hit.uri, files);
        if (uri === undefined) continue;
        hit.uri = uri;
        isMoved = true;
      }
      if (isMoved) onRename();
    }),
  );
}

function move(hit: KeptHit, changes: readonly TextDocumentContentChangeEvent[]): void {
  // Changes of one event run from the bottom to the top, so each place is valid for the text before it.
  for (const { range, text } of changes) {
    const { touched, ...place } = moveLines(hit, { start: range.start, end: range.end, text });
    const lines = hit.lines.map((each) => each + place.startLine - hit.startLine);
    Object.assign(hit, place, { lines, touched: hit.touched || touched });
  }
}

/** The address of a file after renames of it or of a folder around it; undefined where there were none. */
function afterRename(uri: Uri, renamed: readonly { readonly oldUri: Uri; readonly newUri: Uri }[]): Uri | undefined {
  for (const { oldUri, newUri } of renamed) {
    if (uri.toString() === oldUri.toString()) return newUri;
    if (uri.toString().startsWith(`${oldUri}/`)) return Uri.joinPath(newUri, uri.path.slice(oldUri.path.length));
  }
  return undefined;
}
