import { join } from 'node:path';
import { ServiceError } from '../service/errors.ts';
import { estimateTokens } from '../service/tokens.ts';
import { embedAll } from './embedder.ts';
import type { Meant } from './engine.ts';
import type { PaidVectors } from './machineVectors.ts';
import { type IndexProgress, spaceKey, type VectorSource } from './protocol.ts';
import { storageReason } from './storage.ts';
import type { Store } from './store.ts';
import type { HashedVector } from './vectorFiles.ts';
import { inWindowTurn } from './windowTurn.ts';

type Report = (progress: IndexProgress) => void;

/** How the texts of an index without a vector get theirs. */
export interface Missing {
  /** Takes what was paid for on this machine before. */
  takePaid(source: VectorSource, signal: AbortSignal, files?: readonly number[]): Promise<void>;
  /** Asks the service for the rest, of all files or of these; gives how many texts were sent. */
  embedMissing(meant: Meant, signal: AbortSignal, report: Report, files?: readonly number[]): Promise<number>;
}

/** Vectors of one answer, the space they are for, and the name they are kept under for the whole machine. */
interface Answer {
  space: number;
  name: string | undefined;
  vectors: readonly HashedVector[];
}

/** How many texts are looked up at once among what was paid for. */
const paidAtOnce = 500;

/** @param directory of the index, whose windows take turns */
export function createMissing(directory: string, store: () => Store, paid: PaidVectors | undefined): Missing {
  /** What came back while the disk was full: it was paid for, so it waits here until there is room. */
  const homeless: Answer[] = [];

  async function takePaid(source: VectorSource, signal: AbortSignal, files?: readonly number[]): Promise<void> {
    const name = paidName(source);
    if (paid === undefined || name === undefined || !paid.knows(name)) return;
    const space = store().space(spaceKey(source));
    let hashes: Uint8Array[] = [];
    const take = async (): Promise<void> => {
      const found = paid.find(name, hashes);
      hashes = [];
      // The model may have given vectors of another length once: those of now, or the last.
      const length = store().dimensions(space) ?? found.at(-1)?.vector.length;
      store().putVectors(
        space,
        found.filter(({ vector }) => vector.length === length),
      );
      // A search may come in between.
      await new Promise((resolve) => setImmediate(resolve));
      if (signal.aborted) throw new ServiceError('cancelled');
    };
    for (const { hash } of store().itemsWithout(space, files)) if (hashes.push(hash) >= paidAtOnce) await take();
    await take();
  }

  /** Stores vectors, those first that found no room before. */
  function save(answer?: Answer): void {
    if (answer !== undefined) homeless.push(answer);
    for (let next = homeless[0]; next !== undefined; next = homeless[0]) {
      try {
        store().putVectors(next.space, next.vectors);
      } catch (error) {
        if (storageReason(error) === undefined) homeless.shift();
        throw error;
      }
      homeless.shift();
      if (next.name !== undefined) paid?.keep(next.name, next.vectors);
    }
  }

  async function embedMissing(
    meant: Meant,
    signal: AbortSignal,
    report: Report,
    files?: readonly number[],
  ): Promise<number> {
    const space = store().space(spaceKey(meant));
    const missing = (of = space): number => store().amountWithout(of, files).chunks;
    save();
    await takePaid(meant, signal, files);
    const ofChunks = missing();
    if (ofChunks === 0) return 0;
    const tell = (chunks: number): void => report({ phase: 'embedding', chunks, ofChunks });
    tell(0);
    // What was saved is little: it does not wait for another window's build.
    if (files !== undefined) return sendMissing(meant, space, signal, tell, files);
    const path = join(directory, 'turn.lock');
    const send = (to: number): Promise<number> => {
      const done = ofChunks - missing(to);
      return sendMissing(meant, to, signal, (sent) => tell(done + sent));
    };
    return inWindowTurn(
      path,
      signal,
      () => tell(ofChunks - missing()),
      () =>
        send(space).catch((error: unknown) => {
          const other = store().space(spaceKey(meant));
          const isOther = error instanceof ServiceError && error.hint === 'another length';
          // The length that comes is one of before, of which less is missing: the run goes on, and sends no more for it.
          if (!isOther || missing(other) >= missing()) throw error;
          return send(other);
        }),
    );
  }

  async function sendMissing(
    meant: Meant,
    space: number,
    signal: AbortSignal,
    tell: (sent: number) => void,
    files?: readonly number[],
  ): Promise<number> {
    const { documentPrefix = '', batchSize, learn } = meant;
    let { allowance } = meant;
    let sent = 0;
    // Twice: another window may put files anew meanwhile, whose chunks the first list does not have.
    for (let pass = 0; pass === 0 || (pass === 1 && sent > 0); pass++) {
      await embedAll(
        store().itemsWithout(space, files),
        {
          embed: (texts, stop) => {
            if (allowance !== undefined) allowance -= texts.reduce((sum, text) => sum + estimateTokens(text), 0);
            return meant.embed(
              texts.map((text) => documentPrefix + text),
              stop,
            );
          },
          batchSize,
          learn,
          allowance,
          now: () => performance.now(),
          save: (vectors) => {
            save({ space, name: paidName(meant), vectors });
            sent += vectors.length;
            tell(sent);
          },
        },
        signal,
      );
    }
    return sent;
  }

  return { takePaid, embedMissing };
}

/** The name under which vectors of a source are kept for the whole machine. */
function paidName(source: VectorSource): string | undefined {
  return source.origin === undefined ? undefined : `${source.origin}\n${spaceKey(source)}`;
}
