import { type Disposable, env, l10n, StatusBarAlignment, window } from 'vscode';
import { Command } from '../ids.ts';
import { hostOfLane, originOfLane } from '../service/lane.ts';

/** Shows in the status bar until when requests wait because their service asks for fewer. */
export interface WaitStatus extends Disposable {
  /** `until` in milliseconds since the epoch; undefined: requests of this lane go again. */
  change(lane: string, until: number | undefined): void;
  /** Waits of this origin are shown elsewhere, and not here as well; undefined: none are. */
  leaveOut(origin: string | undefined): void;
}

export function createWaitStatus(): WaitStatus {
  const item = window.createStatusBarItem('parley.wait', StatusBarAlignment.Right);
  item.name = l10n.t('Parley: Waiting for a Service');
  item.command = Command.showLog;
  const waits = new Map<string, number>();
  let elsewhere: string | undefined;
  let timer: NodeJS.Timeout | undefined;

  function show(): void {
    clearTimeout(timer);
    // Nobody says so where a wait ends and no request is left.
    for (const [lane, until] of waits) if (until <= Date.now()) waits.delete(lane);
    const [longest] = [...waits].filter(([lane]) => originOfLane(lane) !== elsewhere).sort(([, a], [, b]) => b - a);
    if (longest === undefined) {
      item.hide();
      return;
    }
    const [lane, until] = longest;
    const time = new Intl.DateTimeFormat(env.language, { timeStyle: 'medium' }).format(until);
    item.text = `$(watch) ${l10n.t('Parley waits until {0}', time)}`;
    item.tooltip = l10n.t('{0} asks for fewer requests. Parley goes on by itself.', hostOfLane(lane));
    item.show();
    timer = setTimeout(show, Math.min(...waits.values()) - Date.now());
  }

  return {
    change(lane, until) {
      if (until === undefined) waits.delete(lane);
      else waits.set(lane, until);
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
