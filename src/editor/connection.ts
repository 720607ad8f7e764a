import { type Disposable, type Event, EventEmitter } from 'vscode';
import type { SettingId } from '../ids.ts';
import { type Endpoint, isLoopback, normaliseBaseUrl, originOf } from '../service/endpoint.ts';
import { ServiceError } from '../service/errors.ts';
import type { Purpose } from '../service/modelPurpose.ts';
import { setContext } from './context.ts';
import { Disposables } from './disposables.ts';
import type { Keys } from './keys.ts';
import { onSettingChange, readSetting } from './settings.ts';

export type Missing = 'address' | 'key' | 'model';

/** Answers where a request for a purpose goes: the address, key and model the user set. */
export interface Connection {
  /** The base address for a purpose, or undefined when none is set. Throws `bad-address` for one that is no address. */
  baseUrl(purpose: Purpose): string | undefined;
  model(purpose: Purpose): string;
  /** Everything a request needs; throws `no-address`, `bad-address`, `no-key` or `no-model`. */
  endpoint(purpose: Purpose): Promise<Endpoint>;
  /** What a request for a purpose lacks, the first thing first; a chat model is not counted. Undefined: nothing. */
  missing(purpose: Purpose): Promise<Missing | undefined>;
  /** An address, a model or a key changed. */
  readonly onDidChange: Event<void>;
}

const addressSettings: Record<Purpose, SettingId> = {
  chat: 'parley.baseUrl',
  embeddings: 'parley.embeddings.baseUrl',
  audio: 'parley.audio.baseUrl',
};
const modelSettings = {
  chat: 'parley.chat.model',
  embeddings: 'parley.embeddings.model',
  audio: 'parley.audio.model',
} as const;

/** The base address set for a purpose; embeddings and audio fall back to the chat address. */
export function readBaseUrl(purpose: Purpose): string | undefined {
  const own = String(readSetting(addressSettings[purpose]) ?? '').trim();
  const text = own === '' ? readSetting('parley.baseUrl') : own;
  const address = normaliseBaseUrl(text);
  if (address.ok) return address.baseUrl;
  if (address.problem === 'empty') return undefined;
  throw new ServiceError('bad-address', { hint: address.problem });
}

/** The origins that the user's own settings name. */
export function configuredOrigins(): string[] {
  const purposes: Purpose[] = ['chat', 'embeddings', 'audio'];
  return purposes.flatMap((purpose) => {
    try {
      const baseUrl = readBaseUrl(purpose);
      return baseUrl === undefined ? [] : [originOf(baseUrl)];
    } catch {
      return [];
    }
  });
}

export function createConnection(keys: Keys): Connection & Disposable {
  const owned = new Disposables();
  const changed = owned.add(new EventEmitter<void>());
  owned.add(keys.onDidChange(() => changed.fire()));
  owned.add(
    onSettingChange(
      [...Object.values(addressSettings), ...Object.values(modelSettings), 'parley.apiKeyEnvironmentVariable'],
      () => changed.fire(),
    ),
  );

  async function endpoint(purpose: Purpose): Promise<Endpoint> {
    const baseUrl = readBaseUrl(purpose);
    if (baseUrl === undefined) throw new ServiceError('no-address');
    const apiKey = await keys.get(originOf(baseUrl));
    if (apiKey === undefined && !isLoopback(baseUrl)) throw new ServiceError('no-key', { url: baseUrl });
    const model = readSetting(modelSettings[purpose]).trim();
    if (model === '') throw new ServiceError('no-model', { url: baseUrl, hint: purpose });
    return { baseUrl, model, ...(apiKey === undefined ? {} : { apiKey }) };
  }

  async function missing(purpose: Purpose): Promise<Missing | undefined> {
    try {
      await endpoint(purpose);
      return undefined;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (error.kind === 'no-key') return 'key';
      // The chat panel itself offers to pick a model.
      if (error.kind === 'no-model') return purpose === 'chat' ? undefined : 'model';
      return 'address';
    }
  }

  const connection: Connection & Disposable = {
    baseUrl: readBaseUrl,
    model: (purpose) => readSetting(modelSettings[purpose]).trim(),
    endpoint,
    missing,
    onDidChange: changed.event,
    dispose: () => owned.dispose(),
  };
  const update = async (): Promise<void> => {
    const chat = await missing('chat');
    await setContext('parley.connected', chat === undefined);
    await setContext('parley.keyMissing', chat === 'key');
    await setContext('parley.embeddings.connected', (await missing('embeddings')) === undefined);
  };
  owned.add(changed.event(update));
  void update();
  return connection;
}
