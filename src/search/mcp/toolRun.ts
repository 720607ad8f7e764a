import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import { relativePath } from '../../base/paths.ts';
import type { FolderIndex } from '../registry/folderIndex.ts';
import type { IndexProgress, Place } from '../types.ts';
import { failureText } from './agentSentences.ts';
import { onOneLine } from './places.ts';

/** The tools change nothing that anybody has made; a question may go to the embedding service that was allowed in the editor. */
export const readsOnly = { readOnlyHint: true, destructiveHint: false, idempotentHint: true } as const;

/** A sentence that an agent reads in place of an answer. */
export class ToolProblem extends Error {}

/**
 * Runs a tool on the index. The first time, its files are read, which the client sees and can cancel. Errors become sentences.
 * @param question may be answered from the files that a team's index finds for it, while the others are read
 */
export async function runTool(
  openIndex: () => Promise<FolderIndex>,
  context: ServerContext,
  work: (index: FolderIndex, signal: AbortSignal) => Promise<CallToolResult>,
  question?: string,
): Promise<CallToolResult> {
  const { signal } = context.mcpReq;
  try {
    const index = await openIndex();
    const report = (progress: IndexProgress): void => {
      if (progress.phase === 'reading') void tellProgress(context, progress.files, progress.ofFiles);
    };
    await index.prepare(signal, report, question);
    return await work(index, signal);
  } catch (error) {
    const text = error instanceof ToolProblem ? error.message : failureText(error);
    return { isError: true, content: [{ type: 'text', text }] };
  }
}

/** A client that wants no progress, or is gone, is told none. */
async function tellProgress({ mcpReq }: ServerContext, progress: number, total: number): Promise<void> {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined || total === 0) return;
  const params = { progressToken, progress, total, message: 'Reading the files' };
  await mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
}

/** How a place is named in answers: within the folder, or, where there are several, as a whole. */
export function namePlace(
  { folders: [folder = '', ...further] }: FolderIndex,
  place: Pick<Place, 'root' | 'path'>,
): string {
  const full = join(place.root, place.path);
  return further.length > 0 ? full : (relativePath(folder, full) ?? full);
}

/**
 * The file or folder that a path means: one of an answer, from a folder or whole, or the address of a link.
 * @throws ToolProblem where it lies in none of the folders
 */
export function readPath(index: FolderIndex, given: string): Pick<Place, 'root' | 'path'> {
  const path = given.startsWith('file://') ? pathOfLink(given) : given;
  const candidates =
    path === undefined ? [] : isAbsolute(path) ? [path] : index.folders.map((folder) => join(folder, path));
  const places = candidates.flatMap((each) => index.place(each) ?? []);
  const known = places.find((place) => index.engine.chunksAt({ ...place, startLine: 1, endLine: 1 }).length > 0);
  const found = known ?? places[0];
  if (found === undefined || path?.includes('\0')) {
    throw new ToolProblem(`${onOneLine(given)} is in none of the folders of this search: ${index.folders.join(', ')}.`);
  }
  return found;
}

function pathOfLink(uri: string): string | undefined {
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}
