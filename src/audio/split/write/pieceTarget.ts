import { Target } from 'mediabunny';
import type { PieceFile } from './pieceFile.ts';

/** Bytes that are gathered before they are written. */
const chunkSize = 256 * 1024;

/** Bytes that belong to one place of the file. */
interface Chunk {
  position: number;
  length: number;
  memory: Buffer;
}

/**
 * A file that mediabunny writes to. Its own target for streams makes several copies of each packet, of which there are half a
 * million in three hours; this one makes one. The methods are those that the library calls; its types leave them out.
 */
export class PieceTarget extends Target {
  readonly #file: PieceFile;
  /** What is to be written by the next flush. */
  #ready: Chunk[] = [];
  /** The end of the file, which still grows. */
  #tail: Chunk = newTail(0);

  constructor(file: PieceFile) {
    super();
    this.#file = file;
  }

  _start(): void {}

  _write(data: Uint8Array, position: number): void {
    for (let done = 0; done < data.length; ) {
      const at = position + done - this.#tail.position;
      if (at < 0) {
        // A length that is known by now, far before the end.
        const memory = Buffer.from(data.subarray(done, done - at));
        this.#ready.push({ position: position + done, length: memory.length, memory });
        done += memory.length;
      } else if (at < this.#tail.memory.length) {
        const part = data.subarray(done, done + this.#tail.memory.length - at);
        // What nothing is written to is zeros.
        if (at > this.#tail.length) this.#tail.memory.fill(0, this.#tail.length, at);
        this.#tail.memory.set(part, at);
        this.#tail.length = Math.max(this.#tail.length, at + part.length);
        done += part.length;
      } else {
        this.#tail.memory.fill(0, this.#tail.length);
        this.#ready.push({ ...this.#tail, length: chunkSize });
        this.#tail = newTail(this.#tail.position + chunkSize);
      }
    }
  }

  async _flush(): Promise<void> {
    for (let chunk = this.#ready.shift(); chunk !== undefined; chunk = this.#ready.shift()) {
      await this.#file.writeAt(chunk.memory.subarray(0, chunk.length), chunk.position);
    }
  }

  async _finalize(): Promise<void> {
    this.#ready.push(this.#tail);
    await this._flush();
  }

  async _close(): Promise<void> {}
}

const newTail = (position: number): Chunk => ({ position, length: 0, memory: Buffer.allocUnsafe(chunkSize) });
