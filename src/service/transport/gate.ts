import type { Clock } from '../../base/clock.ts';
import { ServiceError } from '../../base/errors.ts';
import { type Headers, readLimits, resetMs, retryAfterMs } from '../errors/rateLimits.ts';
import type { ServiceResponse } from '../request.ts';

/** The head of an answer, with the wait that was read elsewhere (from the words of an error) where there was one. */
export type Head = Pick<ServiceResponse, 'status' | 'headers'> & { retryAfterMs?: number | undefined };

/**
 * Lets requests to one service with one key go, or holds them while the service asks for fewer. All requests of that
 * origin and key share it, so that none runs into a rate limit another has just met.
 */
export interface Gate {
  /**
   * Resolves when a request may be sent, in the order of the calls, with the callback that takes in its answer. `onWait` is
   * told before it waits, in milliseconds, and again when the wait becomes longer.
   * @throws ServiceError `cancelled`
   */
  enter(id: string, signal: AbortSignal, onWait: ((waitMs: number) => void) | undefined): Promise<Answered>;
}

/**
 * Takes in the head of the answer to one request, good or bad; called once. `undefined` when there was no answer, or one that
 * says nothing of the rate (the account has no quota left).
 */
export type Answered = (head: Head | undefined) => void;

export interface GateOptions {
  /**
   * Called when requests of this id wait, with the time until when (milliseconds since the epoch), and `undefined` when they go again or
   * none waits any more.
   */
  onChange?: ((id: string, until: number | undefined) => void) | undefined;
}

/** The longest hold: after it a request goes, and its caller hears from the service how long the wait is. */
export const longestHoldMs = 60_000;
/** Idle lanes whose limits are still remembered. */
const rememberedIds = 64;
/** Good answers after a refusal until requests go as freely as before. */
const fullWidth = 32;
const unbounded = Number.POSITIVE_INFINITY;
/**
 * Waits shorter than this are not shown: they end before the user has read the message. It is below a second, because
 * part of a wait of one second has passed by the time it is shown.
 */
const shortestAnnouncedMs = 500;

interface Waiter {
  /** @param epoch of the lane when the request goes */
  go(epoch: number): void;
  onWait: ((waitMs: number) => void) | undefined;
}

/** The requests that the service said are left, when that resets, and the earliest time of the next request within it. */
interface Budget {
  left: number;
  resetAt: number;
  nextAt: number;
}

interface Lane {
  /** Requests in the order in which they came. */
  readonly waiting: Set<Waiter>;
  /** Requests that were sent and have no head of an answer yet. */
  inFlight: number;
  /** No request goes before this time, because the service said so; 0 when it did not. */
  heldUntil: number;
  /** The most requests under way at once: 1 after a refusal, one more with each good answer, else unbounded. */
  width: number;
  /** Counts how often the service asked for fewer. Answers to an earlier epoch's requests say nothing of what it takes now. */
  epoch: number;
  /** Requests of this epoch that have no head of an answer yet. */
  fresh: number;
  budget: Budget | undefined;
  lastSentAt: number;
  /** Tokens that were left at the last answer, and tokens that one request took. */
  tokens: { remaining: number; each: number };
  /** Ends the one sleep until the next departure. */
  alarm: AbortController | undefined;
  announced: number | undefined;
}

