import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EmbeddingModel } from '../../../src/search/embedding/embeddingModel.ts';
import { createSearchClient } from '../../../src/search/worker/searchClient.ts';
import type { Row } from '../row.ts';
import { copyCode, type Folder, root } from './fixture.ts';
import { vectorOf } from './pool.ts';
import { most, row } from './rows.ts';

/** Files that the branch changes. */
const changedFiles = 200;
/** Milliseconds that the service takes for an answer, and between an answer and the next question. */
const [serviceMs, pauseMs] = [60, 20] as const;
const questions = ['parse a header', 'where is the socket closed', 'escape html in a string', 'sort keys by name'];

/** A model in this process: texts of files have to wait as long as those of questions. */
const model: EmbeddingModel = {
  model: 'm',
  async embed(texts) {
    await sleep(serviceMs);
    return texts.map(vectorOf);
  },
};

/**
 * How long the slowest of the searches takes that are asked while an index of so many bytes of code is brought up to date, after a
 * `git switch` to a branch on which 200 files differ. Half of them go by words, half by meaning as well, each with a question of its own.
 */
export async function askAfterSwitch(bytes: number): Promise<Row[]> {
  const directory = mkdtempSync(join(tmpdir(), 'parley-bench-index-'));
  const client = createSearchClient(join(root, 'dist/parley-search.cjs'), directory, join(directory, 'cache', 'c.db'));
  const code = copyCode(bytes);
  const scope = { roots: [code.path], maxBytes: 1e6 };
  try {
    const files = commitBranches(code);
    await client.index(scope, model);
    git(code, 'switch', '--quiet', 'other');
    const updated = new AbortController();
    const updating = client.update(scope, files, model).finally(() => updated.abort());
    const longest = { words: 0, both: 0 };
    let asked = 0;
    while (!updated.signal.aborted) {
      const by = asked % 2 === 0 ? undefined : model;
      const text = `${questions[asked % questions.length]} ${asked++}`;
      const start = performance.now();
      await client.search(scope.roots, { text, limit: 50, globs: [] }, by);
      console.log(
        asked,
        by === undefined ? 'words' : 'both',
        Math.round(performance.now() - start),
        Math.round(performance.now()),
      );
      const which = by === undefined ? 'words' : 'both';
      longest[which] = Math.max(longest[which], performance.now() - start);
      await sleep(pauseMs);
    }
    const { embedded } = await updating;
    const about = `while ${changedFiles} of ${code.files.length} files are taken in after a branch switch`;
    return [
      row(`${about}: chunks sent`, embedded, 'chunks'),
      row(`${about}: questions answered`, asked, 'questions'),
      row(`${about}: a search by words, at most`, longest.words, 'ms', most(300)),
      row(
        `${about}: a search by words and meaning, with ${serviceMs} ms of the service, at most`,
        longest.both,
        'ms',
        most(500),
      ),
    ];
  } finally {
    await client.close();
    code.remove();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Makes a repository of the code, with a branch `other` on which some files differ; the paths of those. */
function commitBranches(code: Folder): string[] {
  const each = Math.max(1, Math.floor(code.files.length / changedFiles));
  const files = code.files.filter((_, at) => at % each === 0).slice(0, changedFiles);
  const paths = files.map((file) => join(code.path, file));
  git(code, 'init', '--quiet');
  commit(code, 'one');
  const first = git(code, 'branch', '--show-current').trim();
  git(code, 'switch', '--quiet', '--create', 'other');
  for (const path of paths) {
    const lines = readFileSync(path, 'utf8').split('\n');
    writeFileSync(
      path,
      lines.map((line, at) => (at % 20 === 0 ? `// On the other branch, ${at}.\n${line}` : line)).join('\n'),
    );
  }
  commit(code, 'two');
  git(code, 'switch', '--quiet', first);
  return paths;
}

function commit(code: Folder, message: string): void {
  git(code, 'add', '--all', '--force');
  git(code, '-c', 'user.name=bench', '-c', 'user.email=bench@localhost', 'commit', '--quiet', '--message', message);
}

function git({ path }: Folder, ...args: string[]): string {
  return execFileSync('git', args, {
    cwd: path,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}
