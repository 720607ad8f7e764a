import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ServiceError } from '../../../src/base/errors.ts';
import { pathTestOf } from '../../../src/search/query/filter/pathFilter.ts';
import { listFiles } from '../../../src/workspace/fileList.ts';
import { gitIgnoreRule } from '../../../src/workspace/git/git.ts';
import { generatedPaths } from '../../../src/workspace/git/gitAttributes.ts';
import { gitChanged } from '../../../src/workspace/git/gitChanged.ts';
import { gitLimits, runGit } from '../../../src/workspace/git/gitRun.ts';
import { createTrap, git } from '../../attack/gitPrograms.ts';
import { temporaryFolder } from '../../support/searchFolder.ts';

const never = new AbortController().signal;

function repository(t: TestContext, files: Record<string, string | Uint8Array>): string {
  const root = temporaryFolder(t);
  git(root, 'init', '-q');
  for (const [path, content] of Object.entries(files)) writeFileSync(join(root, path), content);
  git(root, 'add', '.');
  git(root, 'commit', '-qm', 'one');
  return root;
}

/** Of another date than git noted, with the same bytes. */
function touch(root: string, ...paths: string[]): void {
  for (const path of paths) utimesSync(join(root, path), 1_000_000_000, 1_000_000_000);
}

async function changedSince(root: string, revision = 'HEAD'): Promise<string[]> {
  const changed = await gitChanged(root, revision, never);
  assert.ok(changed.kind === 'changed', JSON.stringify(changed));
  return [...changed.paths].sort();
}

test('git runs no program that a repository names', async (t) => {
  const root = repository(t, { 'same.ts': 'a\n', 'touched.ts': 'a\n', 'edited.ts': 'a\n' });
  mkdirSync(join(root, 'inner'));
  git(join(root, 'inner'), 'init', '-q');
  writeFileSync(join(root, 'inner/b.ts'), 'b\n');
  git(join(root, 'inner'), 'add', '.');
  git(join(root, 'inner'), 'commit', '-qm', 'inner');
  git(root, 'add', 'inner');
  git(root, 'commit', '-qm', 'two');
  const trap = createTrap(temporaryFolder(t));
  for (const each of [root, join(root, 'inner')]) trap.set(each);
  touch(root, 'touched.ts', 'inner/b.ts');
  writeFileSync(join(root, 'edited.ts'), 'b\n');
  // The trap is sound: git by itself falls into it.
  spawnSync('git', ['diff', '--name-only', 'HEAD~1'], { cwd: root });
  spawnSync('git', ['cat-file', '-e', '1'.repeat(40)], { cwd: root });
  const bySelf = trap.sprung();
  for (const way of ['fsmonitor', 'process', 'remote']) assert.ok(bySelf.includes(way), `${way} of ${bySelf}`);

  const listed = await listFiles(root, never);
  assert.deepEqual(listed.sort(), [
    '.gitattributes',
    'edited.ts',
    'inner/.gitattributes',
    'inner/b.ts',
    'same.ts',
    'touched.ts',
  ]);
  await listFiles(root, never, ['edited.ts', 'inner/b.ts']);
  await generatedPaths(root, listed, never);
  await gitIgnoreRule(root, 'edited.ts', never);
  const changed = await changedSince(root);
  assert.deepEqual(changed, ['.gitattributes', 'edited.ts']);
  assert.deepEqual(await changedSince(root, 'HEAD~1'), ['.gitattributes', 'edited.ts', 'inner']);
  assert.deepEqual(await gitChanged(root, '1'.repeat(40), never), { kind: 'no-revision' });
  assert.deepEqual(trap.sprung(), []);
});

test('a file with other line ends, an expanded $Id$ or another encoding than is committed has not changed', async (t) => {
  const root = repository(t, {
    '.gitattributes': 'crlf.ts text eol=crlf\nid.ts ident\nwide.txt working-tree-encoding=UTF-16\n',
    'crlf.ts': 'a\nb\n',
    'id.ts': '// $Id$\n',
    'auto.ts': 'a\nb\n',
    'kept.ts': 'a\r\n',
  });
  const wide = Buffer.from('\ufeffGröße\n', 'utf16le');
  writeFileSync(join(root, 'wide.txt'), wide);
  git(root, 'add', '.');
  git(root, 'commit', '-qm', 'two');
  const kept = { 'crlf.ts': 'a\r\nb\r\n', 'id.ts': '// $Id: 0123 $\n', 'auto.ts': 'a\r\nb\r\n', 'kept.ts': 'a\r\n' };
  for (const [path, text] of Object.entries(kept)) writeFileSync(join(root, path), text);
  touch(root, ...Object.keys(kept), 'wide.txt', '.gitattributes');
  assert.deepEqual(await changedSince(root), []);
  writeFileSync(join(root, 'crlf.ts'), 'a\r\nc\r\n');
  writeFileSync(join(root, 'id.ts'), '// $Id: 0123 $ x\n');
  assert.deepEqual(await changedSince(root), ['crlf.ts', 'id.ts']);
});

