import type { ServiceResponse } from './transport.ts';

/**
 * Lets requests to one service with one key go, or holds them while the service asks for fewer. All requests of that
 * origin and key share it, so that none runs into a limit another has just met.
 */
export interface Gate {
  /**
   * Resolves when a request may be sent. `onWait` is told before it waits, in milliseconds.
   * @throws ServiceError `cancelled`
   */
  enter(id: string, signal: AbortSignal, onWait: ((waitMs: number) => void) | undefined): Promise<void>;
  /** Takes in the head of an answer, good or bad. Call once for each `enter`; `undefined` when there was no answer. */
  answered(id: string, head: Pick<ServiceResponse, 'status' | 'headers'> | undefined): void;
}
