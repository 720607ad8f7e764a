import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import fc from 'fast-check';
import { turnSize } from '../../../../src/base/nextTurn.ts';
import { bytesWithin, estimateTokens } from '../../../../src/base/tokens.ts';
import { changedLines, changeText, splitDiff } from '../../../../src/scm/commit/diffFiles.ts';
import { fairShare, fitDiff } from '../../../../src/scm/commit/fitDiff.ts';
import { stagedContent } from '../../../../src/scm/commit/stagedContent.ts';
import { gitDiff } from '../../../../src/workspace/git/gitDiff.ts';
import { findSecret } from '../../../../src/workspace/secrets.ts';
import { git } from '../../../attack/gitPrograms.ts';
import { temporaryFolder } from '../../../support/searchFolder.ts';

const never = new AbortController().signal;
const secretLine = (text: string): number | undefined => findSecret(text)?.line;

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

async function staged(root: string) {
  git(root, 'add', '-A');
  const found = await gitDiff(root, 'staged', never);
  assert.ok(found.kind === 'diff');
  return stagedContent(found, secretLine, never);
}

describe('what is staged', () => {
  it('is taken apart as git writes it: hunks, new and deleted files, modes, and files that are no text', async (t) => {
    const lines = Array.from({ length: 40 }, (_, i) => `line ${i}\n`).join('');
    const root = repository(t, { 'a.ts': lines, 'gone.ts': 'g\n', 'run.sh': 'x\n', 'p.bin': new Uint8Array([0, 1]) });
    write(root, { 'a.ts': lines.replace('line 2\n', 'diff --git a/x b/x\n').replace('line 30\n', '') });
    write(root, { 'new file.ts': 'n\n', 'empty.ts': '', 'p.bin': new Uint8Array([0, 2]) });
    git(root, 'rm', '-q', 'gone.ts');
    git(root, 'update-index', '--chmod=+x', 'run.sh');
    git(root, 'config', 'core.fileMode', 'false');
    const { changes, withheld } = await staged(root);
    assert.equal(withheld, 0);
    assert.deepEqual(
      changes.map(({ head, hunks }) => [head, hunks.length]),
      [
        ['--- a/a.ts\n+++ b/a.ts\n', 2],
        ['diff --git a/empty.ts b/empty.ts\nnew file mode 100644\n', 0],
        ['deleted file mode 100644\n--- a/gone.ts\n+++ /dev/null\n', 1],
        ['new file mode 100644\n--- /dev/null\n+++ b/new file.ts\t\n', 1],
        ['diff --git a/p.bin b/p.bin\nBinary files a/p.bin and b/p.bin differ\n', 0],
        ['diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n', 0],
      ],
    );
  });

  it('names a file that was only moved, without its lines', async (t) => {
    const root = repository(t, { 'old.ts': 'a\nb\n', 'b.ts': 'c\n' });
    git(root, 'mv', 'old.ts', 'young.ts');
    const { changes } = await staged(root);
    assert.deepEqual(changes.map(changeText), ['rename from old.ts\nrename to young.ts\n']);
  });

  it('is without files that hold a secret, by name or in their lines, be they added or removed', async (t) => {
    const key = `-----BEGIN ${'PRIVATE'} KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0B'.repeat(3)}\n`;
    const root = repository(t, { 'a.ts': 'a\n', 'removed.txt': `before\n${key}` });
    write(root, { 'a.ts': 'b\n', '.env': 'X=1\n', 'added.txt': key, 'removed.txt': 'before\n' });
    const { changes, withheld } = await staged(root);
    assert.deepEqual(changes.map(changeText), ['--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-a\n+b\n']);
    assert.equal(withheld, 3);
  });
});

describe('a large diff', () => {
  const lines = 'const harbour = 1;\n'.repeat(9_000);
  const secret = `const key = 'AKIA${'Q7ZR4MTX2WLN8VKP'}';\n`;
  const diffOf = (text: string): string =>
    `diff --git a/a.ts b/a.ts\n--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n${text.replace(/^(?=.)/gm, '+')}`;

  it('is looked through for secrets, also where its pieces meet', async () => {
    const found = async (at: number) => {
      const text = diffOf(`${lines.slice(0, at)}\n${secret}${lines}`);
      return (await stagedContent({ kind: 'diff', text, gaps: [] }, secretLine, never)).withheld;
    };
    assert.equal((await stagedContent({ kind: 'diff', text: diffOf(lines), gaps: [] }, secretLine, never)).withheld, 0);
    for (const at of [0, turnSize - 60, turnSize - 40, turnSize - 20, turnSize, 150_000])
      assert.equal(await found(at), 1);
  });

  it('is given up when it is stopped', async () => {
    const stopped = stagedContent({ kind: 'diff', text: diffOf(lines), gaps: [] }, secretLine, AbortSignal.abort());
    await assert.rejects(stopped, { kind: 'cancelled' });
  });
});

