import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { splitDiff } from '../../../src/scm/commit/diffFiles.ts';
import { readChangedFiles } from '../../../src/scm/findings/changedFiles.ts';
import { type DiffOf, type GitDiff, gitBranches, gitDiff, gitSubjects } from '../../../src/workspace/git/gitDiff.ts';
import { createTrap, git } from '../../attack/gitPrograms.ts';
import { temporaryFolder } from '../../support/searchFolder.ts';

const never = new AbortController().signal;

function repository(t: TestContext, files: Record<string, string | Uint8Array>): string {
  const root = temporaryFolder(t);
  git(root, 'init', '-q', '-b', 'main');
  write(root, files);
  git(root, 'add', '-A');
  git(root, 'commit', '-qm', 'one');
  return root;
}

function write(root: string, files: Record<string, string | Uint8Array>): void {
  for (const [path, content] of Object.entries(files)) writeFileSync(join(root, path), content);
}

async function changes(root: string, of: DiffOf): Promise<Extract<GitDiff, { kind: 'diff' }>> {
  const found = await gitDiff(root, of, never);
  assert.ok(found.kind === 'diff', JSON.stringify(found));
  return found;
}

test('staged, unstaged, and since a branch are what they say', async (t) => {
  const root = repository(t, { 'a.ts': 'one\ntwo\n', 'b.ts': 'b\n', 'gone.ts': 'g\n' });
  git(root, 'checkout', '-qb', 'feature');
  write(root, { 'a.ts': 'one\n2\n' });
  git(root, 'commit', '-qam', 'two');
  write(root, { 'b.ts': 'staged\n', 'new.ts': 'n\n' });
  git(root, 'add', 'b.ts', 'new.ts');
  write(root, { 'b.ts': 'worked on\n', 'untracked.ts': 'u\n' });
  rmSync(join(root, 'gone.ts'));

  const staged = await changes(root, 'staged');
  assert.match(staged.text, /--- a\/b\.ts\n\+\+\+ b\/b\.ts\n@@ -1 \+1 @@\n-b\n\+staged\n/);
  assert.match(staged.text, /--- \/dev\/null\n\+\+\+ b\/new\.ts\n/);
  assert.equal(staged.text.match(/^\+\+\+ /gm)?.length, 2);

  const unstaged = await changes(root, 'unstaged');
  assert.match(unstaged.text, /--- a\/b\.ts\n\+\+\+ b\/b\.ts\n@@ -1,1 \+1,1 @@\n-staged\n\+worked on\n/);
  assert.match(unstaged.text, /--- a\/gone\.ts\n\+\+\+ \/dev\/null\n@@ -1,1 \+0,0 @@\n-g\n/);
  // In order, though it is known at once of a file that is gone, and of the other one when it is read.
  const namesOf = ({ text }: { text: string }) => [...text.matchAll(/^\+\+\+ (.*)$/gm)].map(([, path]) => path);
  assert.deepEqual(namesOf(unstaged), ['b/b.ts', '/dev/null', 'b/untracked.ts']);
  assert.match(unstaged.text, /\ndiff --git \/dev\/null b\/untracked\.ts\n--- \/dev\/null\n\+\+\+ b\/untracked\.ts\n/);

  const since = await changes(root, { since: 'main' });
  assert.deepEqual(namesOf(since), ['b/a.ts', 'b/b.ts', '/dev/null', 'b/new.ts', 'b/untracked.ts']);
  assert.match(since.text, /-b\n\+worked on\n/);
  assert.deepEqual((await gitBranches(root, never)).sort(), ['feature', 'main']);
});

test('files that git does not track are unstaged, but for those that it ignores, and secrets are named and not read', async (t) => {
  const root = repository(t, { 'a.ts': 'a\n', '.gitignore': 'ignored/\n' });
  for (const folder of ['ignored', 'nested', 'späte']) mkdirSync(join(root, folder));
  git(join(root, 'nested'), 'init', '-q');
  write(root, {
    'ignored/x.ts': 'x\n',
    'nested/y.ts': 'y\n',
    '.env': 'KEY=1\n',
    'späte/ü "z".ts': 'z\n',
    'empty.ts': '',
  });
  const { text, gaps } = await changes(root, 'unstaged');
  assert.deepEqual(
    [...text.matchAll(/^\+\+\+ (.*)$/gm)].map(([, path]) => path),
    ['"b/sp\\303\\244te/\\303\\274 \\"z\\".ts"'],
  );
  assert.deepEqual(gaps, [{ path: '.env', reason: 'secret' }]);
});

