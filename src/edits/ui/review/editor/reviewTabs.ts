import { Selection, TabInputText, Uri, ViewColumn, workspace } from 'vscode';
import { window } from '../../../../editor/text/window.ts';
import type { ReviewedDocument } from '../reviewedDocument.ts';

/** The scheme of the texts that are under review: a file with its old and its new lines in one column, only to be read. */
export const reviewScheme = 'parley-edit';

export function reviewUri({ uri }: ReviewedDocument): Uri {
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

/** The column in which the review, or else the file itself, is open; else the active one. */
export function columnOf(document: ReviewedDocument): ViewColumn {
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

export async function showFile(
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

/** Closes the tabs of the reviews that are meant. */
export async function closeReviews(isMeant: (uri: Uri) => boolean): Promise<void> {
  const tabs = window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(({ input }) => input instanceof TabInputText && input.uri.scheme === reviewScheme && isMeant(input.uri));
  if (tabs.length > 0) await window.tabGroups.close(tabs);
}
