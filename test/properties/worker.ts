/** Checks one property in a process of its own, which can be ended from outside whatever the code under test does. */
import { setImmediate } from 'node:timers/promises';
import { check, properties } from './service.ts';

export interface Work {
  name: string;
  runs: number;
  seed: number;
}

/** Inputs between two signs of life. */
const batch = 500;

// Whoever watches has gone: nobody is interested any more.
process.once('disconnect', () => process.exit());

const { name, runs, seed } = JSON.parse(process.argv[2] ?? '{}') as Work;
const property = properties[name];
let failure: string | undefined;
for (let done = 0; property !== undefined && failure === undefined && done < runs; ) {
  const size = property.cases ? 1 : Math.min(batch, runs - done);
  failure = await check(property, size, seed + done);
  done += size;
  process.send?.(failure === undefined ? { done } : { failure });
  // The properties never wait for anything: without this no news from outside would come in.
  await setImmediate();
}
process.disconnect?.();
