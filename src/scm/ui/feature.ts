import type { Disposable } from 'vscode';
import type { Services } from '../../editor/services.ts';
import type { ChangeReader } from '../changes.ts';
import { registerCommitMessage } from './commit/registerCommitMessage.ts';

/** What the view of source control is given. */
export function registerScm(services: Services, parts: { readonly files: ChangeReader }): Disposable {
  return registerCommitMessage(services, { files: parts.files });
}
