import type { Disposable } from 'vscode';
import { Disposables } from '../../editor/disposables.ts';
import type { Services } from '../../editor/services.ts';

/** Address, key and models: Connect, Set API Key, Remove API Key, Test Connection. */
export function registerConnect(_services: Services): Disposable {
  return new Disposables();
}
