import type { Clock } from '../../base/clock.ts';

/** A piece of an answer, as plain data. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'thought'; readonly text: string }
  | { readonly kind: 'tool-call'; readonly id: string; readonly name: string; readonly input: object }
  | { readonly kind: 'usage'; readonly usage: object };

/** The receiver of pieces. */
export interface Outlet {
  report(piece: Piece): void;
  /** Resolves when VS Code's window has dealt with all that it was sent before; never rejects. */
  roundTrip(): Promise<void>;
}

/** Brings the pieces of an answer to VS Code. */
export interface Delivery {
  pass(piece: Piece): void;
  /** Passes on the pieces that still wait. */
  end(): void;
  /** Resolves when the asker has every piece, or no longer wants them. */
  settle(): Promise<void>;
}

/** Time for which pieces are held, in milliseconds: longer than the 30 ms that VS Code holds a piece after the latest one. */
const heldMs = 40;
/** The most pieces that VS Code sends in one batch. */
const batchSize = 30;
/** Round trips in which the last batches reach the asker: one for each batch that can be on its way, and one to spare. */
const lastTrips = 4;

/**
 * VS Code (1.139, `extHostLanguageModels`, `mainThreadLanguageModels`) holds pieces back, sends them to its window in
 * batches, and sends the next batch on to the asker only when that one has taken the former. An error overtakes all of it:
 * pieces that wait in either place are dropped. So an error has to wait until none does.
 *
 * A provider is not told that its pieces have come, but all messages between window and extension host go in order, so
 * every round trip of our own lets the asker take at least one batch. Pieces that come within 40 ms go as one, one batch
 * for each round trip: then only the last few can be on their way, and it is known how many round trips they need.
 *
 * The first piece goes at once. The cost: later ones come up to 40 ms later (VS Code alone holds up to 30 pieces for as
 * long as they come faster than every 30 ms, so most come sooner than they would), and an error that follows pieces comes
 * about 50 ms later. An asker in another extension host that is slower to reach than ours is the one case that is not held.
 */
export function createDelivery(outlet: Outlet, { sleep }: Pick<Clock, 'sleep'>, signal: AbortSignal): Delivery {
  let waiting: Piece[] = [];
  let running: Promise<void> | undefined;
  let hasReported = false;

  function flush(): number {
    const pieces = waiting;
    waiting = [];
    for (const piece of pieces) outlet.report(piece);
    hasReported ||= pieces.length > 0;
    return pieces.length;
  }

  async function trips(count: number): Promise<void> {
    for (let i = 0; i < count && !signal.aborted; i++) await outlet.roundTrip();
  }

  async function run(): Promise<void> {
    while (waiting.length > 0 && !signal.aborted) {
      const batches = 1 + Math.floor(flush() / batchSize);
      await Promise.all([sleep(heldMs, signal), trips(batches)]);
    }
    running = undefined;
  }

  return {
    pass(piece) {
      const last = waiting.at(-1);
      if (last?.kind === piece.kind && 'text' in last && 'text' in piece) {
        waiting[waiting.length - 1] = { ...last, text: last.text + piece.text };
      } else waiting.push(piece);
      running ??= run();
    },
    end: () => void flush(),
    async settle() {
      while (running !== undefined) await running;
      if (hasReported) await trips(lastTrips);
    },
  };
}