/** @param clock the only source of time; no timer is left while no request waits */
export function createGate(clock: Clock, options: GateOptions = {}): Gate {
  const lanes = new Map<string, Lane>();

  function useLane(id: string): Lane {
    const lane = lanes.get(id) ?? emptyLane();
    // The least recently used lane stands first.
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

  /** Lets the requests go that may, and sleeps until the next may. */
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
    // The time slept has passed, even where the clock of the machine says otherwise.
    if (!alarm.signal.aborted) pump(id, lane, Math.max(until, clock.now()));
  }

  function answered(id: string, lane: Lane, epoch: number, head: Head | undefined): void {
    const now = clock.now();
    const isFresh = epoch === lane.epoch;
    lane.inFlight -= 1;
    if (isFresh) lane.fresh -= 1;
    const asked = head && refusalWait(head, now);
    if (asked !== undefined) {
      if (isFresh) narrow(lane);
      if (asked <= longestHoldMs) lane.heldUntil = Math.max(lane.heldUntil, now + asked);
      tell(lane.waiting, lane.heldUntil - now);
    } else if (head !== undefined && isFresh) {
      if (head.status < 500 && now >= lane.heldUntil) lane.width = lane.width < fullWidth ? lane.width + 1 : unbounded;
      lane.budget = budgetOf(lane, head.headers, now);
    }
    pump(id, lane, now);
  }

  return {
    enter(id, signal, onWait) {
      if (signal.aborted) return Promise.reject(new ServiceError('cancelled'));
      const lane = useLane(id);
      return new Promise((resolve, reject) => {
        const leave = (): void => {
          lane.waiting.delete(waiter);
          pump(id, lane, clock.now());
          reject(new ServiceError('cancelled'));
        };
        const waiter: Waiter = {
          go: (epoch) => {
            signal.removeEventListener('abort', leave);
            resolve((head) => answered(id, lane, epoch, head));
          },
          onWait,
        };
        signal.addEventListener('abort', leave, { once: true });
        lane.waiting.add(waiter);
        const now = clock.now();
        pump(id, lane, now);
        if (lane.waiting.has(waiter)) tell([waiter], opensAt(lane) - now);
      });
    },
  };
}

const emptyLane = (): Lane => ({
  waiting: new Set(),
  inFlight: 0,
  heldUntil: 0,
  width: unbounded,
  epoch: 0,
  fresh: 0,
  budget: undefined,
  lastSentAt: 0,
  tokens: { remaining: 0, each: 1 },
  alarm: undefined,
  announced: undefined,
});

function tell(waiters: Iterable<Waiter>, waitMs: number): void {
  if (waitMs > 0) for (const waiter of waiters) waiter.onWait?.(waitMs);
}

/** Whether an answer of this status, when it says how long, asks all requests to wait. */
export function isHeldAtGate(status: number | undefined): boolean {
  return status === 429 || status === 503 || status === 529;
}

/** How long an answer asks all requests to wait, 0 when it only asks for fewer; undefined when it asks for neither. */
function refusalWait({ status, headers, retryAfterMs: known }: Head, now: number): number | undefined {
  if (!isHeldAtGate(status)) return undefined;
  const asked = retryAfterMs(headers, now) ?? known;
  return status === 429 ? (asked ?? resetMs(headers, now) ?? 0) : asked;
}

/** Lets one request go at a time after a refusal, until it got through. */
function narrow(lane: Lane): void {
  lane.epoch += 1;
  lane.width = 1;
  lane.fresh = 0;
  lane.budget = undefined;
}

/** Forgets limits that are over, and those further away than any hold: the clock of the machine was set back. */
function expire(lane: Lane, now: number): void {
  const isOver = (time: number): boolean => time <= now || time > now + longestHoldMs;
  if (isOver(lane.heldUntil)) lane.heldUntil = 0;
  if (lane.budget !== undefined && isOver(lane.budget.resetAt)) lane.budget = undefined;
}

/** The earliest time at which the next request may go. */
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
  waiter.go(lane.epoch);
}

/**
 * The budget that is left, so that requests slow down before the rate limit refuses them. Requests under way may or may
 * not be counted in it yet; they are taken as not counted, and each answer corrects that. A limit that resets only after the
 * longest hold (that of a day) is left to the service to enforce.
 */
function budgetOf(lane: Lane, headers: Headers, now: number): Budget | undefined {
  const { requests, tokens } = readLimits(headers, now);
  const found: { left: number; resetMs: number }[] = [];
  if (requests?.resetMs !== undefined) found.push({ left: requests.remaining, resetMs: requests.resetMs });
  if (tokens?.resetMs !== undefined) {
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
