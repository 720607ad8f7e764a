import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { isCancelled } from '../../../src/base/errors.ts';
import { explainFile } from '../../../src/search/indexing/explainFile.ts';
import { scanAll, scanSome } from '../../../src/search/indexing/scan.ts';
import { openStore } from '../../../src/search/store/store.ts';
import { excludeByPath } from '../../../src/workspace/exclusions.ts';
import { createFilter } from '../../../src/workspace/fileFilter.ts';
import { examineFile, listFiles as list } from '../../../src/workspace/fileList.ts';
import { temporaryFolder } from '../../support/searchFolder.ts';

const never = new AbortController().signal;
const oneMegabyte = 1024 * 1024;

const listFiles: typeof list = async (...asked) => (await list(...asked)).sort();
const filterOf = (root: string, maxBytes = oneMegabyte) => createFilter(root, { roots: [root], maxBytes }, new Map());

function write(root: string, files: Record<string, string | Uint8Array>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}

const nested = {
  '.gitignore': '*.log\n/out/\n',
  'src/.gitignore': 'generated.ts\n!keep.log\n',
  'src/main.ts': 'a',
  'src/generated.ts': 'a',
  'src/keep.log': 'a',
  'src/other.log': 'a',
  'out/bundle.js': 'a',
  'deep/out/file.ts': 'a',
};
const listed = ['.gitignore', 'deep/out/file.ts', 'src/.gitignore', 'src/keep.log', 'src/main.ts'];

for (const kind of ['git', 'our own walk']) {
  test(`nested .gitignore files decide what is listed by ${kind}`, async (t) => {
    const root = temporaryFolder(t);
    write(root, nested);
    if (kind === 'git') execFileSync('git', ['init', '-q'], { cwd: root });
    assert.deepEqual(await listFiles(root, never), listed);
  });

  test(`asked for some paths, ${kind} lets in the same ones as for a whole scan`, async (t) => {
    const root = temporaryFolder(t);
    write(root, nested);
    if (kind === 'git') execFileSync('git', ['init', '-q'], { cwd: root });
    assert.deepEqual(await listFiles(root, never, Object.keys(nested)), listed);
    assert.deepEqual(await listFiles(root, never, []), []);
  });
}

for (const count of [1, 300]) {
  test(`asked for a folder among ${count} paths, git lists all files in it`, async (t) => {
    const root = temporaryFolder(t);
    write(root, { 'new/a.ts': 'a', 'new/deep/b.ts': 'a', 'newer.ts': 'a', 'old/c.ts': 'a', 'old.ts': 'a' });
    execFileSync('git', ['init', '-q'], { cwd: root });
    const gone = Array.from({ length: count - 1 }, (_, at) => `gone${at}.ts`);
    assert.deepEqual(await listFiles(root, never, [...gone, 'new']), ['new/a.ts', 'new/deep/b.ts']);
  });
}

test('git counts info/exclude too, and lists a folder inside a repository by its own paths', async (t) => {
  const root = temporaryFolder(t);
  execFileSync('git', ['init', '-q'], { cwd: root });
  write(root, { '.git/info/exclude': 'private.md\n', 'app/private.md': 'a', 'app/public.md': 'a', 'app/[x].md': 'a' });
  assert.deepEqual(await listFiles(join(root, 'app'), never), ['[x].md', 'public.md']);
  assert.deepEqual(await listFiles(join(root, 'app'), never, ['[x].md']), ['[x].md']);
});

test('a file that git still lists but that is gone is missing, not an error', async (t) => {
  const root = temporaryFolder(t);
  write(root, { 'gone.ts': 'a' });
  execFileSync('git', ['init', '-q'], { cwd: root });
  execFileSync('git', ['add', '.'], { cwd: root });
  rmSync(join(root, 'gone.ts'));
  assert.deepEqual(await listFiles(root, never), ['gone.ts']);
  assert.deepEqual(await examineFile(filterOf(root), 'gone.ts'), { kind: 'missing' });
});

test('a folder that was opened although the repository around it ignores it is walked all the same', async (t) => {
  const root = temporaryFolder(t);
  execFileSync('git', ['init', '-q'], { cwd: root });
  write(root, {
    '.gitignore': 'vendor/\n',
    'vendor/lib/a.ts': 'a',
    'vendor/lib/.gitignore': '*.log',
    'vendor/lib/b.log': 'a',
  });
  assert.deepEqual(await listFiles(join(root, 'vendor/lib'), never), ['.gitignore', 'a.ts']);
  assert.deepEqual(await listFiles(join(root, 'vendor/lib'), never, ['a.ts', 'b.log']), ['a.ts']);
  assert.deepEqual(await listFiles(root, never, ['vendor/lib/a.ts']), []);
});

