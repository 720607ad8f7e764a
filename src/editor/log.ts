import { type LogOutputChannel, window } from 'vscode';
import { ServiceError } from '../service/errors.ts';

export type Log = LogOutputChannel;

export function createLog(): Log {
  return window.createOutputChannel('Parley', { log: true });
}

/** An error as one line of log: its data where it is ours, its name and code otherwise; bodies and stacks stay out. */
export function describeForLog(error: unknown): string {
  if (error instanceof ServiceError) return JSON.stringify(error);
  if (!(error instanceof Error)) return typeof error;
  const code = 'code' in error ? ` ${String(error.code)}` : '';
  return `${error.name}${code}: ${error.message}`;
}
