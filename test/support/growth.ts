/**
 * Whether work grows with its input and no faster, told without a limit in seconds: two runs are compared, of which one has
 * four times the input. Linear work takes four times as long, quadratic work sixteen times.
 */
import assert from 'node:assert/strict';

/** What no linear work reaches and all quadratic work passes, of four times the input. */
const limit = 10;
/**
 * What else the machine does only ever makes a run longer, so the shortest large run is the truest. Of the small runs the usual one
 * counts: garbage is collected in every large run, and now and then in none of a small one.
 */
const rounds = 12;
const leastRounds = 3;

/**
 * Fails when `work` takes far more than four times the processor time for four times the size.
 * @param size of the smaller input; a size at which the work takes some milliseconds
 */
export async function assertGrowsNoFaster(
  work: (size: number) => unknown,
  size: number,
  what = 'The work',
): Promise<void> {
  const smalls: number[] = [];
  let [small, large] = [0, Number.POSITIVE_INFINITY];
  // The first round only compiles.
  for (let round = 0; round <= rounds; round++) {
    const times = [await timeOf(() => work(size)), await timeOf(() => work(4 * size))] as const;
    if (round === 0) continue;
    smalls.push(times[0]);
    small = smalls.sort((a, b) => a - b)[(smalls.length - 1) >> 1] ?? 0;
    large = Math.min(large, times[1]);
    if (round >= leastRounds && large < limit * Math.max(small, 1)) return;
  }
  assert.fail(`${what} takes ${large.toFixed(1)} ms for four times the input that takes ${small.toFixed(1)} ms.`);
}

/** Milliseconds of processor time of this process; what other processes take does not count. */
async function timeOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
