import type { CancellationToken } from 'vscode';

/** Runs a task with a signal that fires when VS Code cancels it. */
export async function withSignal<T>(token: CancellationToken, task: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort();
  const listening = token.onCancellationRequested(() => controller.abort());
  try {
    return await task(controller.signal);
  } finally {
    listening.dispose();
  }
}
