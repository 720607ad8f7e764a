import { type TextDocument, type Uri, workspace } from 'vscode';
import type { Planner } from '../planner.ts';
import { sharedPath } from './documentNames.ts';
import type { KnownFile } from './proposedFiles.ts';
import { isReadOnly } from './target.ts';
import { allLines } from './trackedLines.ts';

/** The most files that one answer may name. */
const mostNamed = 100;

/** The paths that an answer, or a block of code, names. One that takes too long to be read names none, and has no plan either. */
export async function pathsIn(planner: Planner, text: string, isCode = false): Promise<readonly string[]> {
  const paths = await planner.plan('paths', { text, isCode });
  return 'kind' in paths ? [] : paths;
}

/**
 * The files that the paths of an answer mean, by the paths that the service knows them by. The document instead, where one can only
 * be read. @param find finds the file that a path means
 */
export async function openNamed(
  paths: readonly string[],
  find: (path: string) => Promise<Uri | undefined>,
): Promise<Map<string, KnownFile> | TextDocument> {
  const known = new Map<string, KnownFile>();
  for (const path of paths.slice(0, mostNamed)) {
    const document = await openFound(await find(path));
    if (document === undefined) continue;
    if (await isReadOnly(document)) return document;
    known.set(sharedPath(document.uri), { uri: document.uri, lines: allLines(document) });
  }
  return known;
}

/** A file that an answer means; undefined where it is none that can be read as text. */
export async function openFound(uri: Uri | undefined): Promise<TextDocument | undefined> {
  if (uri === undefined) return undefined;
  return workspace.openTextDocument(uri).then(
    (document) => document,
    () => undefined,
  );
}

export function linesOfAll(known: ReadonlyMap<string, KnownFile>): Map<string, readonly string[]> {
  return new Map([...known].map(([path, { lines }]) => [path, lines]));
}
