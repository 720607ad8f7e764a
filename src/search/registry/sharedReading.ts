import { ServiceError } from '../../base/errors.ts';
import type { IndexProgress } from '../types.ts';

type Report = (progress: IndexProgress) => void;
/** Reads the files once. */
export type ReadFiles = (signal: AbortSignal, report: Report) => Promise<void>;

/** One reading of the files at a time, for all who need it. */
export interface SharedReading {
  /** Whether somebody waits for a reading; false for one behind the answers, and while there is none. */
  readonly isAwaited: boolean;
  /** Whether the files are being read. */
  readonly isRunning: boolean;
  /**
   * Waits for a reading: that which is going on, or a new one. It ends early when nobody waits for it any more.
   * @throws what the reading throws, and ServiceError `cancelled` as soon as the signal fires
   */
  wait(signal: AbortSignal, report: Report): Promise<void>;
  /** Begins one that nobody waits for, unless one is going on. Its errors are nobody's. */
  begin(): void;
  /** Stops what is going on, and resolves when it has ended. */
  stop(): Promise<void>;
}

interface Reading {
  readonly done: Promise<void>;
  readonly stop: AbortController;
  readonly reports: Set<Report>;
}

export function createSharedReading(read: ReadFiles): SharedReading {
  let reading: Reading | undefined;

  function start(): Reading {
    const stop = new AbortController();
    const reports = new Set<Report>();
    const done = read(stop.signal, (progress) => {
      for (const report of reports) report(progress);
    }).finally(() => {
      if (reading?.stop === stop) reading = undefined;
    });
    done.catch(() => undefined);
    reading = { done, stop, reports };
    return reading;
  }

  return {
    get isAwaited() {
      return reading !== undefined && reading.reports.size > 0;
    },
    get isRunning() {
      return reading !== undefined;
    },
    async wait(signal, report) {
      if (signal.aborted) throw new ServiceError('cancelled');
      const mine = reading ?? start();
      const own: Report = (progress) => report(progress);
      mine.reports.add(own);
      let cancel = (): void => undefined;
      const cancelled = new Promise<never>((_, reject) => {
        cancel = () => reject(new ServiceError('cancelled'));
      });
      signal.addEventListener('abort', cancel, { once: true });
      try {
        await Promise.race([mine.done, cancelled]);
      } finally {
        signal.removeEventListener('abort', cancel);
        mine.reports.delete(own);
        if (mine.reports.size === 0 && reading === mine) {
          // The next who needs one begins anew, and does not get the end of this.
          reading = undefined;
          mine.stop.abort();
        }
      }
    },
    begin() {
      if (reading === undefined) start();
    },
    async stop() {
      reading?.stop.abort();
      await reading?.done.catch(() => undefined);
    },
  };
}
