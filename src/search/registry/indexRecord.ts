import { createHash } from 'node:crypto';
import { isAbsolute } from 'node:path';
import * as z from 'zod/mini';
import type { Scope } from '../../workspace/fileFilter.ts';
import type { VectorSource } from '../types.ts';

const encodingSetting = z.object({
  encoding: z.optional(z.string()),
  guess: z.optional(z.boolean()),
  candidates: z.optional(z.array(z.string())),
});
const encodingRules = z.extend(encodingSetting, {
  byName: z.optional(z.array(z.object({ end: z.string(), setting: encodingSetting }))),
});

/** A relative path would mean another place to each program that reads it. */
const absolutePath = z.string().check(z.refine(isAbsolute));

const recordSchema = z.object({
  version: z.literal(1),
  directory: absolutePath,
  cachePath: z.optional(absolutePath),
  scope: z.object({
    roots: z.array(absolutePath),
    maxBytes: z.number(),
    exclude: z.optional(z.array(z.string())),
    allow: z.optional(z.array(z.string())),
    includeGenerated: z.optional(z.boolean()),
    encodings: z.optional(z.record(z.string(), encodingRules)),
  }),
  source: z.optional(
    z.object({
      model: z.string(),
      documentPrefix: z.optional(z.string()),
      queryPrefix: z.optional(z.string()),
      origin: z.optional(z.string()),
    }),
  ),
  madeBy: z.optional(z.literal('command')),
  usedAt: z.number(),
});

/**
 * What is recorded of an index: where it is, which files it has, and by which model it is searched. No key, no more of an address than its
 * origin, and nothing of the code.
 */
export interface IndexRecord {
  readonly version: 1;
  /** The folder of the index. */
  readonly directory: string;
  /** The file of the vector cache. */
  readonly cachePath?: string | undefined;
  readonly scope: Omit<Scope, 'near'>;
  /** The model by whose vectors questions are answered; absent where nothing may be sent. */
  readonly source?: (VectorSource & { readonly queryPrefix?: string | undefined }) | undefined;
  /** Absent where an editor made it, whose settings say which files are in it and by which model it is searched. */
  readonly madeBy?: 'command' | undefined;
  /** The time at which an editor or a command used it last, in milliseconds since the epoch. */
  readonly usedAt: number;
}

/** Reads a record; undefined where it is none, or one of a later version. */
export function readRecord(text: string): IndexRecord | undefined {
  try {
    const { scope, ...record } = recordSchema.parse(JSON.parse(text));
    const { exclude = [], allow = [], includeGenerated = false, encodings = {}, ...files } = scope;
    return { ...record, scope: { ...files, exclude, allow, includeGenerated, encodings } };
  } catch {
    return undefined;
  }
}

/** The name of what belongs to an index, for all who open it. */
export function nameOfIndex(directory: string): string {
  return createHash('sha256').update(directory).digest('hex').slice(0, 32);
}
