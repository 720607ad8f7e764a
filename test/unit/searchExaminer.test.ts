import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { textHash } from '../../src/search/chunks.ts';
import { createExaminer, createExaminerThread, type Examiner, type IsPaid } from '../../src/search/examiner.ts';
import type { Known } from '../../src/search/files.ts';
import { temporaryFolder } from './searchFolder.ts';

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
function createBoth(t: TestContext, isPaid?: IsPaid): Record<'here' | 'thread', Examiner> {
  const root = temporaryFolder(t);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(root, name), content);
  const scope = { roots: [root], maxBytes: 1e6 };
  const data = { root, scope, generated: new Map(), trusted: true, sameChunker: true };
  const thread = createExaminerThread(data, isPaid);
  t.after(() => thread.close());
  return { here: createExaminer(data, isPaid), thread };
}

async function findAll(examiner: Examiner, known?: Known): Promise<unknown[]> {
  return Promise.all(names.map((name) => examiner.examine(name, known)));
}

test('a thread finds in files what is found without one', async (t) => {
  const { here, thread } = createBoth(t);
  const found = await findAll(thread);
  assert.deepEqual(found, await findAll(here));
  assert.equal(found.at(-1), 'missing');
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
  const { here, thread } = createBoth(t, (hash) => paid.has(hex(hash)));
  const found = await thread.examine('long.ts', undefined);
  assert.deepEqual(found, await here.examine('long.ts', undefined));
  assert.ok(typeof found === 'object' && typeof found.content === 'object');
  assert.deepEqual(
    found.content.chunks.map(({ text }) => text),
    before,
  );
  const known = { size: 0, mtimeMs: 0, hash: 'another' };
  assert.deepEqual(await findAll(thread, known), await findAll(here, known));
});

test('when the thread has ended, files are looked at all the same', async (t) => {
  const { here, thread } = createBoth(t);
  const asked = findAll(thread);
  await thread.close();
  const expected = await findAll(here);
  assert.deepEqual(await asked, expected);
  assert.deepEqual(await findAll(thread), expected);
});
