/**
 * `npm run bench -- NAME… FILE.json`: runs the benches named, all without a name, and writes their rows to the file or
 * prints them as a table. Exits with 1 only when a bench, or a part of one, could not run: whether a goal holds is what the rows say.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Row } from './row.ts';
import { toTable } from './table.ts';

/** A bench sets up what it needs, tells the person at the terminal by `tell`, and gives its rows. */
export type Bench = (tell: (text: string) => void) => Promise<Row[]>;

/** The table of contents. A bench is loaded only when it runs: each may need what others do not have. */
const benches: Readonly<Record<string, () => Promise<Bench>>> = {
  audio: async () => (await import('./audio/bench.ts')).benchAudio,
  client: async () => (await import('./client/bench.ts')).benchClient,
  edits: async () => (await import('./edits/bench.ts')).benchEdits,
  index: async () => (await import('./index/bench.ts')).benchIndex,
  languages: async () => (await import('./languages/bench.ts')).benchLanguages,
  panel: async () => (await import('./panel/bench.ts')).benchPanel,
  retrieval: async () => (await import('./retrieval/bench.ts')).benchRetrieval,
  search: async () => (await import('./search/bench.ts')).benchSearch,
  start: async () => (await import('./start/bench.ts')).benchStart,
  team: async () => (await import('./team/bench.ts')).benchTeam,
};

const head = ['metric', 'value', 'unit', 'peer', 'peer value', 'ratio', 'goal', 'holds'];

function cells(row: Row): string[] {
  const holds = row.holds === null ? '' : row.holds ? 'yes' : 'NO';
  return [`${row.bench}: ${row.metric}`, row.value, row.unit, row.peer, row.peerValue, row.ratio, row.goal, holds].map(
    (cell) => String(cell ?? ''),
  );
}

const args = process.argv.slice(2);
const file = args.find((arg) => arg.endsWith('.json'));
const named = args.filter((arg) => arg !== file);
const unknown = named.filter((name) => !Object.hasOwn(benches, name));
if (unknown.length > 0) {
  console.error(`No bench is called ${unknown.join(', ')}. There are: ${Object.keys(benches).join(', ')}.`);
  process.exit(1);
}

/** In a process of its own: what one bench leaves in memory is not to be measured by the next. */
async function runApart(name: string): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'));
  const path = join(folder, 'rows.json');
  try {
    const child = spawn(process.execPath, [import.meta.filename, name, path], { stdio: 'inherit' });
    const [code] = (await once(child, 'exit')) as [number | null];
    const written = await readFile(path, 'utf8').catch(() => undefined);
    if (written === undefined) throw new Error(`It ended with ${code}.`);
    // A part that could not be measured does not take the rows of the others along.
    if (code !== 0) process.exitCode = 1;
    return JSON.parse(written) as Row[];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const rows: Row[] = [];
const wanted = named.length > 0 ? named : Object.keys(benches);
for (const name of wanted) {
  try {
    if (wanted.length > 1) rows.push(...(await runApart(name)));
    else rows.push(...((await (await benches[name]?.())?.(console.log)) ?? []));
  } catch (error) {
    console.error(`The bench ${name} could not run:`, error);
    process.exitCode = 1;
  }
}
if (file === undefined) console.log(`\n${toTable(head, rows.map(cells))}\n`);
else {
  const path = resolve(process.env['INIT_CWD'] ?? '.', file);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${JSON.stringify(rows, null, 2)}\n`);
}
const goals = rows.filter((row) => row.holds !== null);
console.log(`${goals.filter((row) => row.holds).length} of ${goals.length} goals hold`);
