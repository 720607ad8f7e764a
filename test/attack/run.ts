/**
 * `npm run attack`: every attack at its full size, bounded in time and memory. What passes a bound is ended, and counts as
 * failed. `npm test` runs the same files in a short form.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { ensureGit } from '../host/git.ts';
import { run } from '../host/processes.ts';
import { setUpHost } from '../host/setup.ts';
import { nodeTests } from '../nodeTests.ts';

/** For all attacks together, in minutes. */
const longest = 60;
/** Of all processes of one moment together, in bytes: a VS Code with its browser takes the most of it. */
const largest = 6e9;

process.env.PARLEY_ATTACK = 'full';
process.env.PARLEY_CHROMIUM = (await setUpHost()).chromium;
await ensureGit();

let most = 0;
setInterval(() => {
  most = Math.max(most, memoryOfChildren());
  if (most > largest) endAll(`All attacks together took ${gigabytes(most)}.`);
}, 500).unref();
setTimeout(() => endAll(`The attacks did not end within ${longest} minutes.`), longest * 60_000).unref();

const alone = await nodeTests('test/attack');
console.log(`in plain Node: ${alone.passed} passed, ${alone.failed} failed`);
if (alone.failed > 0) console.log(alone.output);
const windows = await run(process.execPath, ['test/host/attack.ts'], {
  onOutput: (text) => process.stdout.write(text),
});
const [, passed = 0, failed = 1] = (/(\d+) passed, (\d+) failed\s*$/.exec(windows.output) ?? []).map(Number);
console.log(`at most ${gigabytes(most)} at once`);
console.log(`${alone.passed + passed} passed, ${alone.failed + failed} failed`);
process.exit(alone.failed + failed === 0 ? 0 : 1);

function endAll(reason: string): never {
  console.error(reason);
  // Exiting ends what was started.
  process.exit(1);
}

/** The resident memory of all processes below this one, in bytes; nothing where the system has no /proc. */
function memoryOfChildren(): number {
  const parents = new Map<number, number>();
  for (const id of numbersIn('/proc')) {
    const parent = /\) \S (\d+)/.exec(read(`/proc/${id}/stat`))?.[1];
    if (parent !== undefined) parents.set(id, Number(parent));
  }
  const isBelow = (id: number | undefined): boolean =>
    id !== undefined && id > 1 && (id === process.pid || isBelow(parents.get(id)));
  const pages = [...parents.keys()].filter(isBelow).map((id) => Number(read(`/proc/${id}/statm`).split(' ')[1] ?? 0));
  return pages.reduce((sum, each) => sum + each, 0) * 4096;
}

function numbersIn(folder: string): number[] {
  try {
    return readdirSync(folder).map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // It has ended meanwhile.
    return '';
  }
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}
