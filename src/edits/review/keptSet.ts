import * as z from 'zod/mini';
import { mostCharacters } from './checkpoint.ts';
import type { ReviewedFile, ReviewHunk } from './reviewedFile.ts';

/** A set of changes that waits for decisions, as it is kept for the time after a reload. */
export interface KeptSet {
  readonly id: string;
  readonly title: string;
  readonly instruction: string;
  /** Milliseconds since 1970: of two sets of one file, the later one has its newest state. */
  readonly time: number;
  /** The process that wrote it last; undefined in files of earlier versions. */
  readonly writer?: number | undefined;
  readonly files: readonly KeptReview[];
}

/** A file of a set, with the hunks of the other sets that it is in. */
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
  whole: z.optional(
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('delete') }),
      z.object({ kind: z.literal('rename'), from: z.string(), to: z.string() }),
    ]),
  ),
});
const schema = z.object({
  version: z.literal(2),
  id: z.string(),
  title: z.string(),
  instruction: z.string(),
  time: z.number(),
  writer: z.optional(z.int().check(z.positive())),
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

/**
 * The sets, each file in its newest state in all of them, and without the hunks of sets that are not there any more.
 * @param sets in any order
 */
export function joinKeptSets(sets: readonly KeptSet[]): KeptSet[] {
  const newest = new Map<string, KeptReview>();
  const ids = new Set(sets.map(({ id }) => id));
  for (const { files } of [...sets].sort((a, b) => a.time - b.time))
    for (const file of files) newest.set(file.uri, file);
  const joined = ({ uri, isNew }: KeptReview): KeptReview => {
    const { lines, hunks } = newest.get(uri)?.review ?? { lines: [], hunks: [] };
    return { uri, isNew, review: { lines, hunks: hunks.filter(({ set }) => ids.has(set)) } };
  };
  return sets.map((set) => ({ ...set, files: set.files.map(joined) }));
}

/**
 * Whether a set can be shown beside another one that it does not know of: where both are for one file, its state in the one has the
 * pending hunks of the other as well.
 */
export function knows(set: KeptSet, other: KeptSet): boolean {
  return other.files.every(({ uri, review }) => {
    const own = set.files.find((file) => file.uri === uri);
    const isPending = review.hunks.some((hunk) => hunk.set === other.id && hunk.state === 'pending');
    return own === undefined || !isPending || own.review.hunks.some((hunk) => hunk.set === other.id);
  });
}

/** Reads what `writeKeptSet` wrote; undefined for anything else, also for changes that have no place in their file. */
export function readKeptSet(json: string): KeptSet | undefined {
  try {
    const { id, title, instruction, time, writer, files } = schema.parse(JSON.parse(json));
    const read = files.map(({ uri, isNew, review: { lines, hunks } }) => ({
      uri,
      isNew,
      review: { lines, hunks: hunks.map(toHunk) },
    }));
    if (!read.every(({ review }) => isOrdered(review))) return undefined;
    return { id, title, instruction, time, ...(writer === undefined ? {} : { writer }), files: read };
  } catch {
    return undefined;
  }
}

function toHunk({ merged, before, beside, replaces, whole, ...rest }: z.infer<typeof hunkSchema>): ReviewHunk {
  return {
    ...rest,
    merged,
    ...(before === undefined ? {} : { before }),
    ...(beside === undefined ? {} : { beside }),
    ...(replaces === undefined ? {} : { replaces }),
    ...(whole === undefined ? {} : { whole }),
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
