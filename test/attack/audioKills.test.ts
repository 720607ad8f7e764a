import assert from 'node:assert/strict';
import { lstatSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { type AudioFolder, audioFolder, hashOf, uploadsIn } from './audioFolder.ts';
import { sized } from './size.ts';

const kills = sized(20, 4);
const recordings = kills * 4;

/** The same moments in each run, as far as the machine lets them be. */
let seed = 20_261_122;
function random(): number {
  seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
  return seed / 2 ** 31;
}

test('a translation that is killed again and again uploads nothing twice that had reached the disk', async (t) => {
  const folder = await audioFolder(t);
  const paths = folder.record(...Array.from({ length: recordings }, (_, i) => `talk${i}.flac`));
  let killed = 0;
  const kept = new Set<string>();
  for (let time = 0; time <= kills; time++) {
    const before = folder.look();
    const first = folder.service.requests.length;
    const { wasKilled, came } = await translateAndKill(folder, paths, time < kills);
    if (wasKilled) killed++;
    const requests = folder.service.requests.slice(first);
    const sent = uploadsIn(requests);
    const { stored, damaged } = folder.look();
    assert.deepEqual(damaged, [], 'each file of the journal is whole');
    assert.deepEqual(
      sent.filter((hash) => before.stored.has(hash)),
      [],
      'what is on the disk is not sent again',
    );
    assert.deepEqual(
      sent.filter((hash) => kept.has(hash)),
      [],
      'what had come a turn before a kill is not sent again',
    );
    for (const path of came) kept.add(hashOf(path));
    assert.equal(new Set(sent).size, sent.length);
    assert.ok(
      [...before.stored].every((hash) => stored.has(hash)),
      'what was on the disk is still there',
    );
    // One after another: only the last answer may have been on its way to the disk.
    const answered = uploadsIn(requests.filter(({ status, aborted }) => status === 200 && !aborted));
    const lost = answered.filter((hash) => !stored.has(hash));
    assert.ok(lost.length <= 1, `${lost.length} answers were lost by one kill`);
  }
  assert.ok(killed >= kills / 2, `only ${killed} of ${kills} were killed in the middle`);
  const { stored } = folder.look();
  assert.deepEqual([...stored].toSorted(), paths.map(hashOf).toSorted());
  const all = uploadsIn(folder.service.requests).length;
  assert.ok(all <= recordings + killed, `${all} uploads`);
  const open = readdirSync(folder.journal, { recursive: true, withFileTypes: true }).filter((entry) => {
    const mode = lstatSync(join(entry.parentPath, entry.name)).mode & 0o777;
    return mode !== (entry.isDirectory() ? 0o700 : 0o600);
  });
  assert.deepEqual(open, [], 'others can read none of it, nor what a killed process left half written');
});

/** Translates what is left, with a kill at some moment of the work. Gives the recordings whose texts had come a turn before. */
async function translateAndKill(
  { service, open }: AudioFolder,
  paths: readonly string[],
  kill: boolean,
): Promise<{ wasKilled: boolean; came: readonly string[] }> {
  const until = service.requests.length + 1 + Math.floor(random() * 6);
  const delay = random() * 15;
  const window = open(paths);
  if (kill) {
    await Promise.race([service.waitForRequest(() => service.requests.length >= until), window.ended]);
    setTimeout(() => window.process.kill('SIGKILL'), delay);
  }
  const signal = await window.ended;
  // What a dead process had sent is still read.
  while ((await service.connections()) > 0) await new Promise((resolve) => setImmediate(resolve));
  assert.ok(signal === 'SIGKILL' || window.lines.includes('ends'), window.lines.join('\n'));
  const came = paths.filter((path) => window.lines.includes(`turned ${basename(path)}`));
  return { wasKilled: signal === 'SIGKILL', came };
}
