import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { walk } from '../../../src/search/files/walk.ts';
import { createExaminer } from '../../../src/search/indexing/examiner.ts';
import type { FileChange } from '../../../src/search/store/files/fileWriter.ts';
import { openStore, type Store } from '../../../src/search/store/store.ts';
import { isChangelog } from './changes.ts';
import { cache, fetchArchives, unpack } from './fetch.ts';
import type { Project } from './projects.ts';
import { type Question, questionsOf } from './questions.ts';
import type { SourceFile } from './symbols.ts';

/** A project that is ready to be asked: its open index, and its questions. */
export interface Prepared {
  project: Project;
  root: string;
  store: Store;
  questions: Question[];
  /** What was indexed: files, and bytes of text. */
  size: { files: number; bytes: number };
}

/** The default of `parley.search.maxFileSize`. */
const maxBytes = 1024 * 1024;
const signal = new AbortController().signal;

/** What decides on indexes and questions: when one of these files changes, both are made again. */
const madeBy = [
  'src/search/chunker/*.ts',
  'src/search/files/**/*.ts',
  'src/search/indexing/examiner.ts',
  'src/search/store/{schema,files}/*.ts',
  'src/search/store/words.ts',
  'test/bench/retrieval/{changes,documentation,languages,prepare,questions,symbols}.ts',
];

let stamp: string | undefined;
function stampOf(): string {
  if (stamp !== undefined) return stamp;
  const repository = join(import.meta.dirname, '../../..');
  const files = madeBy.flatMap((pattern) => globSync(pattern, { cwd: repository })).sort();
  const hash = createHash('sha256');
  for (const file of files) hash.update(file).update(readFileSync(join(repository, file)));
  stamp = hash.digest('hex');
  return stamp;
}

/**
 * Fetches, unpacks and indexes a project, or opens what an earlier run made of it. Undefined where it cannot be fetched.
 * @param keep takes an index of an earlier run even where the files that make it have changed since
 */
export async function prepare(project: Project, keep = false): Promise<Prepared | undefined> {
  const folder = join(cache, 'projects', project.name.replaceAll('/', '+'));
  const paths = { root: join(folder, 'files'), index: join(folder, 'index'), made: join(folder, 'made.json') };
  const wanted = `${project.source} ${project.version} ${stampOf()}`;
  const made = existsSync(paths.made) ? (JSON.parse(readFileSync(paths.made, 'utf8')) as Made) : undefined;
  if (made !== undefined && (keep || made.stamp === wanted)) {
    return { project, root: paths.root, store: openStore(paths.index), questions: made.questions, size: made.size };
  }
  const archives = await fetchArchives(project);
  if (archives.length === 0) return undefined;
  await rm(folder, { recursive: true, force: true });
  await unpack(archives, paths.root, project.parts);
  const changelogs = await takeChangelogs(paths.root);
  const { questions, changed } = questionsOf(project, await readTexts(paths.root), changelogs);
  for (const [path, text] of changed) await writeFile(join(paths.root, path), text);
  const store = openStore(paths.index);
  const size = await index(store, paths.root);
  await writeFile(paths.made, JSON.stringify({ stamp: wanted, questions, size } satisfies Made));
  return { project, root: paths.root, store, questions, size };
}

interface Made extends Pick<Prepared, 'questions' | 'size'> {
  stamp: string;
}

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

async function* examine(root: string): AsyncGenerator<FileChange> {
  const examiner = createExaminer({
    root,
    scope: { roots: [root], maxBytes },
    generated: new Map(),
    trusted: false,
    sameChunker: false,
  });
  for (const path of await listPaths(root)) {
    const found = await examiner.examine(path, undefined);
    if (typeof found === 'object') yield found;
  }
  await examiner.close();
}

async function readTexts(root: string): Promise<SourceFile[]> {
  const files: SourceFile[] = [];
  for await (const { path, content } of examine(root)) {
    if (typeof content !== 'object') continue;
    files.push({ path, lines: (await readFile(join(root, path), 'utf8')).split('\n') });
  }
  return files;
}

async function index(store: Store, root: string): Promise<Prepared['size']> {
  const size = { files: 0, bytes: 0 };
  const batch: FileChange[] = [];
  const put = (): void => store.putFiles(root, batch.splice(0));
  for await (const change of examine(root)) {
    if (typeof change.content === 'object') {
      size.files++;
      size.bytes += change.stamp.size;
    }
    if (batch.push(change) >= 100) put();
  }
  put();
  return size;
}
