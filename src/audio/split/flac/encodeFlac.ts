import { type BitWriter, createBitWriter } from './bitWriter.ts';
import { crc8, crc16, encodeNumber } from './flacFrame.ts';
import { coefficientBits, fixedPrediction, linearPrediction, type Prediction } from './predictors.ts';
import { createSampleArrays, type SampleArrays } from './sampleArrays.ts';

/** Samples of a frame, for each channel. */
export const flacBlock = 4_096;

/** What a FLAC has in its STREAMINFO. */
export interface FlacSound {
  channels: number;
  /** Bits of a sample, 4 to 24. */
  bits: number;
  /** Samples a second. */
  rate: number;
}

/** Encodes one frame after another, in memory that all of them use. */
export interface FlacEncoder {
  /**
   * Encodes samples as a frame of FLAC, without loss (RFC 9639, 9).
   * @param channels the samples of each channel, `flacBlock` of them, or fewer in the last frame
   * @param number of the frame, from 0
   * @returns bytes that are valid until the next frame
   */
  encode(channels: readonly Int32Array[], number: number): Uint8Array;
}

/** @param bits of a sample, 4 to 24 */
export function createFlacEncoder(bits: number): FlacEncoder {
  const writer = createBitWriter();
  const arrays = createSampleArrays();
  return {
    encode(channels, number) {
      const length = channels[0]?.length ?? 0;
      arrays.reuse();
      writer.clear();
      const { assignment, parts } = assign(channels, bits, arrays);
      // Length in the header, the rest as in STREAMINFO.
      for (const byte of [0xff, 0xf8, 0x70, assignment << 4, ...encodeNumber(number)]) writer.put(byte, 8);
      writer.put(length - 1, 16);
      writer.put(crc8(writer.bytes()), 8);
      for (const part of parts) writeChannel(writer, part);
      writer.align();
      writer.put(crc16(writer.bytes()), 16);
      return writer.bytes();
    },
  };
}

/** The STREAMINFO of what was encoded (RFC 9639, 8.2), but for what is counted while it is written. */
export function flacStreamInfo({ channels, bits, rate }: FlacSound): Buffer {
  const info = Buffer.alloc(34);
  info.writeUInt16BE(flacBlock, 0);
  info.writeUInt16BE(flacBlock, 2);
  info.writeUIntBE(rate * 16 + (channels - 1) * 2 + ((bits - 1) >> 4), 10, 3);
  info.writeUInt8(((bits - 1) & 15) << 4, 13);
  return info;
}

interface Part {
  samples: Int32Array;
  bits: number;
  prediction: Prediction;
  partition: Partition;
  /** In bits. */
  cost: number;
}

/**
 * Two channels that are alike are written as one and what the other differs by, if that is shorter: told by the predictions that
 * cost little, as those of the chosen ones are found by all.
 */
function assign(
  channels: readonly Int32Array[],
  bits: number,
  arrays: SampleArrays,
): { assignment: number; parts: Part[] } {
  const [left, right] = channels;
  const partOf = (samples: Int32Array, width = bits): Part => best(samples, width, [fixedPrediction(samples, arrays)]);
  let chosen = { assignment: channels.length - 1, parts: channels.map((samples) => partOf(samples)) };
  if (channels.length === 2 && left !== undefined && right !== undefined) {
    const [first, second] = chosen.parts as [Part, Part];
    const side = partOf(difference(left, right, arrays.take(left.length)), bits + 1);
    const ways = [
      chosen,
      { assignment: 8, parts: [first, side] },
      { assignment: 9, parts: [side, second] },
      { assignment: 10, parts: [partOf(mean(left, right, arrays.take(left.length))), side] },
    ];
    const cost = ({ parts }: { parts: Part[] }): number => parts.reduce((sum, part) => sum + part.cost, 0);
    chosen = ways.reduce((a, b) => (cost(b) < cost(a) ? b : a));
  }
  const parts = chosen.parts.map((part) => {
    const linear = linearPrediction(part.samples, arrays);
    return linear === undefined ? part : best(part.samples, part.bits, [part.prediction, linear]);
  });
  return { assignment: chosen.assignment, parts };
}

