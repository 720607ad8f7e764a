import {
  commands,
  type Disposable,
  EventEmitter,
  type LanguageModelChatProvider,
  LanguageModelChatToolMode,
  type PrepareLanguageModelChatModelOptions,
} from 'vscode';
import { Disposables } from '../editor/disposables.ts';
import { describeForLog } from '../editor/log.ts';
import type { Services } from '../editor/services.ts';
import { readSetting } from '../editor/settings.ts';
import { Command } from '../ids.ts';
import { isCancelled, ServiceError } from '../service/errors.ts';
import { type ListedModel, listModels } from '../service/models.ts';
import { reportAnswer } from './answer.ts';
import { withSignal } from './cancellation.ts';
import { toLanguageModelError } from './failure.ts';
import { toChatMessages } from './messages.ts';
import { describeModel, type ParleyModel } from './modelInformation.ts';
import { createModelLists } from './modelLists.ts';
import { readMessage } from './parts.ts';
import { toRequestFields } from './requestFields.ts';
import { addressAndKey, type Source, sourceOfGroup, sourceOfSettings } from './sources.ts';
import { countTokens } from './tokenCount.ts';

/** What VS Code 1.109 and later pass for a service that was added by its form; the types have it as a proposal. */
type InformationOptions = PrepareLanguageModelChatModelOptions & { readonly configuration?: unknown };

/** A list that has not come by then does not come; VS Code waits for it with its own picker. In milliseconds. */
const listWithinMs = 15_000;

/** Parley's models for every extension in VS Code. The service is asked for them when VS Code asks, and never before. */
export function createProvider(services: Services): LanguageModelChatProvider<ParleyModel> & Disposable {
  const { connection, keys, transport, client, log } = services;
  const owned = new Disposables();
  const changed = owned.add(new EventEmitter<void>());
  const lists = createModelLists<ListedModel[]>(Date.now);
  let asked = false;
  owned.add(keys.onDidChange(() => lists.clear()));
  // VS Code answers the event by asking; as long as it never asked, it has nothing to bring up to date.
  owned.add(connection.onDidChange(() => asked && changed.fire()));

  /** The service of the settings; where there is none, a person is asked for it, and nobody else. */
  async function configuredSource(silent: boolean): Promise<Source | undefined> {
    const missing = await connection.missing('chat');
    if (missing !== undefined && !silent) {
      await commands.executeCommand(missing === 'key' ? Command.setApiKey : Command.connect);
    }
    return (await connection.missing('chat')) === undefined ? sourceOfSettings(connection) : undefined;
  }

  async function list(source: Source, signal: AbortSignal): Promise<ListedModel[]> {
    const endpoint = await addressAndKey(source, keys);
    const timeout = AbortSignal.timeout(listWithinMs);
    try {
      return await lists.get(source.baseUrl, () => listModels(transport, endpoint, AbortSignal.any([signal, timeout])));
    } catch (error) {
      const failure =
        timeout.aborted && isCancelled(error) ? new ServiceError('timeout', { url: source.baseUrl }) : error;
      log.error(`Models of ${source.baseUrl}: ${describeForLog(failure)}`);
      // What the user named works or does not work by itself.
      if (source.named.length > 0) return [];
      throw failure;
    }
  }

  async function provideInformation(options: InformationOptions, signal: AbortSignal): Promise<ParleyModel[]> {
    asked = true;
    if (!options.silent) lists.clear();
    const { configuration, silent } = options;
    const source = configuration === undefined ? await configuredSource(silent) : sourceOfGroup(configuration);
    if (source === undefined) return [];
    const listed = await list(source, signal);
    const byId = new Map(listed.map((model) => [model.id, model]));
    const chat = listed.filter(({ purpose }) => purpose === 'chat').map(({ id }) => id);
    const offered = new Set([...source.named, ...chat]);
    return [...offered].map((model) => describeModel(source, model, byId.get(model) ?? {}));
  }

  return {
    onDidChangeLanguageModelChatInformation: changed.event,
    provideLanguageModelChatInformation: (options, token) =>
      withSignal(token, (signal) => provideInformation(options, signal)).catch(fail),
    provideLanguageModelChatResponse: (model, messages, options, progress, token) =>
      withSignal(token, async (signal) => {
        const endpoint = { ...(await addressAndKey(model.source, keys)), model: model.name };
        const { fields, extra } = toRequestFields({
          modelOptions: options.modelOptions,
          tools: options.tools,
          mustCall: options.toolMode === LanguageModelChatToolMode.Required,
        });
        const request = {
          messages: toChatMessages(messages.map(readMessage), model.capabilities.imageInput === true),
          stream: readSetting('parley.chat.stream'),
          fields,
          extra: { ...readSetting('parley.chat.extraBody'), ...extra },
        };
        await reportAnswer(client.chat(endpoint, request, signal), endpoint.baseUrl, progress);
      }).catch(fail),
    provideTokenCount: async (_model, text) => countTokens(typeof text === 'string' ? text : readMessage(text)),
    dispose: () => owned.dispose(),
  };

  function fail(error: unknown): never {
    if (!isCancelled(error)) log.error(describeForLog(error));
    throw toLanguageModelError(error);
  }
}
