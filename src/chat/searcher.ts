import { type Attachment, placedAttachment } from './context.ts';

/** Lines of a file that fit a question. */
export interface Found {
  /** Relative to the workspace. */
  readonly path: string;
  /** From 1, both ends included. */
  readonly startLine: number;
  readonly endLine: number;
  readonly text: string;
}

/** The search of the workspace, as the chat is given it. */
export interface Searcher {
  /** Whether there is a workspace that may be read. */
  isAvailable(): boolean;
  /** The best first, `limit` at most. */
  search(text: string, limit: number, signal: AbortSignal): Promise<Found[]>;
}

/** Pieces of code that are attached to a question: few enough to be looked through before it is sent. */
const mostPieces = 5;

/** What the workspace holds on a question, as context for it. */
export async function findContext(
  searcher: Searcher,
  question: string,
  newId: () => string,
  signal: AbortSignal,
): Promise<Attachment[]> {
  const found = await searcher.search(question, mostPieces, signal);
  return found.map(({ path, text, startLine, endLine }) =>
    placedAttachment({ path, languageId: extensionOf(path), text, range: { startLine, endLine } }, newId()),
  );
}

/** In place of the language id, which only an open document has; a model reads both. */
function extensionOf(path: string): string {
  return /\.([\w+-]+)$/.exec(path)?.[1] ?? '';
}
