import { createHash } from 'node:crypto';
import { globSync, readFileSync, statSync } from 'node:fs';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { createExaminer } from '../../../src/search/indexing/examiner.ts';
import type { FileChange } from '../../../src/search/store/files/fileWriter.ts';
import { openStore, type Store } from '../../../src/search/store/store.ts';
import type { Scope } from '../../../src/workspace/fileFilter.ts';
import { createFilter } from '../../../src/workspace/fileFilter.ts';
import { examineFile } from '../../../src/workspace/fileList.ts';
import { walk } from '../../../src/workspace/walk.ts';
import { type Baselines, openBaselines, writeBaselines } from './baselines.ts';
import { isChangelog } from './changes.ts';
import { cache, fetchArchives, unpack } from './fetch.ts';
import type { Project } from './projects.ts';
import { type Question, questionsOf } from './questions.ts';
import type { SourceFile } from './symbols.ts';

/** A project that is ready to be asked: its open index, and its questions. */
export interface Prepared {
  project: Project;
  /** The folder of its index. */
  index: string;
  store: Store;
  baselines: Baselines;
  questions: Question[];
  /** What was indexed: files, and bytes of text. */
  size: { files: number; bytes: number };
}

/** The default of `parley.search.maxFileSize`. */
const maxBytes = 1024 * 1024;
const signal = new AbortController().signal;

/** What decides on indexes and questions: when one of these files changes, both are made again. */
const madeBy = [
  'src/search/chunker/**/*.ts',
  'src/search/files/**/*.ts',
  'src/search/indexing/examiner.ts',
  'src/search/store/{schema,files}/*.ts',
  'src/search/letters/*.ts',
  'src/search/store/{words,stem}.ts',
  'test/bench/retrieval/{baselines,changes,documentation,languages,questions,rulesBefore,symbols}.ts',
];

/** Raised when this file makes something else of the same projects. */
const version = 2;

/** Of each project, what this many states of those files made of it. */
const versionsKept = 3;

let makers: string | undefined;
function stampOf(): string {
  if (makers !== undefined) return makers;
  const repository = join(import.meta.dirname, '../../..');
  const files = madeBy.flatMap((pattern) => globSync(pattern, { cwd: repository })).sort();
  const hash = createHash('sha256');
  for (const file of files) hash.update(file).update(readFileSync(join(repository, file)));
  makers = hash.digest('hex');
  return makers;
}

/**
 * Fetches, unpacks and indexes a project, or opens what an earlier run made of it. Undefined where it cannot be fetched.
 * @param keep takes an index of an earlier run even where the files that make it have changed since
 */
export async function prepare(project: Project, keep = false): Promise<Prepared | undefined> {
  const versions = join(cache, 'indexes', project.name.replaceAll('/', '+'));
  const stamp = createHash('sha256')
    .update(`${project.source} ${project.version} ${version} ${stampOf()}`)
    .digest('hex');
  const known = await madeVersions(versions);
  const wanted = known.find((name) => name === stamp.slice(0, 12)) ?? (keep ? known[0] : undefined);
  if (wanted !== undefined) return open(project, join(versions, wanted));
  const archives = await fetchArchives(project);
  if (archives.length === 0) return undefined;
  // Another process may make the same at this moment: it is made aside, and put in place whole.
  const aside = join(versions, `${stamp.slice(0, 12)}.${process.pid}`);
  await make(project, archives, aside);
  const folder = join(versions, stamp.slice(0, 12));
  await rename(aside, folder).catch(() => rm(aside, { recursive: true }));
  for (const old of known.slice(versionsKept - 1)) await rm(join(versions, old), { recursive: true, force: true });
  return open(project, folder);
}

/** What was made of a project, the newest first: worktrees with other code share a cache. */
async function madeVersions(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((): string[] => []);
  const made = names
    .filter((name) => /^[0-9a-f]{12}$/.test(name))
    .map((name) => ({ name, at: statSync(join(folder, name)).mtimeMs }));
  return made.sort((a, b) => b.at - a.at).map(({ name }) => name);
}

const placesIn = (folder: string) => ({
  root: join(folder, 'files'),
  index: join(folder, 'index'),
  baselines: join(folder, 'baselines.db'),
  made: join(folder, 'made.json'),
});

async function make(project: Project, archives: readonly string[], folder: string): Promise<void> {
  const paths = placesIn(folder);
  await unpack(archives, paths.root, project.parts);
  const changelogs = await takeChangelogs(paths.root);
  const { questions, changed } = questionsOf(project, await readTexts(paths.root), changelogs);
  for (const [path, text] of changed) await writeFile(join(paths.root, path), text);
  await writeFile(paths.made, JSON.stringify({ questions, size: await index(paths) } satisfies Made));
}

function open(project: Project, folder: string): Prepared {
  const paths = placesIn(folder);
  const { questions, size } = JSON.parse(readFileSync(paths.made, 'utf8')) as Made;
  const [store, baselines] = [openStore(paths.index), openBaselines(paths.baselines)];
  return { project, index: paths.index, store, baselines, questions, size };
}

/** Closes what a project holds open. */
export function close({ store, baselines }: Prepared): void {
  store.close();
  baselines.close();
}

type Made = Pick<Prepared, 'questions' | 'size'>;

/** The texts of the changelogs, which are deleted. */
async function takeChangelogs(root: string): Promise<string[]> {
  const paths = globSync('**', { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => isChangelog(path.slice(root.length + 1)))
    .sort();
  const texts: string[] = [];
  for (const path of paths) {
    const bytes = await readFile(path);
    // What changed in Debian's package of it says nothing of the code.
    if (!/\.Debian\b/.test(path)) texts.push(String(path.endsWith('.gz') ? gunzipSync(bytes) : bytes));
    await rm(path);
  }
  return texts;
}

/** The files that Parley's own rules let in. */
async function listPaths(root: string): Promise<string[]> {
  const paths: string[] = [];
  await walk(root, signal, (path) => paths.push(path));
  return paths.sort();
}

const scopeOf = (root: string): Scope => ({ roots: [root], maxBytes });

async function readTexts(root: string): Promise<SourceFile[]> {
  const filter = createFilter(root, scopeOf(root), new Map());
  const files: SourceFile[] = [];
  for (const path of await listPaths(root)) {
    const examined = await examineFile(filter, path);
    if (examined.kind === 'text') files.push({ path, lines: examined.text.split('\n') });
  }
  return files;
}

async function index(paths: { root: string; index: string; baselines: string }): Promise<Prepared['size']> {
  const { root } = paths;
  const store = openStore(paths.index);
  const baselines = writeBaselines(paths.baselines);
  const scope = scopeOf(root);
  const examiner = createExaminer({
    root,
    scope,
    generated: new Map(),
    trusted: false,
    sameChunker: false,
    sameNames: false,
  });
  const size = { files: 0, bytes: 0 };
  const batch: FileChange[] = [];
  const put = (): void => store.putFiles(root, batch.splice(0));
  for (const path of await listPaths(root)) {
    const change = await examiner.examine(path, undefined);
    if (typeof change !== 'object') continue;
    if (typeof change.content === 'object') {
      size.files++;
      size.bytes += change.stamp.size;
      baselines.add(path, change.content.chunks);
    }
    if (batch.push(change) >= 100) put();
  }
  put();
  await examiner.close();
  store.close();
  baselines.close();
  return size;
}
