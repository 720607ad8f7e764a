import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { EmbeddingModel } from '../../../../src/search/embedding/embeddingModel.ts';
import { createEngine } from '../../../../src/search/engine.ts';
import { temporaryFolder } from '../../../support/searchFolder.ts';

const never = new AbortController().signal;

function git(cwd: string, ...args: string[]): void {
  const safe = ['-c', 'user.name=a', '-c', 'user.email=a@a.a', '-c', 'core.autocrlf=false', ...args];
  execFileSync('git', safe, {
    cwd,
    stdio: 'ignore',
    env: { ...process.env, GIT_CONFIG_GLOBAL: '', GIT_CONFIG_NOSYSTEM: '1' },
  });
}

/** A file of several chunks, in which each function has words of its own. */
function codeOf(name: string): string {
  const body = (i: number): string =>
    Array.from({ length: 9 }, (_, line) => `  const ${name}${line} = compute(${i} * ${line}, '${name}');\n`).join('');
  return Array.from({ length: 24 }, (_, i) => `export function ${name}Number${i}() {\n${body(i)}}\n\n`).join('');
}

const names = ['harbour', 'lighthouse', 'tide', 'anchor'];

/** A repository with some files, committed. */
function repository(t: TestContext): string {
  const root = temporaryFolder(t);
  git(root, 'init', '-q', '-b', 'main');
  for (const name of names) write(root, `src/${name}.ts`, codeOf(name));
  commit(root);
  return root;
}

