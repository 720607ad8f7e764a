import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { textHash } from '../../../../src/search/chunker/chunker.ts';
import {
  createExaminer,
  createExaminerProcess,
  createExaminerProcesses,
  type Examiner,
  type HasVector,
} from '../../../../src/search/indexing/examiner.ts';
import type { FileRecord } from '../../../../src/workspace/fileList.ts';
import { temporaryFolder } from '../../../support/searchFolder.ts';

const code = Array.from(
  { length: 60 },
  (_, i) => `export function sail${i}(wind: number): number {\n  return wind * ${i};\n}\n`,
);
const files: Readonly<Record<string, string | Uint8Array>> = {
  'long.ts': code.join('\n'),
  'short.py': 'def sail():\n    pass\n',
  'guide.md': '# Sails\n\n## Wind\n\nIt blows.\n',
  'picture.bin': Uint8Array.of(0, 1, 2),
  'secret.ts': `const key = 'AKIA${'QWERTYUIOPASDFGH'}';\n`,
};
const names = [...Object.keys(files), 'gone.ts'];

/** The same look at the files by both ways. */
function createBoth(t: TestContext, hasVector?: HasVector, entry?: string) {
  const root = temporaryFolder(t);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(root, name), content);
  const scope = { roots: [root], maxBytes: 1e6 };
  const data = { root, scope, generated: new Map(), trusted: true, sameChunker: true, sameNames: true };
  const other = createExaminerProcess(data, hasVector, undefined, entry);
  const several = createExaminerProcesses(data, hasVector, undefined, entry);
  t.after(() => Promise.all([other.close(), several.close()]));
  return { here: createExaminer(data, hasVector), other, several };
}

async function findAll(examiner: Examiner, known?: FileRecord): Promise<unknown[]> {
  return Promise.all(names.map((name) => examiner.examine(name, known)));
}

test('a process finds in files what is found without one', async (t) => {
  const { here, other, several } = createBoth(t);
  const found = await findAll(other);
  assert.deepEqual(found, await findAll(here));
  assert.equal(found.at(-1), 'missing');
  assert.deepEqual(await findAll(several), found);
});

test('a file whose texts were paid for in part is cut so that they are used, however it is looked at', async (t) => {
  const hex = (hash: Uint8Array): string => Buffer.from(hash).toString('hex');
  const unpaid = await createBoth(t).here.examine('long.ts', undefined);
  assert.ok(typeof unpaid === 'object' && typeof unpaid.content === 'object');
  const [first, second, ...others] = unpaid.content.chunks.map(({ text }) => text);
  // The border between the first two once was some lines higher.
  const border = (first ?? '').lastIndexOf('export', (first?.length ?? 0) - 150);
  const before = [first?.slice(0, border) ?? '', first?.slice(border) + (second ?? ''), ...others];
  const paid = new Set(before.map((text) => hex(textHash(text))));
  const { here, other } = createBoth(t, (hash) => paid.has(hex(hash)));
  const found = await other.examine('long.ts', undefined);
  assert.deepEqual(found, await here.examine('long.ts', undefined));
  assert.ok(typeof found === 'object' && typeof found.content === 'object');
  assert.deepEqual(
    found.content.chunks.map(({ text }) => text),
    before,
  );
  const known = { size: 0, mtimeMs: 0, hash: 'another' };
  assert.deepEqual(await findAll(other, known), await findAll(here, known));
});

test('when the process has ended, files are looked at all the same', async (t) => {
  const { here, other, several } = createBoth(t, undefined, '/there/is/no/such/script.js');
  const asked = findAll(other);
  const expected = await findAll(here);
  assert.deepEqual(await asked, expected);
  assert.deepEqual(await findAll(several), expected);
  assert.deepEqual(await findAll(other), expected);
});

test('files that a process was ended over are not looked at once more', async (t) => {
  let looks = 0;
  const hasVector: HasVector = () => {
    looks++;
    return false;
  };
  const { here, other } = createBoth(t, hasVector);
  await here.examine('long.ts', undefined);
  assert.ok(looks > 0, 'a look at a file asks for each of its texts');
  looks = 0;
  const pending = Array.from({ length: 20 }, () => other.examine('long.ts', undefined));
  const [ended] = await Promise.all([Promise.allSettled(pending), other.close()]);
  assert.deepEqual([...new Set(ended.map(({ status }) => status))], ['rejected']);
  assert.equal(looks, 0);
});

test('the process that reads many files ends with the scan, and what it took goes back to the system', async (t) => {
  const { other } = createBoth(t);
  await findAll(other);
  const pid = other.pid ?? 0;
  assert.ok(pid > 0 && pid !== process.pid, 'the grammars are compiled in a process of their own');
  process.kill(pid, 0);
  await other.close();
  assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
});

test('files that are there at once are cut one in each turn, so that a question comes between two of them', async (t) => {
  let turn = 0;
  let isOver = false;
  const count = (): void => {
    turn++;
    if (!isOver) setImmediate(count);
  };
  /** The files whose texts were looked up in a turn. */
  const byTurn = new Map<number, Set<string>>();
  const root = temporaryFolder(t);
  const paths = Array.from({ length: 100 }, (_, at) => `f${at}.ts`);
  const ofText = new Map<string, string>();
  for (const path of paths) {
    const text = `export const ${path.replace('.ts', '')} = 1;\n`;
    writeFileSync(join(root, path), text);
    ofText.set(Buffer.from(textHash(text)).toString('hex'), path);
  }
  const scope = { roots: [root], maxBytes: 1e6 };
  const data = { root, scope, generated: new Map(), trusted: true, sameChunker: true, sameNames: true };
  const hasVector: HasVector = (hash) => {
    const path = ofText.get(Buffer.from(hash).toString('hex')) ?? '';
    byTurn.set(turn, (byTurn.get(turn) ?? new Set()).add(path));
    return false;
  };
  // As many at once as wait for two processes, which do not cut what was cut before.
  const several = createExaminerProcesses(data, hasVector);
  t.after(() => several.close());
  const known: FileRecord = { stamp: { size: 1, mtimeMs: 1 }, hash: 'another' } as unknown as FileRecord;
  setImmediate(count);
  await Promise.all(paths.map((path) => several.examine(path, known)));
  isOver = true;
  const all = [...byTurn.values()].flatMap((cut) => [...cut]);
  assert.equal(new Set(all).size, 100, 'each was cut');
  assert.ok(
    [...byTurn.values()].every((cut) => cut.size === 1),
    'two files were cut in one turn',
  );
});