const change = (name: string, lines: number, width = 20) => ({
  head: `--- a/${name}\n+++ b/${name}\n`,
  hunks: [`@@ -1 +1,${lines} @@\n${`+${'x'.repeat(width - 2)}\n`.repeat(lines)}`],
});

describe('a diff within bounds', () => {
  it('is whole where all fit', () => {
    const changes = [change('a.ts', 3), change('b.ts', 4)];
    assert.deepEqual(fitDiff(changes, 1_000), { text: changes.map(changeText).join(''), leftOut: 0 });
  });

  it('gives all files the same share, and what small ones leave to the large ones', () => {
    const changes = [change('large.ts', 1_000), change('small.ts', 3), change('other.ts', 1_000)];
    const { text, leftOut } = fitDiff(changes, 1_000);
    assert.equal(leftOut, 0);
    const [large = '', small = '', other = ''] = text.split(/^(?=--- )/m);
    assert.equal(small, changeText(changes[1] ?? change('', 0)));
    assert.match(large, /\n\[\d+ more lines of this file are not shown\]\n$/);
    assert.ok(Math.abs(large.length - other.length) < 30);
    const shown = large.split('\n').length - 5;
    assert.ok(large.includes(`[${1_000 - shown} more lines`), large.slice(-60));
  });

  it('says how many files have no room even for their names', () => {
    const { text, leftOut } = fitDiff(
      Array.from({ length: 500 }, (_, i) => change(`file${i}.ts`, 10)),
      1_000,
    );
    assert.equal(text.split(/^(?=--- )/m).length + leftOut, 500);
    assert.ok(leftOut > 300);
  });

  it('never has more than its tokens, and holds as many files as it says', () => {
    const any = fc.record({ lines: fc.nat(300), width: fc.integer({ min: 2, max: 90 }) });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 30 }), fc.integer({ min: 1, max: 3_000 }), (sizes, tokens) => {
        const changes = sizes.map(({ lines, width }, i) => change(`f${i}.ts`, lines, width));
        const { text, leftOut } = fitDiff(changes, tokens);
        assert.ok(estimateTokens(text) <= tokens);
        assert.equal((text.match(/^--- /gm) ?? []).length + leftOut, changes.length);
      }),
    );
  });

  it('shares without leaving over what others could use', () => {
    assert.equal(fairShare([], 10), Number.POSITIVE_INFINITY);
    assert.equal(fairShare([5, 5], 10), Number.POSITIVE_INFINITY);
    assert.equal(fairShare([100, 2, 100], 22), 10);
    fc.assert(
      fc.property(fc.array(fc.nat(10_000)), fc.nat(100_000), (sizes, limit) => {
        const share = fairShare(sizes, limit);
        const sum = sizes.reduce((all, size) => all + Math.min(size, share), 0);
        assert.ok(sum <= limit);
        if (share !== Number.POSITIVE_INFINITY) assert.ok(limit - sum < sizes.length);
      }),
    );
    assert.equal(bytesWithin(10), 35);
    assert.deepEqual(splitDiff(''), []);
  });

  it('ends a line of git at a line feed alone', () => {
    // Texts of files whose lines seem to begin anew after another break, as files of an old Mac do.
    const lines = ['-a\rdiff --git a/x b/x\r@@ -1 +1 @@', '+a\u2028diff --git a/x b/x', '+\u2028-b\r+c'].join('\n');
    const head = 'diff --git a/f b/f\nindex 1..2 100644\n--- a/f\n+++ b/f\n';
    const [file, ...more] = splitDiff(`${head}@@ -1 +1,2 @@\n${lines}\n${head}@@ -9 +9 @@\n+z\n`);
    assert.ok(file);
    assert.equal(more.length, 1);
    assert.deepEqual(file.hunks, [`@@ -1 +1,2 @@\n${lines}\n`]);
    assert.ok(changedLines(file).endsWith('\n\u2028-b\r+c\n'));
  });
});
