import type { TextDocument, Uri } from 'vscode';
import { openDocument } from '../../editor/files/openDocument.ts';
import type { Planner } from '../planner.ts';
import { sharedPath } from './documentNames.ts';
import type { KnownFile } from './proposedFiles.ts';
import type { Reviews } from './review/reviews.ts';
import { isReadOnly } from './target.ts';
import { allLines } from './trackedLines.ts';

/** The most files that one answer may name. */
const mostNamed = 100;

/** The paths that an answer, or a block of code, names. One that takes too long to be read names none, and has no plan either. */
export async function pathsIn(planner: Planner, text: string, isCode = false): Promise<readonly string[]> {
  const paths = await planner.plan('paths', { text, isCode });
  return 'kind' in paths ? [] : paths;
}

/** What is pending, as far as further edits need it. */
type Pending = Pick<Reviews, 'pendingTextOf' | 'newFileAt'>;

/**
 * The files that the paths of an answer mean, by the paths that the service knows them by. The document instead, where one can only
 * be read.
 * @param find finds the file that a path means
 */
export async function openNamed(
  paths: readonly string[],
  find: (path: string) => Promise<Uri | undefined>,
  pending: Pending,
): Promise<Map<string, KnownFile> | TextDocument> {
  const known = new Map<string, KnownFile>();
  for (const path of paths.slice(0, mostNamed)) {
    const file = await openFile(path, find, pending);
    if (file === undefined) continue;
    if (!('lines' in file)) return file;
    known.set(sharedPath(file.uri), file);
  }
  return known;
}

/** The file that a path means, with all that is pending; the document, where it can only be read. One may be there as a proposal alone. */
export async function openFile(
  path: string,
  find: (path: string) => Promise<Uri | undefined>,
  pending: Pending,
): Promise<KnownFile | TextDocument | undefined> {
  const document = await openFound(await find(path));
  if (document !== undefined && (await isReadOnly(document))) return document;
  const uri = document?.uri ?? pending.newFileAt(path);
  const lines = (uri && pending.pendingTextOf(uri)) ?? (document && allLines(document));
  return uri && lines && { uri, lines };
}

/** A file that an answer means; undefined where it is none that can be read as text. */
async function openFound(uri: Uri | undefined): Promise<TextDocument | undefined> {
  if (uri === undefined) return undefined;
  return openDocument(uri).then(
    (document) => document,
    () => undefined,
  );
}

export function linesOfAll(known: ReadonlyMap<string, KnownFile>): Map<string, readonly string[]> {
  return new Map([...known].map(([path, { lines }]) => [path, lines]));
}
