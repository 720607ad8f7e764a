import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { createKernel, type Kernel } from '../../../../src/search/vectors/kernel/kernel.ts';
import { sourceHash } from '../../../../src/search/vectors/kernel/kernelModule.ts';
import { quantiseQuery, queryPlanes, signBits } from '../../../../src/search/vectors/quantise.ts';
import { createRandom } from '../../../bench/search/vectors.ts';

const kernels = { simd: createKernel('simd'), plain: createKernel('plain') };

/** Runs the same in both kernels on the same memory, and gives what each left behind. */
function both<T>(bytes: Uint8Array, run: (kernel: Kernel) => T): [T, Buffer][] {
  return Object.values(kernels).map((kernel) => {
    const memory = new Uint8Array(kernel.memory.buffer);
    memory.fill(0).set(bytes);
    const result = run(kernel);
    return [result, Buffer.from(memory)];
  });
}

const bytesOf = (length: number): fc.Arbitrary<Uint8Array> => fc.uint8Array({ minLength: length, maxLength: length });
const out = 32_768;

describe('a query in four bits', () => {
  test('is the nearer by weight, the larger the sum of its numbers under the signs', () => {
    const random = createRandom(5);
    const query = quantiseQuery(Float32Array.from({ length: 200 }, () => random() - 0.5)).values;
    const planes = queryPlanes(query, 200);
    const stride = planes.length / 4;
    for (let row = 0; row < 50; row++) {
      const values = Int8Array.from({ length: 200 }, () => (random() < 0.5 ? -1 : 1));
      const bits = signBits(values, 200);
      let distance = 0;
      for (const [at, byte] of planes.entries()) {
        const differing = byte ^ (bits[at % stride] ?? 0);
        distance += (8 >> Math.floor(at / stride)) * differing.toString(2).replaceAll('0', '').length;
      }
      const sum = values.reduce((all, value, i) => all + value * (2 * (((query[i] ?? 0) + 2_048) >> 8) - 15), 0);
      assert.equal(2 * distance, 15 * 200 - sum);
    }
  });
});

describe('the vector kernel', () => {
  test('is the one its source in kernel.wat gives', () => {
    const source = readFileSync(join(import.meta.dirname, '../../../../src/search/vectors/kernel/kernel.wat'), 'utf8');
    assert.equal(sourceHash, createHash('sha256').update(source).digest('hex'));
  });

  test('counts the bits that differ, with SIMD as without', () => {
    const input = fc
      .tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 0, max: 30 }))
      .chain(([registers, count]) => fc.tuple(fc.constant(registers * 16), fc.constant(count), bytesOf(16 * 33 * 31)));
    fc.assert(
      fc.property(input, ([stride, count, bytes]) => {
        const [simd, plain] = both(bytes, (kernel) => kernel.hamming(stride, count, stride, 0, out));
        assert.deepEqual(simd, plain);
        const expected = Array.from({ length: count }, (_, row) => {
          let bits = 0;
          for (let i = 0; i < stride; i++) {
            const differing = (bytes[i] ?? 0) ^ (bytes[(row + 1) * stride + i] ?? 0);
            bits += differing.toString(2).replaceAll('0', '').length;
          }
          return bits;
        });
        assert.deepEqual([...new Uint16Array(kernels.simd.memory.buffer, out, count)], expected);
      }),
      { numRuns: 60, seed: 1 },
    );
  });

  test('weighs the bits of chosen rows by the four planes of a query, with SIMD as without', () => {
    const input = fc.tuple(
      fc.integer({ min: 1, max: 33 }),
      fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 20 }),
      bytesOf(16 * 33 * 14),
    );
    fc.assert(
      fc.property(input, ([registers, places, bytes]) => {
        const stride = registers * 16;
        const placesAt = 16 * 33 * 14;
        const [simd, plain] = both(bytes, (kernel) => {
          new Uint32Array(kernel.memory.buffer, placesAt, places.length).set(places);
          kernel.weigh(stride * 4, placesAt, places.length, stride, 0, out);
        });
        assert.deepEqual(simd, plain);
        const expected = places.map((place) => {
          let distance = 0;
          for (let plane = 0; plane < 4; plane++) {
            for (let i = 0; i < stride; i++) {
              const differing = (bytes[plane * stride + i] ?? 0) ^ (bytes[(4 + place) * stride + i] ?? 0);
              distance += (8 >> plane) * differing.toString(2).replaceAll('0', '').length;
            }
          }
          return distance;
        });
        assert.deepEqual([...new Uint16Array(kernels.simd.memory.buffer, out, places.length)], expected);
      }),
      { numRuns: 60, seed: 4 },
    );
  });

  test('multiplies the query with rows of signed bytes, with SIMD as without', () => {
    const input = fc.tuple(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 0, max: 20 }), bytesOf(8_192));
    fc.assert(
      fc.property(input, ([registers, count, bytes]) => {
        const stride = registers * 16;
        const [simd, plain] = both(bytes, (kernel) => kernel.dots(4_096, count, stride, 0, out));
        assert.deepEqual(simd, plain);
      }),
      { numRuns: 100, seed: 2 },
    );
  });

  test('collects the nearest that are allowed, and as many of the last distance as are asked for', () => {
    const input = fc.tuple(
      fc.array(fc.tuple(fc.integer({ min: 0, max: 40 }), fc.boolean()), { maxLength: 200 }),
      fc.integer({ min: 0, max: 40 }),
      fc.integer({ min: 0, max: 20 }),
    );
    fc.assert(
      fc.property(input, ([rows, limit, ties]) => {
        const bytes = new Uint8Array(1_024);
        new Uint16Array(bytes.buffer, 0, rows.length).set(rows.map(([distance]) => distance));
        bytes.set(
          rows.map(([, allowed]) => Number(allowed)),
          512,
        );
        const [simd, plain] = both(bytes, (kernel) => {
          kernel.tally(0, rows.length, 512, out);
          return kernel.collect(0, rows.length, limit, ties, out + 1_024);
        });
        assert.deepEqual(simd, plain);
        let left = ties;
        const expected = rows.flatMap(([distance, allowed], place) =>
          allowed && (distance < limit || (distance === limit && left-- > 0)) ? [place] : [],
        );
        const found = simd?.[0] ?? 0;
        assert.deepEqual([...new Uint32Array(kernels.simd.memory.buffer, out + 1_024, found)], expected);
      }),
      { numRuns: 200, seed: 3 },
    );
  });
});
