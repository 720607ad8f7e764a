import type { Disposable } from 'vscode';
import { describeForLog } from '../editor/log.ts';
import type { Services } from '../editor/services.ts';
import { isCancelled, ServiceError } from '../service/errors.ts';
import { type ListedModel, listModels } from '../service/models.ts';
import { describeModel, type ParleyModel } from './modelInformation.ts';
import { createModelLists } from './modelLists.ts';
import { addressAndKey, type Source } from './sources.ts';

/** VS Code's picker waits for the list; one that has not come by then is not waited for. In milliseconds. */
const listWithinMs = 15_000;

/** The models of a service, as VS Code may offer them. */
export interface Offer extends Disposable {
  /**
   * The models that the user named, and those of the service's list that seem to chat.
   * @throws ServiceError when there is no list and no named model
   */
  models(source: Source, signal: AbortSignal): Promise<ParleyModel[]>;
  /** Asks anew next time. */
  forget(): void;
}

export function createOffer({ keys, transport, log }: Services): Offer {
  const lists = createModelLists<ListedModel[]>(Date.now);
  // Another key may be shown other models.
  const listening = keys.onDidChange(() => lists.clear());

  async function list(source: Source, signal: AbortSignal): Promise<ListedModel[]> {
    const endpoint = await addressAndKey(source, keys);
    const timeout = AbortSignal.timeout(listWithinMs);
    try {
      return await lists.get(source.baseUrl, () => listModels(transport, endpoint, AbortSignal.any([signal, timeout])));
    } catch (error) {
      throw timeout.aborted && isCancelled(error) ? new ServiceError('timeout', { url: source.baseUrl }) : error;
    }
  }

  return {
    async models(source, signal) {
      const listed = await list(source, signal).catch((error: unknown) => {
        if (source.named.length === 0) throw error;
        log.warn(`Models of ${source.baseUrl}: ${describeForLog(error)}`);
        return [];
      });
      const byId = new Map(listed.map((model) => [model.id, model]));
      const chat = listed.filter(({ purpose }) => purpose === 'chat').map(({ id }) => id);
      const offered = new Set([...source.named, ...chat]);
      return [...offered].map((model) => describeModel(source, model, byId.get(model) ?? {}));
    },
    forget: () => lists.clear(),
    dispose: () => listening.dispose(),
  };
}
