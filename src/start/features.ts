import { commands, type Disposable, type ExtensionContext, l10n } from 'vscode';
import { type AudioFeature, registerAudio } from '../audio/ui/feature.ts';
import { systemClock } from '../base/clock.ts';
import { closeFolder } from '../base/privateFiles.ts';
import { registerChat } from '../chat/ui/feature.ts';
import { createExchangeList, type ExchangeList } from '../connect/exchanges/exchangeList.ts';
import { recordExchanges } from '../connect/exchanges/recordExchanges.ts';
import { registerConnect } from '../connect/ui/feature.ts';
import { registerExchanges } from '../connect/ui/showExchanges.ts';
import { registerCommand } from '../editor/commands.ts';
import { configuredOrigins, createConnection } from '../editor/connection/connection.ts';
import { createEditorTransport } from '../editor/connection/editorTransport.ts';
import { createKeys } from '../editor/connection/keys.ts';
import { createWaitStatus } from '../editor/connection/waitStatus.ts';
import { createLog, describeForLog } from '../editor/log.ts';
import { createNotices } from '../editor/notices.ts';
import { type Closing, createClosing, type Give, type Services } from '../editor/services.ts';
import { longestAnswer, readSetting } from '../editor/settings.ts';
import { window } from '../editor/text/window.ts';
import { type EditsFeature, registerEdits } from '../edits/ui/feature.ts';
import { Command } from '../ids/ids.ts';
import { createFactsOfModels, type FactsOfModels } from '../models/catalog/factsOfModel.ts';
import { registerModels } from '../models/feature.ts';
import { registerScm } from '../scm/ui/feature.ts';
import { registerSearch, type SearchFeature } from '../search/ui/feature.ts';
import { createServiceClient } from '../service/client.ts';
import { createFieldMemory } from '../service/compat/fieldMemory.ts';
import type { NetworkPath } from '../service/transport/transport.ts';
import { createWorkspaceFiles } from '../workspace/ui/createWorkspaceFiles.ts';
import { createLearnedStore } from './learnedStore.ts';

/** The features, each started on its own: one that fails is named to the user, and the others go on. */
function listFeatures(exchanges: ExchangeList): Record<string, (services: Services) => Disposable> {
  let search: SearchFeature | undefined;
  let edits: EditsFeature | undefined;
  let known: FactsOfModels | undefined;
  let audio: AudioFeature | undefined;
  const factsOf = (services: Services): FactsOfModels => {
    known ??= createFactsOfModels(services);
    return known;
  };
  return {
    Connection: registerConnect,
    Exchanges: (services) => registerExchanges(services, exchanges),
    'Code search': (services) => {
      search = registerSearch(services);
      return search;
    },
    Edits: (services) => {
      edits = registerEdits(services, factsOf(services));
      return edits;
    },
    Chat: (services) =>
      registerChat(services, {
        searcher: search?.searcher,
        files: createWorkspaceFiles(),
        models: factsOf(services),
        review: edits?.proposals,
        // Audio starts after the chat.
        translations: { find: async (text) => (await audio?.translations.find(text)) ?? [] },
      }),
    'Source control': (services) => registerScm(services, { files: createWorkspaceFiles() }),
    'Audio translation': (services) => {
      audio = registerAudio(services);
      return audio;
    },
    Models: (services) => registerModels(services, search?.searcher, edits?.proposals),
  };
}

/**
 * Starts all of Parley.
 * @param give hands over what VS Code asks for by its id
 * @returns the tasks to be done before VS Code ends
 */
export function startFeatures(context: ExtensionContext, give: Give): Closing {
  const own = <T extends Disposable>(item: T): T => {
    context.subscriptions.push(item);
    return item;
  };
  // This comes before the log: VS Code would make its folder, and those for what Parley keeps, readable for all.
  for (const uri of [context.logUri, context.globalStorageUri, context.storageUri])
    if (uri !== undefined) closeFolder(uri.fsPath);
  const log = own(createLog());
  const notices = createNotices(log, context.extensionUri);
  const keys = createKeys(context, configuredOrigins, process.env);
  const connection = own(createConnection(keys));
  const waits = own(createWaitStatus());
  const exchanges = createExchangeList();
  const isKept = (): boolean => readSetting('parley.exchanges.keep');
  const watch = (path: NetworkPath) => recordExchanges(path, exchanges, isKept, systemClock);
  const transport = own(createEditorTransport(log, waits, keys.missingVariable, watch));
  const memory = createFieldMemory(createLearnedStore(context, (error) => log.warn(describeForLog(error))));
  const client = createServiceClient(transport, memory, longestAnswer);
  const closing = createClosing((error) => log.error(describeForLog(error)));
  const services: Services = { context, log, notices, keys, connection, waits, client, closing, give };

  own(registerCommand(Command.showLog, notices, () => log.show()));
  for (const [name, register] of Object.entries(listFeatures(exchanges))) {
    try {
      own(register(services));
    } catch (error) {
      log.error(`${name}: ${describeForLog(error)}`);
      const showLog = l10n.t('Show Log');
      void window
        .showErrorMessage(l10n.t('The part “{0}” of Parley did not start; the others work.', name), showLog)
        .then((chosen) => chosen === showLog && commands.executeCommand(Command.showLog));
    }
  }
  return closing;
}
