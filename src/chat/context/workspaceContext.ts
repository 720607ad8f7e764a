import { type Attachment, placedAttachment } from '../conversation/attachment.ts';

/** Lines of a file that fit a question. */
export interface FoundCode {
  /** Path relative to the workspace. */
  readonly path: string;
  /** The first line, from 1; both ends are included. */
  readonly startLine: number;
  readonly endLine: number;
  readonly text: string;
}

/** The search of the workspace, as the chat is given it. */
export interface WorkspaceSearch {
  /** Whether there is a workspace that may be read. */
  isAvailable(): boolean;
  /** Finds code; the best first, `limit` at most. */
  search(text: string, limit: number, signal: AbortSignal): Promise<FoundCode[]>;
}

/** The most pieces of code that are attached to a question: few enough to be looked through before it is sent. */
const mostPieces = 5;

/** Attachments with code of the workspace that fits a question. */
export async function findContext(
  searcher: WorkspaceSearch,
  question: string,
  newId: () => string,
  signal: AbortSignal,
): Promise<Attachment[]> {
  const found = await searcher.search(question, mostPieces, signal);
  return found.map(({ path, text, startLine, endLine }) =>
    placedAttachment({ path, languageId: extensionOf(path), text, range: { startLine, endLine } }, newId()),
  );
}

/** The file's extension, in place of the language id, which only an open document has; a model reads both. */
function extensionOf(path: string): string {
  return /\.([\w+-]+)$/.exec(path)?.[1] ?? '';
}
