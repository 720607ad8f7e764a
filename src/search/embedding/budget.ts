import type { Ledger } from './ledger.ts';

/** Tokens a service has read: by its own count where it gives one, and by an estimate while a request runs. */
export interface Spent {
  today: number;
  total: number;
}

/** Embedding cost by the service's origin, and its daily limit, shared by all windows. */
export interface Budget {
  spent(origin: string): Spent;
  /** Tokens that may still be sent today; undefined without a limit. */
  left(origin: string): number | undefined;
  /** Reserves the estimated tokens of a request; call the returned function with the actual count when it has ended. */
  send(origin: string, estimate: number): (tokens: number) => void;
}

/**
 * @param limit tokens a day; 0 is no limit
 * @param today the day, by the clock of this machine: `2026-11-21`
 */
export function createBudget(ledger: Ledger, limit: () => number, today: () => string): Budget {
  return {
    spent: (origin) => ({ today: ledger.spent(today(), origin), total: ledger.total(origin) }),
    left(origin) {
      const most = limit();
      return most > 0 ? Math.max(0, most - ledger.spent(today(), origin)) : undefined;
    },
    send(origin, estimate) {
      const day = today();
      ledger.add(day, origin, estimate);
      return (tokens) => ledger.add(day, origin, tokens - estimate);
    },
  };
}

/** The calendar day of a time, as budgets count days. */
export function dayOf(time: Date): string {
  return [time.getFullYear(), time.getMonth() + 1, time.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
}

/** Milliseconds until the next day begins. */
export function untilTomorrow(time: Date): number {
  return new Date(time.getFullYear(), time.getMonth(), time.getDate() + 1).getTime() - time.getTime();
}