function difference(a: Int32Array, b: Int32Array, into: Int32Array): Int32Array {
  for (let i = 0; i < into.length; i++) into[i] = (a[i] as number) - (b[i] as number);
  return into;
}

function mean(a: Int32Array, b: Int32Array, into: Int32Array): Int32Array {
  for (let i = 0; i < into.length; i++) into[i] = ((a[i] as number) + (b[i] as number)) >> 1;
  return into;
}

function best(samples: Int32Array, bits: number, all: readonly Prediction[]): Part {
  const parts = all.map((prediction) => {
    const head = prediction.order * bits + (prediction.linear ? 9 + prediction.order * coefficientBits : 0);
    const partition = partitionOf(prediction, samples.length);
    return { samples, bits, prediction, partition, cost: head + partition.cost };
  });
  return parts.reduce((a, b) => (b.cost < a.cost ? b : a));
}

function writeChannel(writer: BitWriter, { samples, bits, prediction, partition, cost }: Part): void {
  const { order, linear } = prediction;
  if (samples.every((sample) => sample === samples[0])) {
    writer.put(0, 8);
    writer.put(samples[0] ?? 0, bits);
    return;
  }
  if (cost > samples.length * bits) {
    writer.put(0b00000010, 8);
    for (const sample of samples) writer.put(sample, bits);
    return;
  }
  writer.put((linear === undefined ? 0b001000 | order : 0b100000 | (order - 1)) << 1, 8);
  for (const sample of samples.subarray(0, order)) writer.put(sample, bits);
  if (linear !== undefined) {
    writer.put(coefficientBits - 1, 4);
    writer.put(linear.shift, 5);
    for (const coefficient of linear.coefficients) writer.put(coefficient, coefficientBits);
  }
  writeResidual(writer, prediction, partition, samples.length);
}

/** Rice parameters have five bits: what is left over of 24 bits may be large. */
const parameterBits = 5;
const mostParameter = 30;
const mostPartitions = 6;

interface Partition {
  /** The block is cut into 2 to the power of this. */
  order: number;
  parameters: number[];
  cost: number;
}

/** The parts of a block that are written with a Rice parameter of their own, as cheap as they come. */
function partitionOf({ order, residual }: Prediction, length: number): Partition {
  let most = 0;
  while (most < mostPartitions && length % 2 ** (most + 1) === 0 && length / 2 ** (most + 1) > order) most++;
  let sums = new Float64Array(2 ** most);
  const size = length / sums.length;
  for (let part = 0, at = 0; part < sums.length; part++) {
    const end = (part + 1) * size - order;
    let sum = 0;
    for (; at < end; at++) sum += folded(residual[at] as number);
    sums[part] = sum;
  }
  let found: Partition | undefined;
  for (let level = most; level >= 0; level--) {
    const samples = length / 2 ** level;
    let cost = 6;
    const parameters = Array.from(sums, (sum, part) => {
      const count = part === 0 ? samples - order : samples;
      const parameter = Math.max(
        0,
        Math.min(mostParameter, Math.ceil(Math.log2((sum / Math.max(1, count) + 1) * 0.7))),
      );
      cost += parameterBits + count * (parameter + 1) + sum / 2 ** parameter;
      return parameter;
    });
    if (found === undefined || cost < found.cost) found = { order: level, parameters, cost };
    sums = Float64Array.from(
      { length: sums.length / 2 },
      (_, i) => (sums[2 * i] as number) + (sums[2 * i + 1] as number),
    );
  }
  return found as Partition;
}

/** Whole numbers as those from 0 on: 0, -1, 1, -2, 2. */
const folded = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);

function writeResidual(writer: BitWriter, prediction: Prediction, partition: Partition, length: number): void {
  const { order, parameters } = partition;
  writer.put(1, 2);
  writer.put(order, 4);
  const size = length / parameters.length;
  let at = 0;
  for (const [part, parameter] of parameters.entries()) {
    writer.put(parameter, parameterBits);
    const end = (part + 1) * size - prediction.order;
    for (; at < end; at++) {
      const value = folded(prediction.residual[at] as number);
      writer.putUnary(value >>> parameter);
      writer.put(value, parameter);
    }
  }
}
