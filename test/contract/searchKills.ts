import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { RecordedRequest, ReferenceService } from '../service/options.ts';

export const builder = fileURLToPath(new URL('searchBuild.ts', import.meta.url));

/** What a build that was killed again and again left behind. */
export interface Kills {
  /** How many of the builds were killed in the middle. */
  killed: number;
  /** Texts that were on the disk when a build was killed, and asked for again by a later one. */
  askedAgain: string[];
  /** Texts whose answer the service had sent whole, and that were asked for again. */
  answeredAgain: string[];
  /** What the index found wrong with itself after a kill. */
  damage: string[];
  /** Texts without a vector in the end. */
  missing: number;
  /** Texts that were asked for and are on the disk in the end. */
  stored: number;
}

/** When a build is killed: so many milliseconds after so many requests. */
export interface Kill {
  afterRequests: number;
  delayMs: number;
}

/**
 * Builds an index of so many files with the service, has the process killed, looks at what is on the disk, goes on, and so on;
 * at last lets it finish.
 * @param folder an empty one
 */
export async function killAndResume(
  service: ReferenceService,
  folder: string,
  files: number,
  kills: readonly Kill[],
): Promise<Kills> {
  const [root, directory] = [join(folder, 'root'), join(folder, 'index')];
  mkdirSync(root);
  for (let i = 0; i < files; i++) writeFileSync(join(root, `f${i}.ts`), `export const ship${i} = ${i};\n`);
  const result: Kills = {
    killed: 0,
    askedAgain: [],
    answeredAgain: [],
    damage: [],
    missing: 0,
    stored: 0,
  };
  let stored = new Set<string>();
  const answered = new Set<string>();
  for (const kill of [...kills, undefined]) {
    const before = service.requests.length;
    if (await build([directory, root, service.baseUrl], kill, () => service.requests.length - before)) {
      result.killed++;
    }
    const requests = service.requests.slice(before);
    while (!requests.every(({ finished }) => finished)) await nextTurn();
    const asked = requests.flatMap(inputsOf).map(hashOf);
    result.askedAgain.push(...asked.filter((hash) => stored.has(hash)));
    result.answeredAgain.push(...asked.filter((hash) => answered.has(hash)));
    for (const request of requests) {
      if (request.status === 200 && !request.aborted) for (const text of inputsOf(request)) answered.add(hashOf(text));
    }
    const found = look(directory);
    stored = found.stored;
    result.damage.push(...found.damage);
    result.missing = found.missing;
  }
  const all = service.requests.flatMap(inputsOf).map(hashOf);
  return { ...result, stored: new Set(all.filter((hash) => stored.has(hash))).size };
}

export function inputsOf({ body }: RecordedRequest): string[] {
  return [(body as { input?: string | string[] } | undefined)?.input ?? []].flat();
}

/** Runs a build, and kills it when it is time. Gives whether it was killed before it was done. */
async function build(args: readonly string[], kill: Kill | undefined, requests: () => number): Promise<boolean> {
  const child = spawn(process.execPath, [builder, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  let killing: NodeJS.Timeout | undefined;
  const watching = setInterval(() => {
    if (kill === undefined || killing !== undefined) return;
    if (requests() >= kill.afterRequests) killing = setTimeout(() => child.kill('SIGKILL'), kill.delayMs);
  }, 1);
  const [code, signal] = await once(child, 'exit');
  clearInterval(watching);
  clearTimeout(killing);
  if (signal !== 'SIGKILL' && code !== 0) throw new Error(`The build ended with ${String(code ?? signal)}.`);
  return signal === 'SIGKILL';
}

/** Random moments: each build gets its share of the texts, more or less, and is then killed at any step of its work. */
export function randomKills(files: number, times: number, random: () => number): Kill[] {
  return Array.from({ length: times }, () => ({
    afterRequests: 1 + Math.floor((random() * 2 * files) / 8 / (times + 1)),
    delayMs: random() * 35,
  }));
}

/** The same numbers in each run, so that the moments are the same as far as the machine lets them be. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

/** The hash of the chunk in an embedded text: what stands before it is the path. */
export function hashOf(text: string): string {
  return createHash('sha256')
    .update(text.slice(text.indexOf('\n\n') + 2))
    .digest('hex');
}

/** What is on the disk of an index, seen from outside. */
export function look(directory: string): { stored: Set<string>; damage: string[]; missing: number } {
  const open = (name: string): DatabaseSync | undefined =>
    existsSync(join(directory, name)) ? new DatabaseSync(join(directory, name), { readOnly: true }) : undefined;
  const [index, vectors] = [open('index.db'), open('vectors.db')];
  const damage: string[] = [];
  for (const database of [index, vectors]) {
    const said = database?.prepare('PRAGMA integrity_check').get()?.['integrity_check'] ?? 'ok';
    if (said !== 'ok') damage.push(String(said));
  }
  const hashes = (database: DatabaseSync | undefined, sql: string): Set<string> => {
    const rows = tablesOf(database).length === 0 ? [] : (database?.prepare(sql).all() ?? []);
    return new Set(rows.map((row) => Buffer.from(row['hash'] as Uint8Array).toString('hex')));
  };
  const stored = hashes(vectors, 'SELECT hash FROM vectors');
  const chunks = hashes(index, 'SELECT hash FROM chunks');
  index?.close();
  vectors?.close();
  return { stored, damage, missing: [...chunks].filter((hash) => !stored.has(hash)).length };
}

function tablesOf(database: DatabaseSync | undefined): unknown[] {
  return database?.prepare("SELECT name FROM sqlite_master WHERE name IN ('vectors', 'chunks')").all() ?? [];
}