test('an edit of the same length within a tick of the clock is seen', async (t) => {
  const root = repository(t, { 'a.ts': 'one\n', 'b.ts': 'one\n' });
  const now = statSync(join(root, 'a.ts'));
  writeFileSync(join(root, 'a.ts'), 'two\n');
  const index = join(root, '.git/index');
  // As on a file system that counts whole seconds: all of one date.
  for (const path of ['a.ts', 'b.ts'])
    utimesSync(join(root, path), Math.floor(now.mtimeMs / 1000), Math.floor(now.mtimeMs / 1000));
  utimesSync(index, Math.floor(now.mtimeMs / 1000), Math.floor(now.mtimeMs / 1000));
  assert.deepEqual(await changedSince(root), ['a.ts']);
});

test('a filter that fails does not make a revision unknown', async (t) => {
  const root = repository(t, { 'a.ts': 'a\n' });
  git(root, 'branch', '-f', 'main');
  createTrap(temporaryFolder(t)).set(root);
  touch(root, 'a.ts');
  assert.deepEqual(await changedSince(root, 'main'), ['.gitattributes']);
});

const reasonFor = (root: string, changedSince: string): Promise<ServiceError> =>
  pathTestOf([root], [{ globs: [], changedSince }], never).then(
    () => assert.fail('it said what changed'),
    (error: unknown) => (error instanceof ServiceError ? error : assert.fail(String(error))),
  );

test('what keeps git from saying what changed is told as what it is', async (t) => {
  const root = repository(t, { 'a.ts': 'a\n' });
  for (const unknown of ['nowhere', '--output=x', '-x', ':/one', 'HEAD^{/one}', 'a b', 'x'.repeat(300)]) {
    const { kind, param, hint } = await reasonFor(root, unknown);
    assert.deepEqual([kind, param, hint], ['invalid-request', 'changedSince', unknown]);
  }
  const elsewhere = await reasonFor(temporaryFolder(t), 'HEAD');
  assert.deepEqual([elsewhere.kind, elsewhere.hint], ['git', 'no-repository']);
  writeFileSync(join(root, '.git/config'), '[core\n');
  const broken = await reasonFor(root, 'HEAD');
  assert.deepEqual([broken.kind, broken.hint], ['git', 'failed']);
  assert.match(broken.message, /bad config line 1/);
});

const listing = ['ls-files', '-o', '--exclude-standard', '-z'];

test('git that waits for a pipe is ended, and not waited for again', {
  skip: process.platform === 'win32',
}, async (t) => {
  const root = repository(t, { 'a.ts': 'a\n' });
  execFileSync('mkfifo', [join(root, '.git/pipe')]);
  git(root, 'config', 'core.excludesFile', join(root, '.git/pipe'));
  const impatient = { ...gitLimits, silentMs: 200 };
  assert.deepEqual(await runGit(root, listing, never, undefined, [], impatient), { kind: 'endless' });
  assert.deepEqual(await gitChanged(root, 'HEAD', never), { kind: 'endless' });
  assert.deepEqual(await listFiles(root, never), ['a.ts'], 'the files are found without git');
});

test('git that gives more than a repository has is ended', async (t) => {
  const root = repository(t, { 'a.ts': 'a\n', 'b.ts': 'b\n' });
  assert.deepEqual(await runGit(root, ['ls-files', '-z'], never, undefined, [], { ...gitLimits, bytes: 3 }), {
    kind: 'endless',
  });
  assert.deepEqual(await runGit(root, ['ls-files', '-z'], never), { kind: 'well' });
});

/** An index of git's second version with one file, by whatever name. */
function forgedIndex(path: string): Buffer {
  const name = Buffer.from(path);
  const entry = Buffer.alloc(Math.ceil((62 + name.length + 1) / 8) * 8);
  entry.writeUInt32BE(0o100644, 24);
  createHash('sha1').update('blob 0\0').digest().copy(entry, 40);
  entry.writeUInt16BE(name.length, 60);
  name.copy(entry, 62);
  const head = Buffer.from('DIRC\0\0\0\u0002\0\0\0\u0001', 'latin1');
  const body = Buffer.concat([head, entry]);
  return Buffer.concat([body, createHash('sha1').update(body).digest()]);
}

test('a path out of the folder that a forged index lists is none of its files', async (t) => {
  const root = repository(t, { 'a.ts': 'a\n' });
  const outside = temporaryFolder(t);
  writeFileSync(join(outside, 'far.ts'), 'far\n');
  assert.deepEqual(readdirSync(outside), ['far.ts']);
  const name = outside.slice(outside.lastIndexOf('/') + 1);
  for (const path of [`../${name}/far.ts`, `a/../../${name}/far.ts`, join(outside, 'far.ts')]) {
    writeFileSync(join(root, '.git/index'), forgedIndex(path));
    assert.deepEqual(await listFiles(root, never), ['a.ts'], path);
    const changed = await gitChanged(root, 'HEAD', never);
    assert.ok(changed.kind !== 'changed' || !changed.paths.has('far.ts'));
  }
});
