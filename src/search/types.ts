/** Everything that determines the vector of a text: vectors of equal sources can be compared and exchanged. */
export interface VectorSource {
  model: string;
  /** A prefix for every indexed text, as some models want it. */
  documentPrefix?: string | undefined;
  /** The service's origin. The vector cache is used only with it, because a model's name is not unique. */
  origin?: string | undefined;
}

/** The name of the space that holds the vectors of a source. */
export function spaceKey({ model, documentPrefix = '' }: VectorSource): string {
  return documentPrefix === '' ? model : JSON.stringify([model, documentPrefix]);
}

/** The name of a source wherever vectors of several services are kept; undefined without an origin. */
export function sourceName(source: VectorSource): string | undefined {
  return source.origin === undefined ? undefined : `${source.origin}\n${spaceKey(source)}`;
}

/** The source that a space is named after. */
export function sourceOf(key: string): VectorSource {
  if (!key.startsWith('[')) return { model: key };
  const [model, documentPrefix] = JSON.parse(key) as [string, string];
  return { model, documentPrefix };
}

/** Lines of a file, from 1, both ends included. */
export interface Place {
  root: string;
  /** Relative, with `/`. */
  path: string;
  startLine: number;
  endLine: number;
}

/** Progress of a build. */
export type IndexProgress =
  | { phase: 'reading'; files: number; ofFiles: number }
  | { phase: 'embedding'; chunks: number; ofChunks: number };

/** Progress of an import: texts that got their vector, of those that had none. */
export interface TakingProgress {
  readonly taken: number;
  readonly of: number;
}

/** Progress of publishing: files that were looked at, of all. */
export interface PublishProgress {
  readonly files: number;
  readonly ofFiles: number;
}

/** Whether a file, by its root and the path under it, may be searched. */
export type PathTest = (root: string, path: string) => boolean;

/** A chunk with its cosine similarity to a query. */
export interface Nearest {
  readonly id: number;
  readonly cosine: number;
}

/** Why a service has no vector for a text: it is too long, what came is no vector, or it was refused with some words. */
export type RefusalReason = 'too-long' | 'no-vector' | 'refused';

/** A text for which the service has no vector. It is not sent again in this space. */
export interface RefusedText {
  readonly hash: Uint8Array;
  readonly reason: RefusalReason;
  /** The service's own words, or what was wrong with its answer; may be empty. */
  readonly detail: string;
}
