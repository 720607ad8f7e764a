import { l10n } from 'vscode';
import { isCancelled, ServiceError } from '../../base/errors.ts';
import { pickModel } from '../../editor/connection/pickModel.ts';
import { withProgress } from '../../editor/progress.ts';
import { goBack, type QuestionStep, useAnyway } from '../../editor/quickInput.ts';
import { errorText } from '../../editor/sentences/errorText.ts';
import { showLocalServers } from '../../editor/sentences/helpPages.ts';
import type { Services } from '../../editor/services.ts';
import { readSetting } from '../../editor/settings.ts';
import type { ApiKey } from '../../service/apiKey.ts';
import { isLoopback, normaliseBaseUrl, originOf } from '../../service/endpoint.ts';
import type { ListedModel, Purpose } from '../../service/models/models.ts';
import { type ConnectStep, connectSteps } from '../failedStep.ts';
import type { LocalPort } from '../localServices.ts';
import { probeAddress } from '../probe.ts';
import { askAddress } from './askAddress.ts';
import { askKey } from './key.ts';
import { mayTakeKey } from './mayTakeKey.ts';

/** Answers given so far. None of them is kept yet. */
export interface Given {
  baseUrl?: string;
  typedKey?: ApiKey | undefined;
  /** The key from the environment variable of the user's choice, who wants it used. */
  environmentKey?: ApiKey | undefined;
  models: Partial<Record<Purpose, string>>;
}

/** The question to go back to, and what to say there. */
export interface Failure {
  readonly step: ConnectStep;
  readonly why: string;
}

/** How a question ended; `anyway`: what was given is to be kept, whether it works or not. */
export type StepOutcome = 'next' | 'back' | 'closed' | 'anyway' | Failure;

/** The questions of `Connect` while they are asked. */
interface Asking {
  readonly services: Services;
  readonly given: Given;
  readonly ports: readonly LocalPort[];
  /** Models that the service offers, or the error why it does not say; undefined while it was not asked. */
  listed: readonly ListedModel[] | ServiceError | undefined;
  /** Whether the address is wanted though nothing answers there: no service can be asked. */
  isAbsent: boolean;
}

/** The questions of `Connect`; what is answered goes into `given`. */
export function createConnectQuestions(services: Services, given: Given, ports: readonly LocalPort[]) {
  const asking: Asking = { services, given, ports, listed: undefined, isAbsent: false };
  return {
    /** @param why what was given before does not work */
    ask(name: ConnectStep, why: string | undefined): Promise<StepOutcome> {
      const step = { step: connectSteps.indexOf(name) + 1, totalSteps: connectSteps.length };
      if (name === 'address') return askForAddress(asking, step, why);
      return name === 'key' ? askForKey(asking, step, why) : askForModel(asking, name, step, why);
    },
  };
}

async function askForAddress(asking: Asking, step: QuestionStep, why: string | undefined): Promise<StepOutcome> {
  const { given, ports, services } = asking;
  const inUse = normaliseBaseUrl(readSetting('parley.baseUrl'));
  const { baseUrl: before } = given;
  const answer = await askAddress({
    step,
    current: inUse.ok ? inUse.baseUrl : '',
    before,
    why,
    ports,
    help: () => showLocalServers(services.context.extensionUri),
  });
  if (typeof answer !== 'object') return 'closed';
  const { baseUrl, anyway } = answer;
  // A key is for one origin, and a model for one service.
  if (baseUrl !== before) Object.assign(given, { baseUrl, typedKey: undefined, environmentKey: undefined, models: {} });
  asking.isAbsent = anyway;
  const failure = (why: ServiceError): Failure => ({ step: 'address', why: errorText(why).sentence });
  const { transport } = services.client;
  const error = anyway
    ? undefined
    : await withProgressOf(baseUrl, (signal) => probeAddress(transport, baseUrl, signal));
  if (error !== undefined) return failure(error);
  if (!(await mayTakeKey(baseUrl))) return failure(new ServiceError('insecure', { url: baseUrl }));
  return anyway ? 'anyway' : 'next';
}