test('a submodule and a repository inside a repository are listed by their own rules', async (t) => {
  const root = temporaryFolder(t);
  write(root, { 'a.ts': 'a', 'inner/b.ts': 'b', 'inner/c.log': 'c', 'inner/.gitignore': '*.log\n' });
  for (const cwd of [root, join(root, 'inner')]) execFileSync('git', ['init', '-q'], { cwd });
  const store = openStore(temporaryFolder(t));
  t.after(() => store.close());
  await scanAll(store, { roots: [root], maxBytes: oneMegabyte }, never, () => undefined);
  const all = ['a.ts', 'inner/.gitignore', 'inner/b.ts'];
  assert.deepEqual(store.pathsOf(root).sort(), all);
  const saved = [...all, 'inner/c.log'].map((path) => join(root, path));
  await scanSome(store, { roots: [root], maxBytes: oneMegabyte }, saved, never);
  assert.deepEqual(store.pathsOf(root).sort(), all);
  // Once it is tracked, git names it as a submodule.
  const git = ['-c', 'user.email=a@b', '-c', 'user.name=a', '-c', 'advice.addEmbeddedRepo=false'];
  execFileSync('git', [...git, 'add', '.'], { cwd: join(root, 'inner') });
  execFileSync('git', [...git, 'commit', '-qm', 'a'], { cwd: join(root, 'inner') });
  execFileSync('git', [...git, 'add', '.'], { cwd: root, stdio: 'ignore' });
  await scanAll(store, { roots: [root], maxBytes: oneMegabyte }, never, () => undefined);
  await scanSome(store, { roots: [root], maxBytes: oneMegabyte }, saved, never);
  assert.deepEqual(store.pathsOf(root).sort(), all);
});

test('what core.excludesFile names stays out of a scan and of a save, and says where that stands', async (t) => {
  const [root, home] = [temporaryFolder(t), temporaryFolder(t)];
  execFileSync('git', ['init', '-q'], { cwd: root });
  write(home, { ignore: '# mine\n*.scratch.ts\n' });
  execFileSync('git', ['config', 'core.excludesFile', join(home, 'ignore')], { cwd: root });
  write(root, { 'a.ts': 'a', 'b.scratch.ts': 'b', 'deep/c.scratch.ts': 'c' });
  const store = openStore(temporaryFolder(t));
  t.after(() => store.close());
  const scope = { roots: [root], maxBytes: oneMegabyte };
  await scanAll(store, scope, never, () => undefined);
  await scanSome(store, scope, [join(root, 'deep/c.scratch.ts')], never);
  assert.deepEqual(store.pathsOf(root), ['a.ts']);
  assert.deepEqual(await explainFile(store, scope, root, 'deep/c.scratch.ts', undefined, never), {
    kind: 'ignored',
    rule: { file: join(home, 'ignore'), line: 2, pattern: '*.scratch.ts' },
  });
});

test('a submodule is a root of its own: its rules, its info/exclude, its files', async (t) => {
  const [root, library] = [temporaryFolder(t), temporaryFolder(t)];
  const git = (cwd: string, ...args: string[]): void => {
    const settings = ['-c', 'user.email=a@b', '-c', 'user.name=a', '-c', 'protocol.file.allow=always'];
    execFileSync('git', [...settings, ...args], { cwd, stdio: 'ignore' });
  };
  for (const folder of [root, library]) git(folder, 'init', '-q');
  write(library, { 'lib.ts': 'a', '.gitignore': '*.log\n' });
  git(library, 'add', '.');
  git(library, 'commit', '-qm', 'a');
  write(root, { 'a.ts': 'a', '.gitignore': '*.tmp.ts\n' });
  git(root, 'submodule', 'add', library, 'vendor/lib');
  write(root, {
    'vendor/lib/b.log': 'b',
    'vendor/lib/c.tmp.ts': 'c',
    'vendor/lib/d.private.ts': 'd',
    '.git/modules/vendor/lib/info/exclude': '*.private.ts\n',
  });
  const expected = ['.gitignore', '.gitmodules', 'a.ts'];
  const inner = ['.gitignore', 'c.tmp.ts', 'lib.ts'].map((path) => `vendor/lib/${path}`);
  assert.deepEqual(await listFiles(root, never), [...expected, ...inner].sort());
  const asked = ['b.log', 'c.tmp.ts', 'd.private.ts', 'lib.ts'].map((path) => `vendor/lib/${path}`);
  assert.deepEqual(await listFiles(root, never, asked), ['vendor/lib/c.tmp.ts', 'vendor/lib/lib.ts']);
});