function write(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function commit(root: string): void {
  git(root, 'add', '-A');
  git(root, 'commit', '-q', '-m', 'a');
}

/** An index of a folder; `cachePath`: the vectors kept for the whole machine. */
function indexOf(t: TestContext, root: string, cachePath?: string) {
  const engine = createEngine(temporaryFolder(t), cachePath);
  t.after(() => engine.close());
  const scope = { roots: [root], maxBytes: 1_000_000 };
  const sent: string[] = [];
  const meantBy = (model: string): EmbeddingModel => ({
    model,
    origin: 'http://one',
    embed: async (texts) => {
      sent.push(...texts);
      return texts.map((text) => Float32Array.of(text.length % 97, text.length % 31, 1));
    },
  });
  /** How many texts a run sends. */
  async function count(run: Promise<unknown>): Promise<number> {
    sent.length = 0;
    await run;
    return sent.length;
  }
  return {
    scan: (model = 'm') => count(engine.index(scope, meantBy(model), never, () => undefined)),
    save: (...paths: string[]) =>
      count(
        engine.update(
          scope,
          paths.map((path) => join(root, path)),
          meantBy('m'),
          never,
          () => undefined,
        ),
      ),
    find: (text: string) => engine.search([root], { text, limit: 3, globs: [] }, undefined, never),
  };
}

/** Lines put into files as somebody types them, some of which break the syntax; gives how many texts the saves sent. */
async function work(root: string, save: (path: string) => Promise<number>): Promise<number> {
  let sent = 0;
  for (const [index, line] of ['// A note.', 'if (open) {', 'const text = `', 'return [', '', '} else {'].entries()) {
    const path = `src/${names[index % 2]}.ts`;
    const lines = readFileSync(join(root, path), 'utf8').split('\n');
    write(root, path, lines.toSpliced(30 + index * 30, index === 4 ? 1 : 0, line).join('\n'));
    const own = await save(path);
    assert.ok(own <= 2, `${own} texts for one line`);
    sent += own;
  }
  return sent;
}

test('a branch, whether it was written here or not, and back, and there again: 0 requests', async (t) => {
  const root = repository(t);
  const index = indexOf(t, root);
  assert.ok((await index.scan()) > 40);
  git(root, 'checkout', '-q', '-b', 'typed');
  assert.ok((await work(root, index.save)) > 0);
  commit(root);
  git(root, 'checkout', '-q', '-b', 'fetched', 'main');
  write(root, 'src/tide.ts', codeOf('tide').replaceAll('compute', 'reckon'));
  commit(root);
  git(root, 'checkout', '-q', 'main');
  assert.equal(await index.scan(), 0, 'back');
  git(root, 'checkout', '-q', 'fetched');
  assert.ok((await index.scan()) > 0, 'what nobody has seen yet');
  const paths = names.map((name) => `src/${name}.ts`);
  for (const branch of ['typed', 'main', 'fetched', 'typed', 'main']) {
    git(root, 'checkout', '-q', branch);
    assert.equal(await index.save(...paths), 0, branch);
  }
});

test('a rename of a file and of a folder: 0 requests, and the file is found where it is', async (t) => {
  const root = repository(t);
  const index = indexOf(t, root);
  await index.scan();
  git(root, 'mv', 'src/tide.ts', 'src/current.ts');
  assert.equal(await index.save('src/tide.ts', 'src/current.ts'), 0);
  git(root, 'mv', 'src', 'lib');
  assert.equal(await index.scan(), 0);
  renameSync(join(root, 'lib'), join(root, 'source'));
  assert.equal(await index.save('lib', 'source'), 0);
  assert.equal((await index.find('tideNumber3')).hits[0]?.path, 'source/current.ts');
});

test('lines that move down are not sent again, and are found where they stand', async (t) => {
  const root = repository(t);
  const index = indexOf(t, root);
  await index.scan();
  write(root, 'src/tide.ts', `${'// A line of a licence.\n'.repeat(20)}${codeOf('tide')}`);
  assert.ok((await index.save('src/tide.ts')) <= 2);
  const { hits } = await index.find('tideNumber20');
  const lines = readFileSync(join(root, 'src/tide.ts'), 'utf8').split('\n');
  assert.match(lines[(hits[0]?.line ?? 0) - 1] ?? '', /tideNumber20\(/);
  // What a file is left by goes into another.
  write(root, 'src/moved.ts', codeOf('anchor'));
  write(root, 'src/anchor.ts', '');
  assert.equal(await index.save('src/anchor.ts', 'src/moved.ts'), 0);
});

test('a worktree, a clone and an index made anew find on this machine what was paid for: 0 requests', async (t) => {
  const cachePath = join(temporaryFolder(t), 'vectorCache.db');
  const root = repository(t);
  const first = indexOf(t, root, cachePath);
  await first.scan();
  await work(root, first.save);
  commit(root);
  const worktree = join(temporaryFolder(t), 'worktree');
  git(root, 'worktree', 'add', '-q', '--detach', worktree);
  assert.equal(await indexOf(t, worktree, cachePath).scan(), 0, 'a worktree');
  const clone = join(temporaryFolder(t), 'clone');
  git(root, 'clone', '-q', root, clone);
  const second = indexOf(t, clone, cachePath);
  assert.equal(await second.scan(), 0, 'a clone');
  assert.equal(await indexOf(t, root, cachePath).scan(), 0, 'an index made anew');
  // What one of them sends, the other pulls.
  assert.ok((await work(clone, second.save)) > 0);
  commit(clone);
  git(root, 'pull', '-q', '--no-rebase', clone, 'main');
  assert.equal(await first.save(...names.map((name) => `src/${name}.ts`)), 0, 'a pull');
});

test('another model and back: what the first one gave is still there, and a save between them costs its own texts', async (t) => {
  const root = repository(t);
  const index = indexOf(t, root);
  const all = await index.scan();
  assert.equal(await index.scan('other'), all);
  assert.equal(await index.scan(), 0);
  write(root, 'src/tide.ts', `// New.\n${codeOf('tide')}`);
  const own = await index.scan();
  assert.ok(own > 0 && own <= 2, `${own} texts`);
  assert.equal(await index.scan('other'), own);
  assert.deepEqual([await index.scan(), await index.scan('other')], [0, 0]);
});