async function askForKey(asking: Asking, step: QuestionStep, why: string | undefined): Promise<StepOutcome> {
  const { given, services } = asking;
  const { keys } = services;
  const { baseUrl = '' } = given;
  const origin = originOf(baseUrl);
  const isStored = await keys.has(origin);
  const environmentKey = isStored ? undefined : keys.fromEnvironment();
  const answer = await askKey({
    origin,
    title: title(),
    mayBeEmpty: whyEmpty(baseUrl, isStored, environmentKey !== undefined),
    step,
    before: given.typedKey,
    why,
  });
  if (answer === goBack) return 'back';
  if (answer === undefined) return 'closed';
  given.typedKey = answer.key;
  given.environmentKey = answer.key === undefined ? environmentKey : undefined;
  asking.listed = asking.isAbsent ? [] : undefined;
  return answer.anyway ? 'anyway' : 'next';
}

async function askForModel(
  asking: Asking,
  purpose: Purpose,
  step: QuestionStep,
  why: string | undefined,
): Promise<StepOutcome> {
  const { given } = asking;
  const ended = asking.listed === undefined ? await findModels(asking) : undefined;
  if (ended !== undefined) return ended;
  const { setting, ...texts } = modelQuestions()[purpose];
  let isFresh = true;
  const chosen = await pickModel({
    ...texts,
    purpose,
    title: title(),
    step,
    current: readSetting(setting),
    list: async () => {
      // A question that is asked once more asks the service once more.
      if (!isFresh) await findModels(asking);
      isFresh = false;
      if (asking.listed instanceof ServiceError) throw asking.listed;
      return asking.listed ?? [];
    },
    before: given.models[purpose],
    why,
  });
  if (chosen === goBack) return 'back';
  if (chosen === undefined) return 'closed';
  if (chosen === useAnyway) return 'anyway';
  given.models[purpose] = chosen;
  return 'next';
}

/** Asks the service for its models, once for each key. What this service refused before is forgotten, as it is met anew. */
async function findModels(asking: Asking): Promise<StepOutcome | undefined> {
  const { given, services } = asking;
  const { keys, client } = services;
  const { baseUrl = '' } = given;
  client.memory.forget(baseUrl);
  const service = await keys.withKey({ baseUrl, apiKey: given.typedKey ?? given.environmentKey });
  const found = await withProgressOf(baseUrl, (signal) => client.listModels(service, signal));
  if (isCancelled(found)) return 'back';
  asking.listed = found ?? [];
  // A key for chat may not be allowed to list models, and a service that fails now may have been asked too soon.
  if (!(found instanceof ServiceError) || found.kind !== 'auth') return undefined;
  return { step: 'key', why: errorText(found).sentence };
}

function title(): string {
  return l10n.t('Parley: Connect');
}

/** Gives the error of a request instead of throwing it. */
async function withProgressOf<T>(
  baseUrl: string,
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T | ServiceError> {
  try {
    return await withProgress(l10n.t('Asking {0}', originOf(baseUrl)), task);
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

function whyEmpty(baseUrl: string, isStored: boolean, isInEnvironment: boolean): string | undefined {
  if (isStored) return l10n.t('Leave it empty to keep the key that is stored for {0}.', originOf(baseUrl));
  if (isInEnvironment) {
    const variable = readSetting('parley.apiKeyEnvironmentVariable').trim();
    return l10n.t('Leave it empty to use the key in the environment variable {0}.', variable);
  }
  return isLoopback(baseUrl) ? l10n.t('Leave it empty if the service on this machine needs none.') : undefined;
}

interface ModelTexts {
  setting: 'parley.chat.model' | 'parley.embeddings.model' | 'parley.audio.model';
  placeholder: string;
  noneLabel?: string;
  prompt?: string;
}

function modelQuestions(): Record<Purpose, ModelTexts> {
  return {
    chat: { setting: 'parley.chat.model', placeholder: l10n.t('The model that chats') },
    embeddings: {
      setting: 'parley.embeddings.model',
      placeholder: l10n.t('The model that embeds code, for search by meaning'),
      noneLabel: l10n.t('None: search by keywords only'),
    },
    audio: {
      setting: 'parley.audio.model',
      placeholder: l10n.t('The model that translates recordings'),
      noneLabel: l10n.t('None: no audio translation'),
      // The last question: what follows may cost, so it is said before.
      prompt: l10n.t(
        'Then Parley tries what you chose, with one small call each: a few tokens and, for audio, one second of tone.',
      ),
    },
  };
}
