import * as z from 'zod/mini';

/** The texts of files as they were before a set of changes. */
export interface Checkpoint {
  /** Of the set. */
  readonly id: string;
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly files: readonly CheckpointFile[];
}

export interface CheckpointFile {
  readonly uri: string;
  /** Null where there was no such file. */
  readonly text: string | null;
  /** Of a cell of a notebook: its text after the changes. By it the cell is known after a reload, which numbers the cells anew. */
  readonly after?: string | undefined;
  /** Where it was, and is to be again: of one that the changes rename. */
  readonly was?: string | undefined;
  /** Whether the changes delete it. */
  readonly isDeleted?: boolean | undefined;
}

/** The largest checkpoint, in characters of all its files. */
export const mostCharacters = 20_000_000;

const schema = z.object({
  version: z.literal(1),
  id: z.string(),
  title: z.string(),
  time: z.number(),
  files: z.array(
    z.object({
      uri: z.string(),
      text: z.nullable(z.string()),
      after: z.optional(z.string()),
      was: z.optional(z.string()),
      isDeleted: z.optional(z.boolean()),
    }),
  ),
});

/** A checkpoint as it is kept on disk. */
export function writeCheckpoint(checkpoint: Checkpoint): string {
  return JSON.stringify({ version: 1, ...checkpoint });
}

/** Reads what `writeCheckpoint` wrote; undefined for anything else. */
export function readCheckpoint(json: string): Checkpoint | undefined {
  try {
    const read = schema.safeParse(JSON.parse(json));
    return read.success ? read.data : undefined;
  } catch {
    return undefined;
  }
}
