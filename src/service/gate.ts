import { ServiceError } from './errors.ts';
import { type Headers, readLimits, resetMs, retryAfterMs } from './rateLimits.ts';
import type { Clock } from './retry.ts';
import type { ServiceResponse } from './transport.ts';

/** The head of an answer, with the wait that was read elsewhere (from the words of an error) where there was one. */
export type Head = Pick<ServiceResponse, 'status' | 'headers'> & { retryAfterMs?: number | undefined };

/**
 * Lets requests to one service with one key go, or holds them while the service asks for fewer. All requests of that
 * origin and key share it, so that none runs into a limit another has just met.
 */
export interface Gate {
  /**
   * Resolves when a request may be sent, in the order of the calls. `onWait` is told before it waits, in milliseconds,
   * and again when the wait becomes longer.
   * @throws ServiceError `cancelled`
   */
  enter(id: string, signal: AbortSignal, onWait: ((waitMs: number) => void) | undefined): Promise<void>;
  /**
   * Takes in the head of an answer, good or bad. Call once for each `enter` that resolved; `undefined` when there was no
   * answer, or one that says nothing of the rate (the account has no quota left).
   */
  answered(id: string, head: Head | undefined): void;
}

export interface GateOptions {
  /**
   * Told when requests of this id wait, until when (milliseconds since the epoch), and `undefined` when they go again or
   * none waits any more.
   */
  onChange?: ((id: string, until: number | undefined) => void) | undefined;
}

/** Nothing is held back for longer: a request then goes, and its caller hears from the service how long it takes. */
export const longestHoldMs = 60_000;
/** Quiet ids whose limits are still remembered. */
const rememberedIds = 64;
/** This many good answers after a refusal, and requests go as freely as before. */
const fullWidth = 32;
const unbounded = Number.POSITIVE_INFINITY;
/** A shorter wait is over before anybody has read of it. When a wait of a second is told of, some of it has passed. */
const shortestAnnouncedMs = 500;

interface Waiter {
  go(): void;
  told: ((waitMs: number) => void) | undefined;
}

/** What the service said is left, until when, and the earliest time of the next request that keeps within it. */
interface Budget {
  left: number;
  resetAt: number;
  nextAt: number;
}

interface Lane {
  /** In the order in which they came. */
  readonly waiting: Set<Waiter>;
  /** Sent, and no head of an answer yet. */
  inFlight: number;
  /** Nobody goes before this time, because the service said so; 0 when it did not. */
  heldUntil: number;
  /** How many may be under way at once: 1 after a refusal, one more with each good answer, else unbounded. */
  width: number;
  /** Sent since the last refusal and not answered. Those sent before it say nothing of what the service takes now. */
  fresh: number;
  budget: Budget | undefined;
  lastSentAt: number;
  /** Tokens that were left at the last answer, and that one request took of them. */
  tokens: { remaining: number; each: number };
  /** Ends the one sleep until the next departure. */
  alarm: AbortController | undefined;
  announced: number | undefined;
}

/** @param clock the only source of time; no timer is left while nobody waits */
export function createGate(clock: Clock, options: GateOptions = {}): Gate {
  const lanes = new Map<string, Lane>();

  function laneOf(id: string): Lane {
    const lane = lanes.get(id) ?? emptyLane();
    // The least recently used stands first.
    lanes.delete(id);
    lanes.set(id, lane);
    for (const [other, { waiting, inFlight }] of lanes) {
      if (lanes.size <= rememberedIds) break;
      if (other !== id && waiting.size === 0 && inFlight === 0) lanes.delete(other);
    }
    return lane;
  }

  function announce(id: string, lane: Lane, until: number | undefined): void {
    if (lane.announced === until) return;
    lane.announced = until;
    options.onChange?.(id, until);
  }

  /** Lets go whom it may, and sleeps until it may let go the next. */
  function pump(id: string, lane: Lane, now: number): void {
    lane.alarm?.abort();
    lane.alarm = undefined;
    expire(lane, now);
    let until = 0;
    for (const waiter of lane.waiting) {
      if (lane.fresh >= lane.width) break;
      until = opensAt(lane);
      if (until > now) {
        void sleepUntil(id, lane, until, now);
        break;
      }
      depart(lane, waiter, now);
    }
    announce(id, lane, until - now >= shortestAnnouncedMs ? until : undefined);
  }

  async function sleepUntil(id: string, lane: Lane, until: number, now: number): Promise<void> {
    const alarm = new AbortController();
    lane.alarm = alarm;
    await clock.sleep(until - now, alarm.signal);
    // What was slept has passed, even where the clock of the machine says otherwise.
    if (!alarm.signal.aborted) pump(id, lane, Math.max(until, clock.now()));
  }

  return {
    enter(id, signal, onWait) {
      if (signal.aborted) return Promise.reject(new ServiceError('cancelled'));
      const lane = laneOf(id);
      return new Promise((resolve, reject) => {
        const leave = (): void => {
          lane.waiting.delete(waiter);
          pump(id, lane, clock.now());
          reject(new ServiceError('cancelled'));
        };
        const waiter: Waiter = {
          go: () => {
            signal.removeEventListener('abort', leave);
            resolve();
          },
          told: onWait,
        };
        signal.addEventListener('abort', leave, { once: true });
        lane.waiting.add(waiter);
        const now = clock.now();
        pump(id, lane, now);
        if (lane.waiting.has(waiter)) tell([waiter], opensAt(lane) - now);
      });
    },
    answered(id, head) {
      const lane = lanes.get(id);
      if (lane === undefined) return;
      const now = clock.now();
      lane.inFlight = Math.max(0, lane.inFlight - 1);
      lane.fresh = Math.max(0, lane.fresh - 1);
      const asked = head && refusalWait(head, now);
      if (asked !== undefined) {
        hold(lane, now, asked);
        tell(lane.waiting, lane.heldUntil - now);
      } else if (head !== undefined) {
        if (head.status < 500 && now >= lane.heldUntil)
          lane.width = lane.width < fullWidth ? lane.width + 1 : unbounded;
        lane.budget = budgetOf(lane, head.headers, now);
      }
      pump(id, lane, now);
    },
  };
}

