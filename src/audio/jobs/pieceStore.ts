import { createHash } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import { access, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';
import { fileMode, makeFolderSync, writeWhole } from '../../base/privateFiles.ts';
import type { Translation } from '../../service/audio/audio.ts';
import type { AudioPiece } from '../split/plan/planPieces.ts';
import { spokenOf, spokenSchema, textsSchema } from '../transcript/transcript.ts';

/** What decides on the answer for a piece: its bytes, and how they are asked about. */
export interface PieceRequest {
  /** SHA-256 of the whole recording, in hexadecimal. */
  readonly sha256: string;
  /** The part of it that is sent, in seconds; see `wholeRecording`. */
  readonly from: number;
  readonly to: number;
  /** The number of its track, where it has several. */
  readonly track?: number | undefined;
  readonly baseUrl: string;
  readonly model: string;
  readonly prompt: string;
  /** The other fields of the form. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** The part that is sent of a recording that goes as it is: all of it, whose length need not be known. */
export const wholeRecording: Pick<PieceRequest, 'from' | 'to'> = { from: 0, to: Number.POSITIVE_INFINITY };

/** How a recording was sent first, by which it goes on. */
export interface PiecePlan {
  readonly pieces: readonly AudioPiece[];
  /** What it was asked with; absent in what older versions wrote. */
  readonly prompt?: string | undefined;
  /** The number of the track that is cut, where there are several. */
  readonly track?: number | undefined;
}

/**
 * Answers for recordings and pieces of them, on the disk in the turn in which they came: what came back is never sent again, whatever
 * ends in between. They are kept until the text of the whole recording is.
 */
export interface PieceStore {
  get(request: PieceRequest): Promise<Translation | undefined>;
  /** Whether there is an answer, told without reading it. */
  has(request: PieceRequest): Promise<boolean>;
  save(request: PieceRequest, translation: Translation): Promise<void>;
  plan(sha256: string): Promise<PiecePlan | undefined>;
  savePlan(sha256: string, plan: PiecePlan): Promise<void>;
  /** Deletes the plan and the answers for a recording. */
  remove(sha256: string): Promise<void>;
  /** Deletes answers of recordings that nobody went on with for so long, in milliseconds. @param now milliseconds since 1970 */
  removeOld(age: number, now: number): Promise<void>;
  /** A place for the bytes of a piece while it is sent. */
  pathFor(request: PieceRequest, extension: string): string;
}

/** The largest answer that is read back, in bytes: what the service may answer, as JSON. */
const largestAnswer = 64 * 1024 ** 2;

const schema = z.object({
  version: z.literal(1),
  ...textsSchema.shape,
  untranslated: z.optional(z.object({ language: z.optional(z.string()) })),
  ...spokenSchema.shape,
});

/** @param folder is made when the first answer is saved */
export function createPieceStore(folder: string): PieceStore {
  const folderOf = (sha256: string): string => join(folder, sha256);
  const pathFor = (request: PieceRequest, extension: string): string =>
    join(folderOf(request.sha256), `${keyOf(request)}.${extension}`);

  const planOf = (sha256: string): string => join(folderOf(sha256), 'plan.json');

  return {
    pathFor,
    async get(request) {
      const path = pathFor(request, 'json');
      const stats = await stat(path).catch(() => undefined);
      if (stats === undefined || stats.size > largestAnswer) return undefined;
      return readTranslation(await readFile(path, 'utf8').catch(() => ''));
    },
    has: (request) =>
      access(pathFor(request, 'json')).then(
        () => true,
        () => false,
      ),
    async save(request, translation) {
      const path = pathFor(request, 'json');
      makeFolderSync(dirname(path));
      // In one go, so that a process that is killed at any moment has either not had the answer or kept it.
      writeFileSync(`${path}.part`, JSON.stringify({ version: 1, ...translation }), { mode: fileMode });
      renameSync(`${path}.part`, path);
      await syncFile(path);
    },
    async plan(sha256) {
      return readPlan(await readFile(planOf(sha256), 'utf8').catch(() => ''));
    },
    savePlan: (sha256, { pieces, prompt, track }) =>
      writeWhole(planOf(sha256), JSON.stringify({ version: 1, pieces, prompt, track })),
    remove: (sha256) => rm(folderOf(sha256), { recursive: true, force: true }),
    async removeOld(age, now) {
      for (const name of await readdir(folder).catch((): string[] => [])) {
        if (!/^[0-9a-f]{64}$/.test(name)) continue;
        const stats = await stat(folderOf(name)).catch(() => undefined);
        if (stats !== undefined && now - stats.mtimeMs > age)
          await rm(folderOf(name), { recursive: true, force: true });
      }
    },
  };
}

/** Waits until a file is on the disk, for machines that lose their power. */
async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

function keyOf(request: PieceRequest): string {
  const { sha256, from, to, track, baseUrl, model, prompt, options } = request;
  const all: unknown[] = [
    sha256,
    from,
    to,
    baseUrl,
    model,
    prompt,
    Object.entries(options).sort(([a], [b]) => (a < b ? -1 : 1)),
  ];
  // Keys of recordings of one track are as older versions made them.
  if (track !== undefined) all.push(track);
  return createHash('sha256').update(JSON.stringify(all)).digest('hex');
}

const planSchema = z.object({
  version: z.literal(1),
  prompt: z.optional(z.string()),
  track: z.optional(z.number()),
  pieces: z.array(
    z.object({
      index: z.number(),
      start: z.number(),
      end: z.number(),
      from: z.number(),
      to: z.number(),
      startsQuiet: z.boolean(),
      endsQuiet: z.boolean(),
      bytes: z.optional(z.number()),
    }),
  ),
});

function readPlan(json: string): PiecePlan | undefined {
  try {
    const { pieces, prompt, track } = planSchema.parse(JSON.parse(json));
    return pieces.length === 0 ? undefined : { pieces, prompt, track };
  } catch {
    return undefined;
  }
}

function readTranslation(json: string): Translation | undefined {
  try {
    const { text, segments, untranslated, ...spoken } = schema.parse(JSON.parse(json));
    return {
      text,
      segments: segments as Translation['segments'],
      ...spokenOf(spoken),
      ...(untranslated === undefined ? {} : { untranslated }),
    };
  } catch {
    return undefined;
  }
}
