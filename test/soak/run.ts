/** `npm run soak`: ten thousand requests, two hundred at once, a fifth of them with a fault. Ends with 1 when something holds. */
import { parseArgs } from 'node:util';
import { runSoak } from './soak.ts';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '10000' },
    'at-once': { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
  },
});
const requests = Number(values.requests);
const report = await runSoak({ requests, atOnce: Number(values['at-once']), seed: Number(values.seed) });

for (const [fault, outcomes] of [...report.outcomes].sort(([a], [b]) => a.localeCompare(b))) {
  const ends = [...outcomes].map(([kind, count]) => `${kind} ${count}`).join(', ');
  console.log(`${fault.padEnd(18)} ${ends}`);
}
const [early, late] = report.heap.map((bytes) => `${(bytes / 1e6).toFixed(1)} MB`);
console.log(`\n${requests} requests, ${values['at-once']} at once, in ${report.seconds.toFixed(1)} s`);
console.log(`heap after ${requests / 5} requests ${early}, after ${requests} ${late}`);
console.log(
  `left: ${Object.entries(report.left)
    .map(([what, count]) => `${count} ${what}`)
    .join(', ')}`,
);
for (const problem of report.problems) console.error(problem);
process.exitCode = report.problems.length === 0 ? 0 : 1;