for (const kind of ['git', 'our own walk']) {
  test(`links that lead round in circles, out of the folder or nowhere end the listing by ${kind} no later`, async (t) => {
    const [root, outside] = [temporaryFolder(t), temporaryFolder(t)];
    write(outside, { 'far.ts': 'far' });
    write(root, { 'src/a.ts': 'a' });
    if (kind === 'git') execFileSync('git', ['init', '-q'], { cwd: root });
    const links = {
      'src/self': '.',
      'src/up': '..',
      'round/there': 'back',
      'round/back': 'there',
      far: outside,
      no: '/no',
    };
    mkdirSync(join(root, 'round'));
    for (const [path, target] of Object.entries(links)) symlinkSync(target, join(root, path));
    const store = openStore(temporaryFolder(t));
    t.after(() => store.close());
    const scope = { roots: [root], maxBytes: oneMegabyte };
    await scanAll(store, scope, never, () => undefined);
    assert.deepEqual(store.excluded(), { symlink: 6 });
    assert.equal(store.counts().files, 1);
    const through = ['src/self/a.ts', 'src/up/src/a.ts', 'far/far.ts'].map((path) => join(root, path));
    await scanSome(store, scope, through, never);
    assert.equal(store.counts().files, 1, 'a path through a link is no other file');
    assert.deepEqual(store.excluded(), { symlink: 6 });
    const why = await explainFile(store, scope, root, 'far/far.ts', undefined, never);
    assert.deepEqual(why, { kind: 'excluded', exclusion: { reason: 'symlink' } });
  });
}

test('each folder of a workspace has its own rules, with git and without; one that is closed leaves the index', async (t) => {
  const [one, two] = [temporaryFolder(t), temporaryFolder(t)];
  execFileSync('git', ['init', '-q'], { cwd: one });
  write(one, { 'a.ts': 'a', 'b.log': 'b', '.gitignore': '*.log\n', 'c.ts': 'c', '.parleyignore': 'c.ts\n' });
  write(two, { 'a.ts': 'other', 'b.log': 'b', 'c.ts': 'c', '.gitignore': 'c.ts\n' });
  const store = openStore(temporaryFolder(t));
  t.after(() => store.close());
  const scan = (roots: string[]) => scanAll(store, { roots, maxBytes: oneMegabyte }, never, () => undefined);
  const indexed = (root: string): string[] =>
    store
      .pathsOf(root)
      .filter((path) => store.known(root, path)?.hash !== undefined)
      .sort();
  await scan([one, two]);
  assert.deepEqual(indexed(one), ['.gitignore', '.parleyignore', 'a.ts']);
  assert.deepEqual(indexed(two), ['.gitignore', 'a.ts', 'b.log']);
  await scanSome(store, { roots: [one, two], maxBytes: oneMegabyte }, [join(one, 'b.log'), join(two, 'c.ts')], never);
  assert.deepEqual([indexed(one).length, indexed(two).length], [3, 3]);
  await scan([two]);
  assert.deepEqual([store.pathsOf(one), indexed(two).length], [[], 3]);
});

test('listing can be cancelled, with git and without', async (t) => {
  const root = temporaryFolder(t);
  const controller = new AbortController();
  controller.abort();
  await assert.rejects(listFiles(root, controller.signal), isCancelled);
});

