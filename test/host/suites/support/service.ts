/** The reference service, run inside the extension host, so that a suite sees every request that reached it. */
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { ConfigurationTarget, workspace } from 'vscode';
import type { SettingId, SettingTypes } from '../../../../src/ids/settingIds.ts';
import { DEFAULT_KEY } from '../../../service/auth.ts';
import type { RecordedRequest, ReferenceService, ReferenceServiceOptions } from '../../../service/options.ts';
import { createReferenceService } from '../../../service/server.ts';
import { repositoryRoot } from './subject.ts';

/** All requests of each service, those for its list of models among them. */
const received = new WeakMap<ReferenceService, RecordedRequest[]>();
const isOfModels = ({ path }: RecordedRequest): boolean => path.endsWith('/models');

/**
 * Starts a service that knows the recordings of the fixture workspace. Close it in `after`. Its `requests`, and those it waits for, are without those for
 * its list of models, which the panel asks for whenever it has something to send: `allRequests` has them.
 */
export async function startService(options: ReferenceServiceOptions = {}): Promise<ReferenceService> {
  const service = await createReferenceService({
    translationsFile: join(repositoryRoot(), 'test', 'fixtures', 'translations.json'),
    ...options,
  });
  const { requests, waitForRequest } = service;
  received.set(service, requests);
  service.waitForRequest = (predicate) => waitForRequest((each) => !isOfModels(each) && predicate(each));
  return Object.defineProperty(service, 'requests', { get: () => requests.filter((each) => !isOfModels(each)) });
}

/** All requests, those for the list of models among them. */
export function allRequests(service: ReferenceService): readonly RecordedRequest[] {
  return received.get(service) ?? [];
}

/** The requests for the list of models. */
export function modelRequests(service: ReferenceService): RecordedRequest[] {
  return allRequests(service).filter(isOfModels);
}

/** Sets address, models and key as a user who keeps the key in an environment variable would. */
export async function connectTo(service: Pick<ReferenceService, 'baseUrl'>): Promise<void> {
  process.env.PARLEY_SUITE_KEY = DEFAULT_KEY;
  await setting('parley.apiKeyEnvironmentVariable', 'PARLEY_SUITE_KEY');
  await setting('parley.baseUrl', service.baseUrl);
  await setting('parley.chat.model', 'parley-chat');
  await setting('parley.embeddings.model', 'parley-embed');
  await setting('parley.audio.model', 'parley-whisper');
}

/** Forgets what `connectTo` set. Where each test of a suite connects, once at its end is enough. */
export async function disconnect(): Promise<void> {
  for (const id of ['parley.apiKeyEnvironmentVariable', 'parley.baseUrl'] as const) await setting(id, undefined);
  for (const part of ['chat', 'embeddings', 'audio'] as const) await setting(`parley.${part}.model`, undefined);
}

/** Writes a user setting; `undefined` brings the default back. One that is so already is left: a write takes 0.2 s. */
export async function setting<K extends SettingId>(id: K, value: SettingTypes[K] | undefined): Promise<void> {
  const configuration = workspace.getConfiguration();
  if (isDeepStrictEqual(configuration.inspect(id)?.globalValue, value)) return;
  await configuration.update(id, value, ConfigurationTarget.Global);
}

/** The first message of the request that came last: what the model is told before the question. */
export function systemMessage({ requests }: ReferenceService): string {
  const body = requests.at(-1)?.body as { messages: { content: string }[] } | undefined;
  return body?.messages[0]?.content ?? '';
}
