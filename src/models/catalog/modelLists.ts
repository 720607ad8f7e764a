import type { Clock } from '../../base/clock.ts';

/** Time for which a list is fresh, in milliseconds: VS Code asks for it again and again. */
const freshForMs = 60_000;
/** Time after a failure before the service is asked again, in milliseconds. */
const retryDelayMs = 5_000;

export interface KnownList<T> {
  readonly list: T;
  /** The reason why it is an older list. */
  readonly failure?: unknown;
}

export interface ListRequest<T> {
  /** Asks the service; called when there is no fresh list. */
  ask(): Promise<T>;
  /** Time for which an answer is waited for, in milliseconds. A later one is reported to `onLate`. */
  readonly patience: number;
  /** The list that is given where none ever came. */
  readonly otherwise?: T | undefined;
  /** The failure of an answer that is too late. */
  tooLate(): unknown;
}

/** Lists of models by address, each asked for once while it is fresh. When a service fails, its last list is still good. */
export interface ModelLists<T> {
  /** @throws why there is no list, where there is no older one, and nothing to be given otherwise */
  get(baseUrl: string, asking: ListRequest<T>): Promise<KnownList<T>>;
  /** Asks for new lists next time; the last ones stay known. */
  refresh(): void;
  /** Forgets all lists. */
  clear(): void;
}

interface Entry<T> {
  last?: { readonly list: T };
  goodUntil: number;
  failure?: { readonly reason: unknown; readonly until: number };
  asked?: Asked<T>;
}

interface Asked<T> {
  readonly answer: Promise<T>;
  readonly at: number;
}

/** @param onLate told that a list has come after the wait for it had ended */
export function createModelLists<T>(clock: Pick<Clock, 'now' | 'sleep'>, onLate: () => void): ModelLists<T> {
  const entries = new Map<string, Entry<T>>();

  function start(entry: Entry<T>, ask: () => Promise<T>): Asked<T> {
    const asked = { answer: ask(), at: clock.now() };
    entry.asked = asked;
    const isLatest = (): boolean => {
      if (entry.asked !== asked) return false;
      delete entry.asked;
      return true;
    };
    asked.answer.then(
      (list) => {
        if (!isLatest()) return;
        entry.last = { list };
        entry.goodUntil = clock.now() + freshForMs;
        delete entry.failure;
      },
      (reason: unknown) => {
        if (isLatest()) entry.failure = { reason, until: clock.now() + retryDelayMs };
      },
    );
    return asked;
  }

  /** The answer, or the failure that stands for it. */
  async function answerWithin(
    { answer, at }: Asked<T>,
    { patience, tooLate }: ListRequest<T>,
  ): Promise<KnownList<T> | { reason: unknown }> {
    const over = new AbortController();
    const late = clock.sleep(Math.max(0, at + patience - clock.now()), over.signal).then(() => undefined);
    const settled = answer.then(
      (list) => ({ list }),
      (reason: unknown) => ({ reason }),
    );
    const found = await Promise.race([settled, late]);
    over.abort();
    if (found !== undefined) return found;
    answer.then(onLate, () => undefined);
    return { reason: tooLate() };
  }

  return {
    async get(baseUrl, asking) {
      const entry = entries.get(baseUrl) ?? { goodUntil: 0 };
      entries.set(baseUrl, entry);
      if (entry.last !== undefined && clock.now() < entry.goodUntil) return entry.last;
      const rests = entry.asked === undefined && entry.failure !== undefined && clock.now() < entry.failure.until;
      const found = rests ? entry.failure : await answerWithin(entry.asked ?? start(entry, asking.ask), asking);
      if (found !== undefined && 'list' in found) return found;
      const older = entry.last?.list ?? asking.otherwise;
      if (older === undefined) throw found?.reason;
      return { list: older, failure: found?.reason };
    },
    refresh() {
      for (const entry of entries.values()) {
        entry.goodUntil = 0;
        delete entry.failure;
        delete entry.asked;
      }
    },
    clear: () => entries.clear(),
  };
}
