import {
  type CancellationToken,
  commands,
  type Disposable,
  EventEmitter,
  type LanguageModelChatProvider,
  type PrepareLanguageModelChatModelOptions,
} from 'vscode';
import { isCancelled } from '../../base/errors.ts';
import { Disposables } from '../../editor/disposables.ts';
import { describeForLog } from '../../editor/log.ts';
import type { Services } from '../../editor/services.ts';
import { onSettingChange } from '../../editor/settings.ts';
import { Command } from '../../ids/ids.ts';
import { createModelCatalog } from '../catalog/modelCatalog.ts';
import type { ParleyModel } from '../catalog/modelInformation.ts';
import { type Source, sourceOfGroup, sourceOfSettings } from '../catalog/modelSource.ts';
import { toLanguageModelError } from './languageModelError.ts';
import { readMessage } from './parts.ts';
import { createResponder } from './response.ts';
import { countTokens } from './tokenCount.ts';

/** The options that VS Code 1.109 and later pass for a service that was added by its form; the types have them as a proposal. */
type InformationOptions = PrepareLanguageModelChatModelOptions & { readonly configuration?: unknown };

/** Parley's models for every extension in VS Code. The service is asked for them when VS Code asks, and never before. */
export function createProvider(services: Services): LanguageModelChatProvider<ParleyModel> & Disposable {
  const { connection, log } = services;
  const owned = new Disposables();
  const changed = owned.add(new EventEmitter<void>());
  const offer = owned.add(createModelCatalog(services, () => changed.fire()));
  const respond = createResponder(services);
  let asked = false;
  // VS Code answers the event by asking; as long as it never asked, it has nothing to bring up to date.
  owned.add(connection.onDidChange(() => asked && changed.fire()));
  owned.add(onSettingChange(['parley.models.capabilities'], () => asked && changed.fire()));

  /** The service of the settings; where there is none, the user is asked for it, but not in a silent request. */
  async function configuredSource(silent: boolean): Promise<Source | undefined> {
    const missing = await connection.missing('chat');
    if (missing !== undefined && !silent) {
      await commands.executeCommand(missing === 'key' ? Command.setApiKey : Command.connect);
    }
    return (await connection.missing('chat')) === undefined ? sourceOfSettings(connection) : undefined;
  }

  async function provideInformation(options: InformationOptions): Promise<ParleyModel[]> {
    asked = true;
    if (!options.silent) offer.refresh();
    const { configuration, silent } = options;
    const source = configuration === undefined ? await configuredSource(silent) : sourceOfGroup(configuration);
    return source === undefined ? [] : offer.models(source, silent);
  }

  return {
    onDidChangeLanguageModelChatInformation: changed.event,
    // The list is for all callers, so no caller's cancellation ends the request for it.
    provideLanguageModelChatInformation: (options) => provideInformation(options).catch(fail),
    provideLanguageModelChatResponse: (model, messages, options, progress, token) =>
      withSignal(token, (signal) => respond(model, messages, options, progress, signal)).catch(fail),
    provideTokenCount: async (_model, text) => countTokens(typeof text === 'string' ? text : readMessage(text)),
    dispose: () => owned.dispose(),
  };

  function fail(error: unknown): never {
    if (!isCancelled(error)) log.error(describeForLog(error));
    throw toLanguageModelError(error);
  }
}

/** Runs a task with a signal that fires when VS Code cancels it. */
async function withSignal<T>(token: CancellationToken, task: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort();
  const listening = token.onCancellationRequested(() => controller.abort());
  try {
    return await task(controller.signal);
  } finally {
    listening.dispose();
  }
}