test('a folder of a repository has its own changes alone, named from there', async (t) => {
  const root = repository(t, { 'a.ts': 'a\n' });
  mkdirSync(join(root, 'inner'));
  write(root, { 'inner/b.ts': 'b\n' });
  git(root, 'add', '-A');
  write(root, { 'a.ts': 'changed\n', 'inner/b.ts': 'c\n' });
  const inner = join(root, 'inner');
  assert.match((await changes(inner, 'staged')).text, /\+\+\+ b\/b\.ts/);
  const unstaged = await changes(inner, 'unstaged');
  assert.match(unstaged.text, /--- a\/b\.ts\n\+\+\+ b\/b\.ts\n@@ -1,1 \+1,1 @@\n-b\n\+c/);
  assert.doesNotMatch(unstaged.text, /changed/);
});

test('before the first commit, all that is staged is new', async (t) => {
  const root = temporaryFolder(t);
  git(root, 'init', '-q');
  write(root, { 'a.ts': 'a\n' });
  git(root, 'add', '.');
  assert.match((await changes(root, 'staged')).text, /\+a\n/);
  assert.deepEqual(await gitDiff(root, { since: 'main' }, never), { kind: 'no-revision' });
});

test('secrets, what is no text, what is too large, and what a filter rewrites are named, and not read', async (t) => {
  const root = repository(t, {
    '.env': 'KEY=1\n',
    'a.bin': new Uint8Array([0, 1, 2]),
    'big.ts': '',
    'lfs.psd': 'x',
    'a.ts': 'a\n',
  });
  writeFileSync(join(root, '.gitattributes'), '*.psd filter=lfs\n');
  write(root, {
    '.env': 'KEY=geheim\n',
    'a.bin': new Uint8Array([0, 3]),
    'big.ts': 'x'.repeat(2 ** 20 + 1),
    'lfs.psd': 'yy',
    'a.ts': 'b\n',
  });
  const { text, gaps } = await changes(root, 'unstaged');
  assert.deepEqual(gaps.map(({ path, reason }) => `${path} ${reason}`).sort(), [
    '.env secret',
    'a.bin binary',
    'big.ts too-large',
    'lfs.psd filter',
  ]);
  assert.match(text, /\+b\n/);
  assert.doesNotMatch(text, /geheim/);
  git(root, '-c', 'filter.lfs.clean=cat', 'add', '-A');
  const staged = await changes(root, 'staged');
  assert.doesNotMatch(staged.text, /geheim/);
  assert.equal(
    staged.gaps.some(({ path }) => path === '.env'),
    true,
  );
});

test('a diff of more than anybody reads ends in the names of the rest', async (t) => {
  const names = Array.from({ length: 230 }, (_, i) => `f${String(i).padStart(3, '0')}.ts`);
  const root = repository(t, Object.fromEntries(names.map((name) => [name, 'a\n'])));
  write(root, Object.fromEntries(names.map((name) => [name, 'b\n'])));
  const { text, gaps } = await changes(root, 'unstaged');
  assert.deepEqual([text.match(/^\+\+\+ /gm)?.length, gaps.length, gaps[0]?.reason], [200, 30, 'too-large']);
});

test('line ends that git converts are no change', async (t) => {
  const root = repository(t, { '.gitattributes': '* text=auto\n', 'a.ts': 'a\nb\n' });
  write(root, { 'a.ts': 'a\r\nc\r\n' });
  utimesSync(join(root, 'a.ts'), 1_000_000_000, 1_000_000_000);
  assert.match((await changes(root, 'unstaged')).text, /@@ -1,2 \+1,2 @@\n a\n-b\n\+c\n/);
});

test('what git cannot say is told as what it is', async (t) => {
  const folder = temporaryFolder(t);
  for (const which of ['staged', 'unstaged', { since: 'main' }] as const) {
    assert.deepEqual(await gitDiff(folder, which, never), { kind: 'no-repository' }, JSON.stringify(which));
  }
  const root = repository(t, { 'a.ts': 'a\n' });
  for (const since of ['nowhere', '--output=x', '-x', ':/one', 'a b']) {
    assert.deepEqual(await gitDiff(root, { since }, never), { kind: 'no-revision' });
  }
});

test('the first lines of the last commits are told, the newest first; without a commit there are none', async (t) => {
  const root = repository(t, { 'a.ts': 'a\n' });
  for (const message of ['two\n\nwith a body', 'drei: größer'])
    git(root, 'commit', '-q', '--allow-empty', '-m', message);
  assert.deepEqual(await gitSubjects(root, 2, never), ['drei: größer', 'two']);
  const empty = temporaryFolder(t);
  assert.deepEqual(await gitSubjects(empty, 2, never), []);
  git(empty, 'init', '-q');
  assert.deepEqual(await gitSubjects(empty, 2, never), []);
  await assert.rejects(gitSubjects(root, 2, AbortSignal.abort()), { kind: 'cancelled' });
});

