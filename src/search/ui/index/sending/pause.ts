import { untilTomorrow } from '../../../embedding/budget.ts';
import type { PausedBy } from '../../shared/state.ts';

/** Whether sending is paused, and by whom. */
export interface Pause {
  readonly by: PausedBy | undefined;
  /** Aborted when the next pause begins. */
  readonly signal: AbortSignal;
  /** Begins a pause, or ends it with undefined. One by the budget ends by itself on the next day. */
  set(by: PausedBy | undefined): void;
  dispose(): void;
}

export function createPause(onChange: () => void, onTomorrow: () => void): Pause {
  let pausedBy: PausedBy | undefined;
  let pausing = new AbortController();
  let timer: NodeJS.Timeout | undefined;

  function set(by: PausedBy | undefined): void {
    clearTimeout(timer);
    if (by === 'budget') {
      timer = setTimeout(() => {
        set(undefined);
        onTomorrow();
      }, untilTomorrow(new Date()));
    }
    pausedBy = by;
    if (by === undefined) pausing = new AbortController();
    else pausing.abort();
    onChange();
  }

  return {
    get by() {
      return pausedBy;
    },
    get signal() {
      return pausing.signal;
    },
    set,
    dispose: () => clearTimeout(timer),
  };
}
