import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { explainFile, type FileExplanation } from '../../../../src/search/indexing/explainFile.ts';
import { scanAll } from '../../../../src/search/indexing/scan.ts';
import { openStore } from '../../../../src/search/store/store.ts';
import { type ExclusionReason, exclusionReasons } from '../../../../src/workspace/exclusions.ts';
import type { Scope } from '../../../../src/workspace/fileFilter.ts';
import { temporaryFolder } from '../../../support/searchFolder.ts';
import { exclusionText, Uri } from '../../../support/vscodeStub.ts';

const never = new AbortController().signal;

/** A folder with an index, and a question to it. */
async function indexed(t: TestContext, files: Record<string, string>, settings: Partial<Scope> = {}, git = true) {
  const root = temporaryFolder(t);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  if (git) execFileSync('git', ['init', '-q'], { cwd: root });
  const scope: Scope = { roots: [root], maxBytes: 10_000, ...settings };
  const store = openStore(temporaryFolder(t));
  t.after(() => store.close());
  const scan = (): Promise<void> => scanAll(store, scope, never, () => undefined);
  await scan();
  const why = (path: string): Promise<FileExplanation> => explainFile(store, scope, root, path, undefined, never);
  return { root, store, scan, why };
}

test('a file in the index tells its chunks, and whether it has changed since', async (t) => {
  const { root, why } = await indexed(t, { 'a.ts': 'const a = 1;\n' });
  const before = await why('a.ts');
  assert.ok(before.kind === 'indexed');
  assert.deepEqual([before.chunks, before.byMeaning, before.isStale], [1, undefined, false]);
  appendFileSync(join(root, 'a.ts'), 'const b = 2;\n');
  const after = await why('a.ts');
  assert.ok(after.kind === 'indexed' && after.isStale);
  writeFileSync(join(root, 'new.ts'), 'a');
  assert.deepEqual(await why('new.ts'), { kind: 'waiting' });
  assert.deepEqual(await why('gone.ts'), { kind: 'missing' });
});

for (const git of [true, false]) {
  test(`an ignored file names the line that ignores it, ${git ? 'in a git folder' : 'without git'}`, async (t) => {
    const files = {
      '.gitignore': '# made\n\nout/\n',
      'src/.gitignore': '*.log\n!keep.log\n',
      'out/x/a.js': 'a',
      'src/b.log': 'b',
      'src/keep.log': 'b',
    };
    const { root, why } = await indexed(t, files, {}, git);
    assert.deepEqual(await why('out/x/a.js'), {
      kind: 'ignored',
      rule: { file: join(root, '.gitignore'), line: 3, pattern: 'out/' },
    });
    assert.deepEqual(await why('src/b.log'), {
      kind: 'ignored',
      rule: { file: join(root, 'src/.gitignore'), line: 1, pattern: '*.log' },
    });
    assert.equal((await why('src/keep.log')).kind, 'indexed');
  });
}

test('what only git knows of has its file and line too', async (t) => {
  const { root, why } = await indexed(t, { 'app/private.md': 'a' });
  appendFileSync(join(root, '.git/info/exclude'), '\nprivate.md\n');
  const standing = await why('app/private.md');
  assert.ok(standing.kind === 'ignored');
  assert.deepEqual([standing.rule?.file, standing.rule?.pattern], [join(root, '.git/info/exclude'), 'private.md']);
});

test('a file of a repository that the one around it ignores names that rule', async (t) => {
  const { root, why } = await indexed(t, { '.gitignore': 'inner/\n', 'inner/a.ts': 'a' });
  execFileSync('git', ['init', '-q'], { cwd: join(root, 'inner') });
  assert.deepEqual(await why('inner/a.ts'), {
    kind: 'ignored',
    rule: { file: join(root, '.gitignore'), line: 1, pattern: 'inner/' },
  });
});

test('without git, a folder of tools names itself', async (t) => {
  const { why } = await indexed(t, { 'node_modules/x/index.js': 'a' }, {}, false);
  assert.deepEqual(await why('node_modules/x/index.js'), { kind: 'left-out-folder', folder: 'node_modules' });
});

for (const git of [true, false]) {
  test(`.parleyignore works anywhere in the tree, ${git ? 'in a git folder' : 'without git'}, and brings no secret back`, async (t) => {
    const { root, store, why } = await indexed(
      t,
      {
        '.parleyignore': 'docs/\n!.env\n',
        'src/.parleyignore': '/fixtures\n',
        'docs/a.md': 'a',
        'src/fixtures/b.ts': 'b',
        'fixtures/c.ts': 'c',
        '.env': 'A=1',
      },
      {},
      git,
    );
    assert.deepEqual(store.excluded(), { parleyignore: 2, 'secret-path': 1 });
    assert.deepEqual(await why('docs/a.md'), {
      kind: 'excluded',
      exclusion: { reason: 'parleyignore', rule: { file: join(root, '.parleyignore'), line: 1, pattern: 'docs/' } },
    });
    const inner = await why('src/fixtures/b.ts');
    assert.ok(inner.kind === 'excluded');
    assert.deepEqual(inner.exclusion.rule?.file, join(root, 'src/.parleyignore'));
    assert.equal((await why('fixtures/c.ts')).kind, 'indexed');
    const secret = await why('.env');
    assert.ok(secret.kind === 'excluded' && secret.exclusion.reason === 'secret-path');
  });
}