const emptyLane = (): Lane => ({
  waiting: new Set(),
  inFlight: 0,
  heldUntil: 0,
  width: unbounded,
  fresh: 0,
  budget: undefined,
  lastSentAt: 0,
  tokens: { remaining: 0, each: 1 },
  alarm: undefined,
  announced: undefined,
});

function tell(waiters: Iterable<Waiter>, waitMs: number): void {
  if (waitMs > 0) for (const waiter of waiters) waiter.told?.(waitMs);
}

/** Whether an answer of this status, when it says how long, asks all to wait. */
export function isHeldAtGate(status: number | undefined): boolean {
  return status === 429 || status === 503 || status === 529;
}

/** How long an answer asks all to wait, 0 when it only asks for fewer; undefined when it is no such answer. */
function refusalWait({ status, headers, retryAfterMs: known }: Head, now: number): number | undefined {
  if (!isHeldAtGate(status)) return undefined;
  const asked = retryAfterMs(headers, now) ?? known;
  return status === 429 ? (asked ?? resetMs(headers, now) ?? 0) : asked;
}

function hold(lane: Lane, now: number, waitMs: number): void {
  if (waitMs <= longestHoldMs) lane.heldUntil = Math.max(lane.heldUntil, now + waitMs);
  lane.width = 1;
  lane.fresh = 0;
  lane.budget = undefined;
}

/** Forgets what is over, and what lies further away than any hold: the clock of the machine was set back. */
function expire(lane: Lane, now: number): void {
  const isOver = (time: number): boolean => time <= now || time > now + longestHoldMs;
  if (isOver(lane.heldUntil)) lane.heldUntil = 0;
  if (lane.budget !== undefined && isOver(lane.budget.resetAt)) lane.budget = undefined;
}

/** When the next may go, as far as it is a matter of time. */
function opensAt({ heldUntil, budget, waiting, inFlight }: Lane): number {
  if (budget === undefined || budget.left >= waiting.size + inFlight) return heldUntil;
  return Math.max(heldUntil, budget.left < 1 ? budget.resetAt : budget.nextAt);
}

function depart(lane: Lane, waiter: Waiter, now: number): void {
  lane.inFlight += 1;
  lane.fresh += 1;
  lane.lastSentAt = now;
  if (lane.budget !== undefined) {
    lane.budget.nextAt = now + (lane.budget.resetAt - now) / Math.max(1, lane.budget.left);
    lane.budget.left -= 1;
  }
  lane.waiting.delete(waiter);
  waiter.go();
}

/**
 * What is left, so that requests slow down before the limit refuses them. Requests under way may or may not be counted
 * in it yet; they are taken as not counted, and each answer corrects that. A limit that is whole again only after the
 * longest hold (that of a day) is left to the service to enforce.
 */
function budgetOf(lane: Lane, headers: Headers, now: number): Budget | undefined {
  const { requests, tokens } = readLimits(headers, now);
  const found: { left: number; resetMs: number }[] = [];
  if (requests !== undefined) found.push({ left: requests.remaining, resetMs: requests.resetMs });
  if (tokens !== undefined) {
    const used = lane.tokens.remaining - tokens.remaining;
    const each = used > 0 ? used : lane.tokens.each;
    lane.tokens = { remaining: tokens.remaining, each };
    // The next request may be a small one: alone it is tried as long as there is anything left.
    const left = Math.max(Math.min(1, tokens.remaining), Math.floor(tokens.remaining / each));
    found.push({ left, resetMs: tokens.resetMs });
  }
  const [tightest] = found
    .filter((limit) => limit.resetMs > 0 && limit.resetMs <= longestHoldMs)
    .sort((a, b) => a.left - b.left || b.resetMs - a.resetMs);
  if (tightest === undefined) return undefined;
  const left = tightest.left - lane.inFlight;
  return { left, resetAt: now + tightest.resetMs, nextAt: lane.lastSentAt + tightest.resetMs / Math.max(1, left) };
}
