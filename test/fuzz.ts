/**
 * `npm run fuzz -- [COUNT] [SEED]`: the property tests of the client with COUNT inputs (a million), spread over the
 * properties as in `npm test`. Each runs in a process of its own, two at a time. Exits with 1 when one failed.
 */
import { properties } from './properties/service.ts';
import { heapBound, watch } from './properties/watch.ts';

const count = Number(process.argv[2] ?? 1_000_000);
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000_000);
const start = performance.now();
const seconds = () => Math.round((performance.now() - start) / 1000);

const all = Object.values(properties).reduce((sum, { runs }) => sum + runs, 0);
const waiting = Object.entries(properties).map(([name, { runs, cases }]) => ({
  name,
  runs: cases ? runs : Math.round((count * runs) / all),
  seed,
}));
const done = new Map<string, number>();
const failures: string[] = [];

console.error(`${count} inputs, seed ${seed}, heap bound ${heapBound} MiB`);
const ticker = setInterval(() => {
  const sum = [...done.values()].reduce((a, b) => a + b, 0);
  console.error(`${sum} of ${count} inputs, ${seconds()} s`);
}, 10_000);
await Promise.all([next(), next()]);
clearInterval(ticker);
for (const failure of failures) console.log(`\n${failure}`);
console.log(
  `${count} inputs in ${seconds()} s, ${failures.length} of ${Object.keys(properties).length} properties failed`,
);
process.exitCode = failures.length === 0 ? 0 : 1;

async function next(): Promise<void> {
  for (let work = waiting.shift(); work !== undefined; work = waiting.shift()) {
    const { name } = work;
    const failure = await watch(work, (inputs) => done.set(name, inputs));
    if (failure !== undefined) failures.push(failure);
  }
}
