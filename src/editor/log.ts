import type { LogOutputChannel } from 'vscode';
import { ServiceError } from '../base/errors.ts';
import { showUnseen } from './text/plainText.ts';
import { window } from './text/window.ts';

export type Log = LogOutputChannel;

export function createLog(): Log {
  return window.createOutputChannel('Parley', { log: true });
}

/** An error as one line of log: the data of a ServiceError, the name and code of any other; bodies and stacks stay out. */
export function describeForLog(error: unknown): string {
  if (error instanceof ServiceError) return showUnseen(JSON.stringify(error));
  if (!(error instanceof Error)) return typeof error;
  const code = 'code' in error ? ` ${String(error.code)}` : '';
  return showUnseen(`${error.name}${code}: ${error.message}`.replace(/\s+/g, ' '));
}
