import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, type TestContext, test } from 'node:test';
import { indexesToDelete } from '../../../../src/search/cli/commands/cliClean.ts';
import { createEngine } from '../../../../src/search/engine.ts';
import { ownScope } from '../../../../src/search/registry/folderIndex.ts';
import { openIndexRegistry } from '../../../../src/search/registry/indexRegistry.ts';
import { openQuestionServer } from '../../../../src/search/registry/questionServer.ts';
import { temporaryFolder } from '../../../support/searchFolder.ts';
import { runHere } from './cliContextStub.ts';

const dayMs = 86_400_000;
const now = 100 * dayMs;
const index = (name: string, days: number, gone: boolean[] = [false], isOpenInWindow = false) => ({
  ...{ name, usedAt: now - days * dayMs, isOpenInWindow },
  folders: gone.map((isGone, at) => ({ path: `/${name}${at}`, isGone })),
});
const all = [
  index('new', 1),
  index('old', 40),
  index('gone', 1, [true, true]),
  index('half', 1, [true, false]),
  index('open', 90, [true], true),
];
const chosen = (rule: Parameters<typeof indexesToDelete>[1]): string[] =>
  indexesToDelete(all, rule, now).map(({ name }) => name);

describe('what clean deletes', () => {
  test('is those whose folders are all gone, those of a long time ago, or both, and none that a window has open', () => {
    assert.deepEqual(chosen({ isGone: false }), ['gone']);
    assert.deepEqual(chosen({ isGone: true }), ['gone']);
    assert.deepEqual(chosen({ isGone: false, olderThanDays: 30 }), ['old']);
    assert.deepEqual(chosen({ isGone: true, olderThanDays: 30 }), ['old', 'gone']);
    assert.deepEqual(chosen({ isGone: false, olderThanDays: 0 }), ['new', 'old', 'gone', 'half']);
  });

  /** An editor's index of a folder that is gone: its files, and a note of somebody beside them. */
  async function editors(t: TestContext) {
    const [data, directory] = [temporaryFolder(t), join(temporaryFolder(t), 'index')];
    mkdirSync(directory);
    for (const name of ['index.db', 'index.db-wal', 'vectors.db', 'vectors-1.bits', 'vectors-1.json', 'mine.txt']) {
      writeFileSync(join(directory, name), 'x');
    }
    const scope = {
      roots: ['/no/such/folder'],
      maxBytes: 1,
      exclude: [],
      allow: [],
      includeGenerated: false,
      encodings: {},
    };
    await openIndexRegistry(data).write({ version: 1, directory, scope, usedAt: 0 });
    return { data, directory };
  }

  test('is an editor’s only after a yes, and only what is of the index', async (t) => {
    const { data, directory } = await editors(t);
    const nobody = await runHere(['clean'], { data });
    assert.equal(nobody.code, 2);
    assert.match(nobody.said, /nobody is here to say yes\. Add --yes/);
    const no = await runHere(['clean'], { data, answers: [false] });
    assert.deepEqual([no.code, no.asked.length], [0, 1]);
    assert.ok(existsSync(join(directory, 'index.db')));
    const yes = await runHere(['clean'], { data, answers: [true] });
    assert.equal(yes.code, 0);
    assert.equal(existsSync(join(directory, 'index.db')), false);
    assert.equal(existsSync(join(directory, 'vectors-1.bits')), false);
    assert.ok(existsSync(join(directory, 'mine.txt')));
    assert.deepEqual((await runHere(['list', '--json'], { data })).lines, ['{"indexes":[]}']);
  });

  test('is not one that any program has open, and is once it is closed', async (t) => {
    const data = temporaryFolder(t);
    const registry = openIndexRegistry(data);
    const scope = { ...ownScope, roots: ['/no/such/folder'] };
    const names = ['read', 'written', 'damaged'];
    for (const name of names) {
      const directory = join(data, 'indexes', name);
      await registry.write({ version: 1, directory, scope: { ...scope, roots: [`/no/such/${name}`] }, usedAt: 0 });
      const made = createEngine(directory);
      await made.index({ ...scope, roots: [data] }, undefined, new AbortController().signal, () => undefined);
      made.close();
    }
    const read = createEngine(join(data, 'indexes', 'read'));
    t.after(() => read.close());
    assert.ok(read.status().indexed.files >= 0);
    const written = new DatabaseSync(join(data, 'indexes', 'written', 'index.db'));
    written.exec('BEGIN IMMEDIATE');
    writeFileSync(join(data, 'indexes', 'damaged', 'index.db'), 'no database at all'.repeat(100));
    const deletedBy = async (...args: string[]): Promise<string[]> => {
      const { lines } = await runHere(['clean', '--json', ...args], { data });
      return (JSON.parse(lines[0] ?? '{}') as { deleted: { directory: string }[] }).deleted.map(({ directory }) =>
        basename(directory),
      );
    };
    assert.deepEqual(await deletedBy('--dry-run'), ['damaged']);
    assert.deepEqual(await deletedBy(), ['damaged']);
    assert.ok(existsSync(join(data, 'indexes', 'read', 'index.db')));
    read.close();
    written.close();
    assert.deepEqual((await deletedBy()).sort(), ['read', 'written']);
  });

  test('is not one that a window has open', async (t) => {
    const { data, directory } = await editors(t);
    const window = await openQuestionServer(data, directory, async () => 'consent');
    t.after(() => window.close());
    const { code, lines } = await runHere(['clean', '--yes', '--older-than', '0'], { data });
    assert.deepEqual([code, lines], [0, []]);
    assert.ok(existsSync(join(directory, 'index.db')));
  });
});
