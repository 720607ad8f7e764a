import { ProgressLocation } from 'vscode';
import { systemClock } from '../base/clock.ts';
import { window } from './text/window.ts';

/** A report of a long task: a text, and how far it is, 0 to 1, where that is known. */
export type Report = (message: string, fraction?: number) => void;

/** Runs a task with a notification that shows its progress and a Cancel button wired to the signal. */
export async function withProgress<T>(
  title: string,
  task: (signal: AbortSignal, report: Report) => Promise<T>,
): Promise<T> {
  return window.withProgress(
    { location: ProgressLocation.Notification, title, cancellable: true },
    async (progress, token) => {
      const controller = new AbortController();
      const listening = token.onCancellationRequested(() => controller.abort());
      let reached = 0;
      try {
        return await task(controller.signal, (message, fraction) => {
          const increment = fraction === undefined ? 0 : Math.max(0, fraction * 100 - reached);
          reached += increment;
          progress.report(fraction === undefined ? { message } : { message, increment });
        });
      } finally {
        listening.dispose();
      }
    },
  );
}

/** A task that takes longer, in milliseconds, gets a notification. */
const longTask = 1000;

/** Runs a task that is mostly short: the status bar names it, and once it takes long a notification with a Cancel button. */
export async function withLateProgress<T>(
  title: string,
  task: (signal: AbortSignal, report: Report) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  let reported: Parameters<Report> | undefined;
  let show: Report = (...now) => {
    reported = now;
  };
  const running = task(controller.signal, (...now) => show(...now));
  const patience = new AbortController();
  const ended = running.then(
    () => true,
    () => true,
  );
  const late = systemClock.sleep(longTask, patience.signal).then(() => false);
  const isShort = await window.withProgress({ location: ProgressLocation.Window, title }, () =>
    Promise.race([ended, late]),
  );
  patience.abort();
  if (isShort) return running;
  return withProgress(title, (signal, report) => {
    show = report;
    if (reported !== undefined) report(...reported);
    signal.addEventListener('abort', () => controller.abort());
    return running;
  });
}
