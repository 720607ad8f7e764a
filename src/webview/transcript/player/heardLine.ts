import type { LineList } from '../lines/lineList.ts';
import type { LineTimes } from '../lines/lineTimes.ts';
import type { PageContext } from '../pageContext.ts';
import type { Player } from './player.ts';

/** The line that is heard: the text follows the sound, and the sound goes where the reader goes. */
export interface HeardLine {
  /** Shows the line at a place of the recording, in seconds. */
  show(seconds: number): void;
  /** Keeps the line that is heard in sight, unless somebody is doing something with another one. */
  follow(): void;
  /** The user went to another place: who goes away from what is heard wants to read there. */
  stopFollowing(): void;
  /** Goes to a line with the keyboard, and with the sound. */
  goTo(line: number): void;
  stepLine(by: number): void;
}

export interface HeardParts {
  readonly player: Player;
  readonly list: LineList;
  readonly times: LineTimes;
  /** How many lines there are. */
  readonly count: number;
  /** Called when another line is heard. */
  readonly onMove: () => void;
}

export function createHeardLine({ post }: PageContext, { player, list, times, count, onMove }: HeardParts): HeardLine {
  function follow(): void {
    if (player.isFollowing && list.current !== undefined && !list.isInUse) list.follow(list.current);
  }

  function goTo(line: number): void {
    // What is heard comes first: going away from it would stop following.
    player.seek(times.spanOf(line)?.start ?? 0);
    list.focus(line, 'near');
  }

  return {
    show(seconds) {
      const heard = times.at(seconds);
      if (!list.setCurrent(heard)) return;
      if (heard !== undefined) post({ type: 'heard', segment: heard });
      follow();
      onMove();
    },
    follow,
    stopFollowing() {
      const isAway = list.current !== undefined && !list.isInSight(list.current);
      if (player.isFollowing && player.isPlaying && isAway) player.follow(false);
    },
    goTo,
    stepLine(by) {
      const from = list.hasFocus ? list.active : (list.current ?? list.active);
      goTo(Math.max(0, Math.min(from + by, count - 1)));
    },
  };
}