test('each kind of file that stays out has its reason', async (t) => {
  const root = temporaryFolder(t);
  const outside = temporaryFolder(t);
  write(outside, { 'secret.txt': 'far away' });
  write(root, {
    'image.dat': Uint8Array.of(1, 2, 0, 3),
    'big.txt': 'x'.repeat(2_000),
    '.env': 'A=1',
    'deploy/server.pem': 'x',
    'config.yaml': `key: AKIA${'QWERTYUI98765432'}`,
    'keys.ts': `-----BEGIN ${'PRIVATE'} KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0BAQEF'}\n`,
    'many.ts': Array.from({ length: 21 }, (_, at) => `'AKIA${'QWERTYUI987654'}${at + 40}'\n`).join(''),
    'app.min.js': 'x',
    'bundle.js': `${'a=1;'.repeat(1_000)}\n`,
    'yarn.lock': 'x',
    'plain.ts': 'const a = 1;\n',
  });
  symlinkSync(join(outside, 'secret.txt'), join(root, 'out-of-root.txt'));
  symlinkSync(outside, join(root, 'linked'));
  const reasonOf = async (path: string, maxBytes = 10_000): Promise<string> => {
    const examined = await examineFile(filterOf(root, maxBytes), path);
    return examined.kind === 'excluded' ? examined.exclusion.reason : examined.kind;
  };
  assert.equal(await reasonOf('image.dat'), 'binary');
  assert.equal(await reasonOf('big.txt', 1_000), 'too-large');
  assert.equal(await reasonOf('.env'), 'secret-path');
  assert.equal(await reasonOf('deploy/server.pem'), 'secret-path');
  for (const path of ['config.yaml', 'keys.ts', 'many.ts']) assert.equal(await reasonOf(path), 'secret-content', path);
  assert.equal(await reasonOf('app.min.js'), 'minified');
  assert.equal(await reasonOf('bundle.js'), 'minified');
  assert.equal(await reasonOf('yarn.lock'), 'lock-file');
  assert.equal(await reasonOf('out-of-root.txt'), 'symlink');
  assert.equal(await reasonOf('linked/secret.txt'), 'missing');
  assert.equal(await reasonOf('plain.ts'), 'text');
  assert.ok(!(await listFiles(root, never)).includes('linked/secret.txt'));
});

test('of a source file with sample keys, the lines about them are left out; minified, it is out as a whole', async (t) => {
  const root = temporaryFolder(t);
  const key = `AKIA${'QWERTYUI98765432'}`;
  const lines = (count: number): string => 'call();\n'.repeat(count);
  write(root, {
    'client.test.ts': `${lines(9)}const id = '${key}';\n${lines(30)}sign(\n  '${key}',\n);\n${lines(40)}`,
    'app.js': `'${key}';${'a=1;'.repeat(1_000)}\n`,
  });
  const examined = await examineFile(filterOf(root), 'client.test.ts');
  assert.ok(examined.kind === 'text');
  assert.deepEqual(examined.secret, {
    lines: [
      { first: 5, last: 15 },
      { first: 37, last: 47 },
    ],
    exclusion: { reason: 'secret-content', secret: { kind: 'service-key', service: 'AWS', line: 10 } },
  });
  const minified = await examineFile(filterOf(root), 'app.js');
  assert.ok(minified.kind === 'excluded' && minified.exclusion.reason === 'minified');
});

test('a file with the stamp of the last look is not read again', async (t) => {
  const root = temporaryFolder(t);
  write(root, { 'a.ts': 'one' });
  const first = await examineFile(filterOf(root), 'a.ts');
  assert.equal(first.kind, 'text');
  assert.ok(first.kind === 'text');
  assert.deepEqual(await examineFile(filterOf(root), 'a.ts', first.stamp), { kind: 'unchanged' });
  write(root, { 'a.ts': 'other' });
  assert.equal((await examineFile(filterOf(root), 'a.ts', first.stamp)).kind, 'text');
});

test('paths of secrets stay home, in any folder and case; examples meant to be shared do not count', () => {
  const secrets = [
    '.env',
    'a/.ENV.local',
    'id_rsa',
    'home/.ssh/config',
    'x/.aws/credentials',
    '.npmrc',
    'cert.PFX',
    'deep/secrets.yaml',
    'secrets/prod/db',
    'k8s/secrets/db.yml',
    'infra/prod.tfstate',
    'firebase-service-account-prod.json',
  ];
  for (const path of secrets) assert.equal(excludeByPath(path), 'secret-path', path);
  for (const path of [
    '.env.example',
    'src/environment.ts',
    'src/secretSanta.ts',
    'auth/credentials/clientSecret.ts',
    'keyboard.ts',
    'tokens.ts',
  ]) {
    assert.equal(excludeByPath(path), undefined, path);
  }
});

test('files are listed where paths are asked about, too, that no command line takes', async (t) => {
  const root = temporaryFolder(t);
  const wide = 'x'.repeat(200);
  write(root, { ...nested, [`${wide}/7`]: 'a' });
  execFileSync('git', ['init', '-q'], { cwd: root });
  for (const others of [
    ['a\0b'],
    [`deep/${'x'.repeat(200_000)}`],
    // Too long together for Windows.
    Array.from({ length: 199 }, (_, at) => `${wide}/${at}`),
    ['gone.ts'],
  ]) {
    const found = await listFiles(root, never, ['src/main.ts', 'src/other.log', ...others]);
    assert.deepEqual(found, ['src/main.ts', ...others.filter((path) => path.endsWith('/7'))]);
  }
});