for (const git of [true, false]) {
  test(`generated files stay out until asked for: attributes and headers, ${git ? 'by git' : 'by our own reading'}`, async (t) => {
    const files = {
      '.gitattributes': '*.pb.ts linguist-generated\nvendor/** linguist-vendored=true\nmine.ts -linguist-generated\n',
      'lib/.gitattributes': 'kept.pb.ts linguist-generated=false\n',
      'api.pb.ts': 'a',
      'lib/kept.pb.ts': 'a',
      'vendor/x/y.ts': 'a',
      'mine.ts': '// Code generated by me. DO NOT EDIT.\n',
      'zz_generated.go': '// Licence\n\n// Code generated by deepcopy-gen. DO NOT EDIT.\n\npackage a\n',
      'relay.ts': '/**\n * @generated SignedSource<<abc>>\n */\n',
      'form.cs': '// This file was automatically generated by a tool.\n',
      'talk.ts': 'const note = "Code generated by us, DO NOT EDIT";\n',
    };
    const { store, why } = await indexed(t, files, {}, git);
    assert.deepEqual(store.excluded(), { generated: 5 });
    for (const path of ['lib/kept.pb.ts', 'mine.ts', 'talk.ts']) assert.equal((await why(path)).kind, 'indexed', path);
    assert.deepEqual(await why('zz_generated.go'), { kind: 'excluded', exclusion: { reason: 'generated', line: 3 } });
    assert.deepEqual(await why('api.pb.ts'), { kind: 'excluded', exclusion: { reason: 'generated' } });
    const all = await indexed(t, files, { includeGenerated: true }, git);
    assert.deepEqual(all.store.excluded(), {});
  });
}

test('globs of the user leave files out and let them in; a secret inside stays out all the same', async (t) => {
  const { why } = await indexed(
    t,
    {
      'docs/a.md': 'a',
      'deep/x.snap': 'a',
      'yarn.lock': 'a',
      'secrets/plain.yaml': 'a: 1\n',
      'secrets/key.ts': `const key = 'AKIA${'QWERTYUI98765432'}';\n`,
    },
    { exclude: ['docs', '*.snap'], allow: ['yarn.lock', 'secrets/**'] },
  );
  const excluded = async (path: string): Promise<unknown> => {
    const standing = await why(path);
    return standing.kind === 'excluded' ? standing.exclusion : standing.kind;
  };
  assert.deepEqual(await excluded('docs/a.md'), { reason: 'setting', glob: 'docs' });
  assert.deepEqual(await excluded('deep/x.snap'), { reason: 'setting', glob: '*.snap' });
  assert.equal(await excluded('yarn.lock'), 'indexed');
  assert.equal(await excluded('secrets/plain.yaml'), 'indexed');
  const secret = { kind: 'service-key', service: 'AWS', line: 1 };
  assert.deepEqual(await excluded('secrets/key.ts'), { reason: 'secret-content', secret });
});

test('a change of the rules takes effect at the next scan, though no file changed', async (t) => {
  const { root, store, scan } = await indexed(t, { 'a.ts': 'a', 'b.gen.ts': 'b', 'big.ts': 'x\n'.repeat(6_000) });
  assert.deepEqual(store.excluded(), { 'too-large': 1 });
  writeFileSync(join(root, '.parleyignore'), 'a.ts\n');
  writeFileSync(join(root, '.gitattributes'), '*.gen.ts linguist-generated\n');
  await scan();
  assert.deepEqual(store.excluded(), { 'too-large': 1, parleyignore: 1, generated: 1 });
  writeFileSync(join(root, '.parleyignore'), '');
  writeFileSync(join(root, '.gitattributes'), '');
  await scan();
  assert.deepEqual(store.excluded(), { 'too-large': 1 });
  await scanAll(store, { roots: [root], maxBytes: 100_000 }, never, () => undefined);
  assert.deepEqual(store.excluded(), {});
});

test('a link out of the folder is said to be a link', async (t) => {
  const { root, why } = await indexed(t, { 'a.ts': 'a' });
  symlinkSync('/etc/hostname', join(root, 'link.txt'));
  assert.deepEqual(await why('link.txt'), { kind: 'excluded', exclusion: { reason: 'symlink' } });
});

/** What changes that a file is left out; for the others there is nothing that could. */
const settings: Partial<Record<ExclusionReason, string>> = {
  'secret-path': 'parley.search.allowPaths',
  setting: 'parley.search.exclude',
  'too-large': 'parley.search.maxFileSize',
  minified: 'parley.search.allowPaths',
  generated: 'parley.search.includeGenerated',
  'lock-file': 'parley.search.allowPaths',
};

for (const reason of exclusionReasons) {
  test(`a file that is left out as ${reason} gets a sentence, and the setting that changes it where there is one`, () => {
    const { sentence, action } = exclusionText('a.ts', Uri.file('/code/a.ts'), { reason, glob: '*.ts' });
    assert.match(sentence, /^a\.ts is not indexed: [^{}]+\.$/);
    assert.deepEqual(action?.arguments, settings[reason] === undefined ? undefined : [`@id:${settings[reason]}`]);
  });
}

test('a rule and a secret are named with their line, which is opened', () => {
  const uri = Uri.file('/code/a.ts');
  const rule = { file: '/code/.parleyignore', line: 3, pattern: '*.ts' };
  const byRule = exclusionText('a.ts', uri, { reason: 'parleyignore', rule });
  assert.equal(byRule.sentence, 'a.ts is not indexed: line 3 of .parleyignore says “*.ts”.');
  assert.equal(byRule.action?.command, 'vscode.open');
  const secret = { kind: 'service-key', service: 'AWS', line: 7 } as const;
  const bySecret = exclusionText('a.ts', uri, { reason: 'secret-content', secret });
  assert.equal(bySecret.sentence, 'a.ts is not indexed: line 7 holds what looks like a key of AWS.');
  assert.equal(bySecret.action?.command, 'vscode.open');
});
