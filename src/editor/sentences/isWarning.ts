import { type ErrorKind, ServiceError } from '../../base/errors.ts';

/** Kinds that pass by themselves, or once a service is connected, with nothing lost. */
const passing: ReadonlySet<ErrorKind> = new Set([
  'no-address',
  'rate-limit',
  'overloaded',
  'server',
  'dns',
  'refused',
  'proxy',
  'reset',
  'timeout',
]);

/**
 * Whether an error is told as a warning. VS Code closes no message for an extension, so one would stand there when things work again: an
 * error with buttons until it is closed, a warning for some seconds in which the window has the focus. It is then behind the bell.
 */
export function isWarning(error: unknown): boolean {
  return error instanceof ServiceError && passing.has(error.kind);
}