test('the last commits are read without the program that looks at signatures', async (t) => {
  const root = repository(t, { 'a.ts': 'a\n' });
  const commit = git(root, 'cat-file', 'commit', 'HEAD');
  const mark = 'gpgsig -----BEGIN SIGNED MESSAGE-----\n \n x\n -----END SIGNED MESSAGE-----';
  const input = commit.replace(/^(committer .*)$/m, `$1\n${mark}`);
  const signed = execFileSync('git', ['hash-object', '-t', 'commit', '-w', '--stdin'], { cwd: root, input });
  git(root, 'reset', '-q', '--soft', String(signed).trim());
  const trap = createTrap(temporaryFolder(t));
  trap.set(root);
  git(root, '--no-pager', 'log', '-1');
  assert.notDeepEqual(trap.sprung(), [], 'git by itself runs it');
  assert.deepEqual(await gitSubjects(root, 1, never), ['one']);
  assert.deepEqual(trap.sprung(), []);
});

test('no program runs that a repository names', async (t) => {
  const root = repository(t, { 'a.ts': 'a\n', 'b.ts': 'a\n' });
  git(root, 'branch', 'before');
  write(root, { 'b.ts': 'staged\n' });
  git(root, 'add', 'b.ts');
  const trap = createTrap(temporaryFolder(t));
  trap.set(root);
  write(root, { 'a.ts': 'edited\n' });
  for (const which of ['staged', 'unstaged', { since: 'before' }] as const) await gitDiff(root, which, never);
  await gitBranches(root, never);
  assert.deepEqual(trap.sprung(), []);
});

test('names of any letters are written as they are, and moved files of such names are joined', async (t) => {
  const root = repository(t, { 'größe.txt': 'a\n', '工具.ts': 'b\nb\nb\n', 'with "quotes".txt': 'c\n' });
  write(root, { 'größe.txt': 'A\n', 'with "quotes".txt': 'C\n' });
  git(root, 'mv', '工具.ts', 'outil é.ts');
  git(root, 'add', '-A');
  const { text } = await changes(root, 'staged');
  assert.match(text, /^\+\+\+ b\/größe\.txt$/m);
  const heads = splitDiff(text).map(({ head }) => head);
  assert.ok(heads.includes('rename from 工具.ts\nrename to outil é.ts\n'), heads.join());
  assert.deepEqual(
    readChangedFiles(text)
      .map(({ path }) => path)
      .filter((path) => !path.includes('工具'))
      .sort(),
    ['größe.txt', 'outil é.ts', 'with "quotes".txt'],
  );
});

test('a repository that git refuses, as another user owns it, is no folder without one', async (t) => {
  const root = repository(t, { 'a.ts': 'a\n' });
  // Git's own tests set it.
  process.env['GIT_TEST_ASSUME_DIFFERENT_OWNER'] = '1';
  t.after(() => delete process.env['GIT_TEST_ASSUME_DIFFERENT_OWNER']);
  for (const which of ['staged', 'unstaged', { since: 'main' }] as const) {
    const found = await gitDiff(root, which, never);
    assert.deepEqual(found, { kind: 'not-owned', folder: realpathSync(root) });
  }
});

test('a folder without a repository is one, and a broken repository is none', async (t) => {
  assert.equal((await gitDiff(temporaryFolder(t), 'staged', never)).kind, 'no-repository');
  const root = repository(t, { 'a.ts': 'a\n' });
  writeFileSync(join(root, '.git', 'index'), 'broken');
  assert.equal((await gitDiff(root, 'staged', never)).kind, 'failed');
});

/** Public reports (test/corpus/REPORTS.md). */
test('settings of a person that change how git writes a diff change none of ours', async (t) => {
  const root = repository(t, { 'a.ts': 'a\n' });
  const settings = {
    'diff.mnemonicPrefix': 'true',
    'diff.noprefix': 'true',
    'color.ui': 'always',
    'diff.external': 'false',
  };
  for (const [name, value] of Object.entries(settings)) git(root, 'config', name, value);
  write(root, { 'a.ts': 'A\n' });
  const unstaged = await changes(root, 'unstaged');
  git(root, 'add', '-A');
  for (const { text } of [unstaged, await changes(root, 'staged'), await changes(root, { since: 'main' })])
    assert.match(text, /^--- a\/a\.ts\n\+\+\+ b\/a\.ts\n@@ -1(?:,1)? \+1(?:,1)? @@\n-a\n\+A\n$/m);
});
