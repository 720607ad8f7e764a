import { l10n } from 'vscode';
import { ServiceError } from '../base/errors.ts';
import type { CommandError, ErrorCode } from './api.ts';
import { describeForLog, type Log } from './log.ts';
import { errorText } from './sentences/errorText.ts';

/** A failure as a command gives it to another extension: a sentence, and its kind as `code`. */
export class CommandFailure extends Error implements CommandError {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, sentence: string) {
    super(sentence);
    this.code = code;
  }
}

/** Runs a command for another extension; whatever goes wrong, it rejects with a `CommandError`. */
export async function forCaller<T>(log: Log, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    if (error instanceof ServiceError) throw new CommandFailure(error.kind, errorText(error).sentence);
    log.error(describeForLog(error));
    throw new CommandFailure('unexpected', l10n.t('Parley met an error it did not expect.'));
  }
}

/** For an argument that is not what the command takes: which one, and what it takes. */
export function checkArgument(holds: boolean, param: string, hint: string): asserts holds {
  if (!holds) throw new ServiceError('invalid-request', { param, hint });
}

/** The arguments of a call. A keybinding can give only one: there, all stand in a list. */
export function argumentsOf(given: readonly unknown[]): readonly unknown[] {
  return given.length === 1 && Array.isArray(given[0]) ? given[0] : given;
}

/** The options of a command, whose members are yet to be checked. */
export function readOptions(options: unknown): Readonly<Record<string, unknown>> {
  if (options === undefined || options === null) return {};
  checkArgument(typeof options === 'object' && !Array.isArray(options), 'options', l10n.t('an object'));
  return options as Readonly<Record<string, unknown>>;
}
