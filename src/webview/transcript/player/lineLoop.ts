import type { LineTimes } from '../lines/lineTimes.ts';

/** Plays one line again and again. */
export interface LineLoop {
  readonly isOn: boolean;
  /** @param seconds the place in the recording: the line that is heard there is the one to play again */
  toggle(seconds: number): void;
  /** Call it when the user went to another place, where there may be another line. */
  moved(seconds: number): void;
  /** Where to go on, in seconds, when the line has come to its end at this place; undefined while it has not. */
  nextAt(seconds: number): number | undefined;
}

/** A line that is shorter, in seconds, is played so long: nothing would be heard of it. */
const shortest = 0.3;

export function createLineLoop(times: LineTimes): LineLoop {
  let isOn = false;
  /** Undefined in a pause: then it is the next line that comes. */
  let line: number | undefined;

  return {
    get isOn() {
      return isOn;
    },
    toggle(seconds) {
      isOn = !isOn;
      line = times.at(seconds);
    },
    moved(seconds) {
      line = times.at(seconds);
    },
    nextAt(seconds) {
      if (!isOn) return undefined;
      line ??= times.at(seconds);
      const span = line === undefined ? undefined : times.spanOf(line);
      return span !== undefined && seconds >= Math.max(span.end, span.start + shortest) ? span.start : undefined;
    },
  };
}
