import { ProgressLocation, window } from 'vscode';

/** What a long task reports: a text, and how far it is, 0 to 1, where that is known. */
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
