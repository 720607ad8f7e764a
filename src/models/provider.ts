import {
  commands,
  type Disposable,
  EventEmitter,
  type LanguageModelChatProvider,
  LanguageModelChatToolMode,
  type PrepareLanguageModelChatModelOptions,
} from 'vscode';
import { adjustmentText } from '../editor/adjustmentText.ts';
import { Disposables } from '../editor/disposables.ts';
import { describeForLog } from '../editor/log.ts';
import type { Services } from '../editor/services.ts';
import { readSetting } from '../editor/settings.ts';
import { Command } from '../ids.ts';
import { isCancelled } from '../service/errors.ts';
import { reportAnswer } from './answer.ts';
import { withSignal } from './cancellation.ts';
import { toLanguageModelError } from './failure.ts';
import { toChatMessages } from './messages.ts';
import type { ParleyModel } from './modelInformation.ts';
import { createOffer } from './offer.ts';
import { readMessage } from './parts.ts';
import { toRequestFields } from './requestFields.ts';
import { addressAndKey, type Source, sourceOfGroup, sourceOfSettings } from './sources.ts';
import { countTokens } from './tokenCount.ts';

/** What VS Code 1.109 and later pass for a service that was added by its form; the types have it as a proposal. */
type InformationOptions = PrepareLanguageModelChatModelOptions & { readonly configuration?: unknown };

/** Parley's models for every extension in VS Code. The service is asked for them when VS Code asks, and never before. */
export function createProvider(services: Services): LanguageModelChatProvider<ParleyModel> & Disposable {
  const { connection, keys, client, notices, log } = services;
  const owned = new Disposables();
  const changed = owned.add(new EventEmitter<void>());
  const offer = owned.add(createOffer(services));
  let asked = false;
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

  async function provideInformation(options: InformationOptions, signal: AbortSignal): Promise<ParleyModel[]> {
    asked = true;
    if (!options.silent) offer.forget();
    const { configuration, silent } = options;
    const source = configuration === undefined ? await configuredSource(silent) : sourceOfGroup(configuration);
    return source === undefined ? [] : offer.models(source, signal);
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
        const events = client.chat(endpoint, request, signal);
        await reportAnswer(events, endpoint.baseUrl, progress, (each) => void notices.info(adjustmentText(each)));
      }).catch(fail),
    provideTokenCount: async (_model, text) => countTokens(typeof text === 'string' ? text : readMessage(text)),
    dispose: () => owned.dispose(),
  };

  function fail(error: unknown): never {
    if (!isCancelled(error)) log.error(describeForLog(error));
    throw toLanguageModelError(error);
  }
}
