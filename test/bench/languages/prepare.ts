import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Chunk } from '../../../src/search/chunker/chunker.ts';
import { createExaminer } from '../../../src/search/indexing/examiner.ts';
import type { FileChange } from '../../../src/search/store/files/fileWriter.ts';
import { openStore } from '../../../src/search/store/store.ts';
import { createFilter } from '../../../src/workspace/fileFilter.ts';
import { examineFile } from '../../../src/workspace/fileList.ts';
import { walk } from '../../../src/workspace/walk.ts';
import { cache, fetchArchives, unpack } from '../retrieval/fetch.ts';
import { type CommentedPackage, packages } from './packages.ts';
import type { CommentedFile } from './questions.ts';

const signal = new AbortController().signal;
const maxBytes = 1024 * 1024;
const code = /\.(?:[cm]?[jt]sx?|vue|java)$/;

/** The folder with all packages, and which could not be fetched. */
export interface Workspace {
  root: string;
  leftOut: string[];
}

/** Puts all packages into one folder, each in one of its language; kept until the list of them changes. */
export async function prepareWorkspace(): Promise<Workspace> {
  // A pattern is not written as JSON.
  const key = createHash('sha256').update(
    JSON.stringify(packages.map((each) => ({ ...each, made: String(each.made) }))),
  );
  const folder = join(cache, 'languages', key.digest('hex').slice(0, 12));
  const list = join(folder, 'leftOut.json');
  const root = join(folder, 'files');
  if (existsSync(list)) return { root, leftOut: JSON.parse(readFileSync(list, 'utf8')) as string[] };
  await rm(folder, { recursive: true, force: true });
  const aside = `${folder}.${process.pid}`;
  const leftOut: string[] = [];
  for (const each of packages) {
    const archives = await fetchArchives(each);
    if (archives.length === 0) leftOut.push(each.name);
    else await unpackInto(join(aside, 'files', each.language, each.name.replace('/', '+')), archives, each);
  }
  await mkdir(aside, { recursive: true });
  // What could not be had this time is asked for again.
  if (leftOut.length === 0) await writeFile(join(aside, 'leftOut.json'), '[]');
  await rename(aside, folder);
  return { root, leftOut };
}

async function unpackInto(folder: string, archives: readonly string[], { parts, made }: CommentedPackage) {
  await unpack(archives, folder, parts);
  if (made === undefined) return;
  const paths: string[] = [];
  await walk(folder, signal, (path) => paths.push(path));
  for (const path of paths) if (made.test(path)) await rm(join(folder, path));
}

async function pathsIn(root: string): Promise<string[]> {
  const paths: string[] = [];
  await walk(root, signal, (path) => paths.push(path));
  return paths.sort();
}

/** The texts that belong to the index and are code. */
export async function readCode(root: string): Promise<CommentedFile[]> {
  const filter = createFilter(root, { roots: [root], maxBytes }, new Map());
  const files: CommentedFile[] = [];
  for (const path of await pathsIn(root)) {
    if (!code.test(path)) continue;
    const examined = await examineFile(filter, path);
    if (examined.kind !== 'text') continue;
    files.push({ path, language: path.split('/')[0] as CommentedFile['language'], lines: examined.text.split('\n') });
  }
  return files;
}

/** What is put into an index: read once, so that writing can be timed by itself. */
export async function examineAll(root: string): Promise<FileChange[]> {
  const scope = { roots: [root], maxBytes };
  const same = { generated: new Map(), trusted: false, sameChunker: false, sameNames: false };
  const examiner = createExaminer({ root, scope, ...same });
  const changes: FileChange[] = [];
  for (const path of await pathsIn(root)) {
    const change = await examiner.examine(path, undefined);
    if (typeof change === 'object') changes.push(change);
  }
  await examiner.close();
  return changes;
}

/** Writes an index; gives the milliseconds it took. */
export function writeIndex(folder: string, root: string, changes: readonly FileChange[]): number {
  const store = openStore(folder);
  const start = performance.now();
  for (let at = 0; at < changes.length; at += 100) store.putFiles(root, changes.slice(at, at + 100));
  const took = performance.now() - start;
  store.close();
  return took;
}

/** The chunks of what is put into an index, with the paths of their files. */
export function chunksOf(changes: readonly FileChange[]): { path: string; chunk: Chunk }[] {
  return changes.flatMap(({ path, content }) =>
    typeof content === 'object' ? content.chunks.map((chunk) => ({ path, chunk })) : [],
  );
}
