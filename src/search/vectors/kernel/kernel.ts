import { wasmBase64 } from './kernelModule.ts';
import { createPlainScans } from './plainScans.ts';

import type { Scans } from './scans.ts';

export interface Kernel extends Scans {
  readonly kind: 'simd' | 'plain';
  /** The kernel's memory. Its buffer is replaced by `grow`. */
  readonly memory: WebAssembly.Memory;
}

const pageBytes = 65_536;

/**
 * The kernel in WebAssembly with SIMD, or the same in plain JavaScript where SIMD is missing. Both count in whole numbers
 * and so give the same results.
 */
export function createKernel(kind: Kernel['kind'] = hasSimd() ? 'simd' : 'plain'): Kernel {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 65_536 });
  if (kind === 'plain') return { kind, memory, ...createPlainScans(memory) };
  const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes()), { host: { memory } });
  return { kind, memory, ...(instance.exports as unknown as Scans) };
}

/** Grows the memory to this size at least, by half as much again, since growing may copy. */
export function reserve(memory: WebAssembly.Memory, size: number): void {
  const has = memory.buffer.byteLength / pageBytes;
  const needs = Math.ceil(size / pageBytes);
  if (needs > has) memory.grow(Math.max(needs - has, Math.min(Math.ceil(has / 2), 65_536 - has)));
}

function bytes(): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(wasmBase64, 'base64'));
}

function hasSimd(): boolean {
  return typeof WebAssembly === 'object' && WebAssembly.validate(bytes());
}
