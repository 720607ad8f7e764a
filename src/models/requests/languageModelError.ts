import { CancellationError, LanguageModelError } from 'vscode';
import { type ErrorKind, isCancelled, ServiceError } from '../../base/errors.ts';
import { errorText } from '../../editor/sentences/errorText.ts';

type Refusal = 'NoPermissions' | 'NotFound' | 'Blocked';

/** Errors for which VS Code has a name of its own. */
const refusals: Partial<Record<ErrorKind, Refusal>> = {
  'no-key': 'NoPermissions',
  auth: 'NoPermissions',
  permission: 'NoPermissions',
  'no-model': 'NotFound',
  'model-not-found': 'NotFound',
  'not-found': 'NotFound',
  'content-filter': 'Blocked',
  quota: 'Blocked',
  'rate-limit': 'Blocked',
};

/**
 * A failure as VS Code hands it to the extension that asked: the sentence as its message, and as its `code` the name
 * VS Code has for it, else the kind. A stopped request gives a `CancellationError`.
 */
export function toLanguageModelError(error: unknown): unknown {
  if (isCancelled(error)) return new CancellationError();
  if (!(error instanceof ServiceError)) return error;
  const { sentence } = errorText(error);
  const refusal = refusals[error.kind];
  if (refusal !== undefined) return LanguageModelError[refusal](sentence);
  return Object.assign(new LanguageModelError(sentence), { code: error.kind });
}
