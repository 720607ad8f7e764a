import type { SampleArrays } from './sampleArrays.ts';

/** How a channel's samples are told from those before: what is left over is written (RFC 9639, 4.3). */
export interface Prediction {
  order: number;
  /** Absent: the coefficients are those of the format for this order. */
  linear?: { coefficients: number[]; shift: number };
  /** What is left over, from sample `order` on. */
  residual: Int32Array;
}

/** Bits of a quantised coefficient, its sign included. */
export const coefficientBits = 14;
/** Samples that a linear prediction looks back at. More gains little for speech, and takes as much longer. */
const linearOrder = 8;
const mostShift = 15;
/** What is left over has to fit 32 bits. */
const mostLeft = 2 ** 31 - 1;

/**
 * The differences of order 0 to 4 that leave the least: a channel that goes on as it did leaves little. Told by their sum, as what each
 * takes when it is written would be five times the work, and is hardly ever another.
 */
export function fixedPrediction(samples: Int32Array, arrays: SampleArrays): Prediction {
  let found: Prediction = { order: 0, residual: samples };
  let least = sumOf(samples);
  let before = samples;
  for (let order = 1; order <= 4 && order < samples.length; order++) {
    const residual = arrays.take(before.length - 1);
    let sum = 0;
    for (let i = 0; i < residual.length; i++) {
      const left = (before[i + 1] as number) - (before[i] as number);
      if (Math.abs(left) > mostLeft) return found;
      residual[i] = left;
      sum += Math.abs(left);
    }
    if (sum < least) [found, least] = [{ order, residual }, sum];
    before = residual;
  }
  return found;
}

function sumOf(samples: Int32Array): number {
  let sum = 0;
  for (let i = 0; i < samples.length; i++) sum += Math.abs(samples[i] as number);
  return sum;
}

/** The prediction by the samples' own correlation (Levinson and Durbin); undefined where there is none, as for silence. */
export function linearPrediction(samples: Int32Array, arrays: SampleArrays): Prediction | undefined {
  if (samples.length < 4 * linearOrder) return undefined;
  const exact = coefficientsOf(correlation(samples, arrays));
  const largest = exact === undefined ? 0 : Math.max(...exact.map(Math.abs));
  if (exact === undefined || !(largest > 0)) return undefined;
  const room = coefficientBits - 1 - Math.ceil(Math.log2(largest + 1e-9));
  const shift = Math.max(0, Math.min(mostShift, room));
  const most = 2 ** (coefficientBits - 1) - 1;
  const coefficients: number[] = [];
  let error = 0;
  for (const each of exact) {
    // What rounding leaves of one is given to the next.
    error += each * 2 ** shift;
    const rounded = Math.max(-most - 1, Math.min(most, Math.round(error)));
    error -= rounded;
    coefficients.push(rounded);
  }
  const residual = arrays.take(samples.length - linearOrder);
  const scale = 2 ** shift;
  for (let i = linearOrder; i < samples.length; i++) {
    let sum = 0;
    for (let j = 0; j < linearOrder; j++) sum += (coefficients[j] as number) * (samples[i - 1 - j] as number);
    const left = (samples[i] as number) - Math.floor(sum / scale);
    if (Math.abs(left) > mostLeft) return undefined;
    residual[i - linearOrder] = left;
  }
  return { order: linearOrder, linear: { coefficients, shift }, residual };
}

/** How much the samples are like themselves, 0 to `linearOrder` samples later, the ends counting less (Welch's window). */
function correlation(samples: Int32Array, arrays: SampleArrays): Float64Array {
  const middle = (samples.length - 1) / 2;
  const weighed = arrays.takeExact(samples.length);
  for (let i = 0; i < weighed.length; i++) {
    weighed[i] = (samples[i] as number) * (1 - ((i - middle) / (middle + 1)) ** 2);
  }
  const found = new Float64Array(linearOrder + 1);
  // Three at once: a sum waits for the addition before it.
  for (let lag = 0; lag <= linearOrder; lag += 3) {
    let [first, second, third] = [0, 0, 0];
    for (let i = lag; i < weighed.length; i++) {
      const sample = weighed[i] as number;
      first += sample * (weighed[i - lag] as number);
      if (i > lag) second += sample * (weighed[i - lag - 1] as number);
      if (i > lag + 1) third += sample * (weighed[i - lag - 2] as number);
    }
    found.set([first, second, third], lag);
  }
  return found;
}

function coefficientsOf(correlation: Float64Array): number[] | undefined {
  let error = correlation[0] as number;
  if (!(error > 0)) return undefined;
  const found: number[] = [];
  for (let i = 0; i < linearOrder; i++) {
    let sum = correlation[i + 1] as number;
    for (let j = 0; j < i; j++) sum -= (found[j] as number) * (correlation[i - j] as number);
    const reflection = sum / error;
    const before = found.slice();
    for (let j = 0; j < i; j++) found[j] = (before[j] as number) - reflection * (before[i - 1 - j] as number);
    found[i] = reflection;
    error *= 1 - reflection * reflection;
    if (!(error > 0)) {
      while (found.length < linearOrder) found.push(0);
      return found.every(Number.isFinite) ? found : undefined;
    }
  }
  return found.every(Number.isFinite) ? found : undefined;
}
