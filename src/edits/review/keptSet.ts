import * as z from 'zod/mini';
import { mostCharacters } from './checkpoint.ts';
import type { ReviewedFile, ReviewHunk } from './reviewedFile.ts';

/** A set of changes that waits for decisions, as it is kept for the time after a reload. */
export interface KeptSet {
  readonly id: string;
  readonly title: string;
  readonly instruction: string;
  readonly files: readonly KeptReview[];
}

export interface KeptReview {
  readonly uri: string;
  readonly isNew: boolean;
  readonly review: ReviewedFile;
}

const linesSchema = z.array(z.string());
const countSchema = z.int().check(z.nonnegative());
const hunkSchema = z.object({
  id: countSchema,
  set: z.string(),
  state: z.enum(['pending', 'accepted', 'rejected']),
  line: countSchema,
  count: countSchema,
  base: linesSchema,
  proposed: linesSchema,
  merged: z.optional(linesSchema),
  before: z.optional(linesSchema),
  beside: z.optional(z.object({ above: linesSchema, below: linesSchema })),
  replaces: z.optional(linesSchema),
});
const schema = z.object({
  version: z.literal(2),
  id: z.string(),
  title: z.string(),
  instruction: z.string(),
  files: z.array(
    z.object({
      uri: z.string(),
      isNew: z.boolean(),
      review: z.object({ lines: linesSchema, hunks: z.array(hunkSchema) }),
    }),
  ),
});

/** A set as it is kept on disk; undefined for one that is larger than any checkpoint. */
export function writeKeptSet(set: KeptSet): string | undefined {
  const json = JSON.stringify({ version: 2, ...set });
  return json.length > mostCharacters ? undefined : json;
}

/** Reads what `writeKeptSet` wrote; undefined for anything else, also for changes that have no place in their file. */
export function readKeptSet(json: string): KeptSet | undefined {
  try {
    const { id, title, instruction, files } = schema.parse(JSON.parse(json));
    const read = files.map(({ uri, isNew, review: { lines, hunks } }) => ({
      uri,
      isNew,
      review: { lines, hunks: hunks.map(toHunk) },
    }));
    return read.every(({ review }) => isOrdered(review)) ? { id, title, instruction, files: read } : undefined;
  } catch {
    return undefined;
  }
}

function toHunk({ merged, before, beside, replaces, ...rest }: z.infer<typeof hunkSchema>): ReviewHunk {
  return {
    ...rest,
    merged,
    ...(before === undefined ? {} : { before }),
    ...(beside === undefined ? {} : { beside }),
    ...(replaces === undefined ? {} : { replaces }),
  };
}

/** Whether each hunk begins where the one before has ended, or later, and the last ends in the file. */
function isOrdered({ lines, hunks }: ReviewedFile): boolean {
  let end = 0;
  for (const { line, count } of hunks) {
    if (line < end) return false;
    end = line + count;
  }
  return end <= lines.length;
}
