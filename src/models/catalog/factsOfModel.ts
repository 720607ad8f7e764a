import { systemClock } from '../../base/clock.ts';
import type { Services } from '../../editor/services.ts';
import { readSetting } from '../../editor/settings.ts';
import { requireKey } from '../../service/endpoint.ts';
import type { ListedModel, ModelDetails } from '../../service/models/models.ts';
import { capabilitiesOf, saidToolCalling } from './capabilities.ts';

/** What chats and edits have to know of a model. */
export interface FactsOfModel {
  readonly takesImages: boolean;
  /** Whether it calls tools. Absent where nobody says. */
  readonly takesTools?: boolean;
  /** Tokens that the model reads and writes together, and those of them that are for its answer. Absent where nobody says. */
  readonly window?: { readonly size: number; readonly answerRoom: number };
}

/** The models of the chat's service, for other parts of Parley. */
export interface FactsOfModels {
  /** By the settings of the user and the service's list, which is asked for when it is first wanted. Does not reject. */
  of(model: string): Promise<FactsOfModel>;
  /** The same as far as it is known now. */
  known(model: string): FactsOfModel | undefined;
  /** The same for a request that waits for it: undefined where a list that was never had before does not come in time. Does not reject. */
  soon(model: string, signal: AbortSignal): Promise<FactsOfModel | undefined>;
}

/** Times for which a list, and a failure to get one, are not asked for again, in milliseconds. */
const [freshForMs, retryAfterMs, patienceMs] = [600_000, 60_000, 15_000];
/** The time that a first list has before a request goes out without what it says, in milliseconds. */
const soonMs = 2_000;

export function createFactsOfModels({
  client,
  connection,
  keys,
}: Pick<Services, 'client' | 'connection' | 'keys'>): FactsOfModels {
  const lists = new Map<string, { asked: Promise<void>; until: number; list: readonly ListedModel[] }>();

  async function list(baseUrl: string): Promise<void> {
    const before = lists.get(baseUrl);
    if (before !== undefined && performance.now() < before.until) return before.asked;
    const entry = { asked: Promise.resolve(), until: performance.now() + freshForMs, list: before?.list ?? [] };
    entry.asked = (async () => {
      try {
        const service = requireKey(await keys.withKey({ baseUrl }));
        entry.list = await client.listModels(service, AbortSignal.timeout(patienceMs));
      } catch {
        // What is not known is not shown; the question itself says what is wrong.
        entry.until = performance.now() + retryAfterMs;
      }
    })();
    lists.set(baseUrl, entry);
    return entry.asked;
  }

  function address(): string | undefined {
    try {
      return connection.baseUrl('chat');
    } catch {
      return undefined;
    }
  }

  function factsIn(listed: readonly ListedModel[], model: string): FactsOfModel {
    const details: ModelDetails = listed.find(({ id }) => id === model) ?? {};
    const setting = readSetting('parley.models.capabilities');
    const { imageInput, maxInputTokens, maxOutputTokens, assumed } = capabilitiesOf(model, details, setting);
    const takesTools = saidToolCalling(model, details, setting);
    const facts = { takesImages: imageInput, ...(takesTools === undefined ? {} : { takesTools }) };
    if (assumed) return facts;
    const whole = details.contextLength;
    // The user's own number is what the model reads; the room for its answer then comes on top.
    const answerRoom = whole !== undefined && whole > maxInputTokens ? whole - maxInputTokens : maxOutputTokens;
    return { ...facts, window: { size: maxInputTokens + answerRoom, answerRoom } };
  }

  async function of(model: string): Promise<FactsOfModel> {
    const baseUrl = address();
    if (baseUrl === undefined) return factsIn([], model);
    await list(baseUrl);
    return factsIn(lists.get(baseUrl)?.list ?? [], model);
  }

  return {
    of,
    known(model) {
      const entry = lists.get(address() ?? '');
      return entry === undefined ? undefined : factsIn(entry.list, model);
    },
    async soon(model, signal) {
      // A list that is no longer fresh is asked for anew, but not waited for.
      const asked = of(model);
      const before = lists.get(address() ?? '')?.list ?? [];
      if (before.length > 0) return factsIn(before, model);
      const over = new AbortController();
      const late = systemClock.sleep(soonMs, AbortSignal.any([over.signal, signal])).then(() => undefined);
      const found = await Promise.race([asked, late]);
      over.abort();
      return found;
    },
  };
}
