import { type Disposable, l10n, StatusBarAlignment } from 'vscode';
import { Command } from '../../ids/ids.ts';
import { timeText } from '../sentences/formatUnits.ts';
import { plain, withIcon } from '../text/plainText.ts';
import { window } from '../text/window.ts';

/** Shows in the status bar until when requests wait because their service asks for fewer. */
export interface WaitStatus extends Disposable {
  /**
   * @param lane the requests that share a rate limit: an origin and a key
   * @param until in milliseconds since the epoch; undefined: requests of this lane go again
   */
  change(lane: string, origin: string, until: number | undefined): void;
  /** Leaves out the waits of this origin, which are shown elsewhere; undefined: none are. */
  leaveOut(origin: string | undefined): void;
}

export function createWaitStatus(): WaitStatus {
  const item = window.createStatusBarItem('parley.wait', StatusBarAlignment.Right);
  item.name = plain(l10n.t('Parley: Waiting for a Service'));
  item.command = Command.showLog;
  /** Waits by lane. */
  const waits = new Map<string, { origin: string; until: number }>();
  let elsewhere: string | undefined;
  let timer: NodeJS.Timeout | undefined;

  function show(): void {
    clearTimeout(timer);
    // Waits whose time has passed are removed, whether their end was reported or not.
    for (const [lane, { until }] of waits) if (until <= Date.now()) waits.delete(lane);
    const all = [...waits.values()];
    const [longest] = all.filter(({ origin }) => origin !== elsewhere).sort((a, b) => b.until - a.until);
    if (longest === undefined) {
      item.hide();
      return;
    }
    const { origin, until } = longest;
    item.text = withIcon('watch', l10n.t('Parley waits until {0}', timeText(until)));
    item.tooltip = plain(l10n.t('{0} asks for fewer requests. Parley goes on by itself.', new URL(origin).host));
    item.show();
    timer = setTimeout(show, Math.min(...all.map((each) => each.until)) - Date.now());
  }

  return {
    change(lane, origin, until) {
      if (until === undefined) waits.delete(lane);
      else waits.set(lane, { origin, until });
      show();
    },
    leaveOut(origin) {
      if (elsewhere === origin) return;
      elsewhere = origin;
      show();
    },
    dispose() {
      clearTimeout(timer);
      item.dispose();
    },
  };
}
