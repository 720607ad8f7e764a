import type { Disposable } from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { isCancelled, ServiceError } from '../../base/errors.ts';
import { describeForLog } from '../../editor/log.ts';
import { errorText } from '../../editor/sentences/errorText.ts';
import type { Services } from '../../editor/services.ts';
import { readSetting } from '../../editor/settings.ts';
import { requireKey } from '../../service/endpoint.ts';
import type { ListedModel } from '../../service/models/models.ts';
import { describeModel, type ParleyModel } from './modelInformation.ts';
import { createModelLists } from './modelLists.ts';
import type { Source } from './modelSource.ts';

/** The time limit for a list, in milliseconds; lists that are not there by then do not come any more. */
const listTimeoutMs = 15_000;
/** The time VS Code waits for a list that no user looks at, in milliseconds: all its models wait along. */
const silentTimeoutMs = 5_000;
/** The most models, and the longest names, that are offered: VS Code draws and compares all models again and again. */
const mostModels = 1_000;
const longestName = 512;

/** The models of a service, as VS Code may offer them. */
export interface ModelCatalog extends Disposable {
  /**
   * The models that the user named, and those of the service's list that seem to chat: of its last list, where the service
   * cannot be asked just now.
   * @param silent whether no user is looking
   * @throws ServiceError when there is no list and no named model
   */
  models(source: Source, silent: boolean): Promise<ParleyModel[]>;
  /** Asks for a new list next time. */
  refresh(): void;
}

/** @param onLate told that a list has come later than VS Code waited for it */
export function createModelCatalog({ client, keys, log }: Services, onLate: () => void): ModelCatalog {
  const lists = createModelLists<ListedModel[]>(systemClock, onLate);
  // Another key may be shown other models.
  const listening = keys.onDidChange(() => lists.clear());

  async function ask(source: Source): Promise<ListedModel[]> {
    const timeout = AbortSignal.timeout(listTimeoutMs);
    try {
      return await client.listModels(requireKey(await keys.withKey(source)), timeout);
    } catch (error) {
      throw timeout.aborted && isCancelled(error) ? tooLate(source) : error;
    }
  }

  return {
    async models(source, silent) {
      const { list, failure } = await lists.get(source.baseUrl, {
        ask: () => ask(source),
        patience: silent ? silentTimeoutMs : listTimeoutMs,
        otherwise: source.named.length > 0 ? [] : undefined,
        tooLate: () => tooLate(source),
      });
      if (failure !== undefined) log.warn(`Models of ${source.baseUrl}: ${describeForLog(failure)}`);
      const byId = new Map(list.map((model) => [model.id, model]));
      const offered = new Set([...source.named, ...namesOfChat(list)]);
      const setting = readSetting('parley.models.capabilities');
      const problem = failure instanceof ServiceError ? errorText(failure).sentence : undefined;
      return [...offered].map((model) => describeModel(source, model, byId.get(model) ?? {}, setting, problem));
    },
    refresh: () => lists.refresh(),
    dispose: () => listening.dispose(),
  };
}

function tooLate({ baseUrl }: Source): ServiceError {
  return new ServiceError('timeout', { url: baseUrl });
}

/** The models that seem to chat, within what VS Code can be given. */
function namesOfChat(listed: readonly ListedModel[]): string[] {
  const chat = listed.filter(({ id, purpose }) => purpose === 'chat' && id.length <= longestName);
  return chat.slice(0, mostModels).map(({ id }) => id);
}
