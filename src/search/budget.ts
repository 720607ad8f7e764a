import type { Store } from '../service/fieldMemory.ts';

/** Tokens that a service was asked to read, by its own count where it gives one. */
export interface Spent {
  today: number;
  total: number;
}

/** What embedding costs, by the service's origin, and the daily limit to it. Kept by VS Code for all windows. */
export interface Budget {
  spent(origin: string): Spent;
  /** Tokens that may still be sent today, those on their way taken off; undefined without a limit. */
  left(origin: string): number | undefined;
  /** A request of about so many tokens is on its way; call what is given with the count when it has ended. */
  send(origin: string, estimate: number): (tokens: number) => void;
}

interface Kept extends Spent {
  /** `2026-11-21`, by the clock of this machine. */
  day: string;
}

const key = 'search.spent';

/**
 * @param limit tokens a day; 0 is no limit
 * @param today the day, by the clock of this machine
 */
export function createBudget(store: Store, limit: () => number, today: () => string): Budget {
  const open = new Map<string, number>();
  const readAll = (): Record<string, Kept> => (store.get(key) ?? {}) as Record<string, Kept>;

  function spent(origin: string): Spent {
    const kept = readAll()[origin];
    return { today: kept?.day === today() ? kept.today : 0, total: kept?.total ?? 0 };
  }

  const change = (origin: string, by: number): unknown => open.set(origin, (open.get(origin) ?? 0) + by);

  return {
    spent,
    left(origin) {
      const most = limit();
      return most > 0 ? Math.max(0, most - spent(origin).today - (open.get(origin) ?? 0)) : undefined;
    },
    send(origin, estimate) {
      change(origin, estimate);
      return (tokens) => {
        change(origin, -estimate);
        if (tokens === 0) return;
        const before = spent(origin);
        const kept: Kept = { day: today(), today: before.today + tokens, total: before.total + tokens };
        store.set(key, { ...readAll(), [origin]: kept });
      };
    },
  };
}

/** The day of a time, as a budget counts days. */
export function dayOf(time: Date): string {
  return [time.getFullYear(), time.getMonth() + 1, time.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
}

/** Milliseconds until the next day begins. */
export function untilTomorrow(time: Date): number {
  return new Date(time.getFullYear(), time.getMonth(), time.getDate() + 1).getTime() - time.getTime();
}
