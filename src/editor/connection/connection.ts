import { type Disposable, type Event, EventEmitter } from 'vscode';
import { ServiceError } from '../../base/errors.ts';
import type { SettingId } from '../../ids/settingIds.ts';
import { type Endpoint, normaliseBaseUrl, originOf, requireKey, type ServiceAccess } from '../../service/endpoint.ts';
import type { Purpose } from '../../service/models/models.ts';
import { setContext } from '../contextKeys.ts';
import { Disposables } from '../disposables.ts';
import { onSettingChange, readSetting } from '../settings.ts';
import type { Keys } from './keys.ts';

export type MissingSetting = 'address' | 'key' | 'model';

/** A connection that is tried before it is kept: it stands in for the settings and for the stored key of its origin. */
export interface Draft extends ServiceAccess {
  readonly models: Readonly<Partial<Record<Purpose, string>>>;
}

/** Answers where a request for a purpose goes: the address, key and model the user set. */
export interface Connection {
  /** The base URL for a purpose, or undefined when none is set. Throws `bad-address` for one that is no address. */
  baseUrl(purpose: Purpose): string | undefined;
  model(purpose: Purpose): string;
  /**
   * Everything a request needs; throws `no-address`, `bad-address`, `no-key` or `no-model`.
   * @param ownModel in the place of the one that is set
   */
  endpoint(purpose: Purpose, draft?: Draft, ownModel?: string): Promise<Endpoint>;
  /** The first thing that a request for a purpose lacks; a chat model is not counted. Undefined: nothing. */
  missing(purpose: Purpose): Promise<MissingSetting | undefined>;
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

/**
 * The base URL set for a purpose; embeddings and audio fall back to the chat address.
 * @param chatUrl in the place of the chat address that is set
 */
function readBaseUrl(purpose: Purpose, chatUrl?: string): string | undefined {
  const own = purpose === 'chat' ? '' : String(readSetting(addressSettings[purpose]) ?? '').trim();
  const text = own || (chatUrl ?? readSetting('parley.baseUrl'));
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

  async function endpoint(purpose: Purpose, draft?: Draft, ownModel?: string): Promise<Endpoint> {
    const baseUrl = readBaseUrl(purpose, draft?.baseUrl);
    if (baseUrl === undefined) throw new ServiceError('no-address');
    const isDraft = draft !== undefined && originOf(baseUrl) === originOf(draft.baseUrl);
    const access = await keys.withKey({ baseUrl, apiKey: isDraft ? draft.apiKey : undefined });
    const service = requireKey(access, keys.missingVariable(originOf(baseUrl)));
    const set = draft === undefined ? readSetting(modelSettings[purpose]) : (draft.models[purpose] ?? '');
    const model = (ownModel ?? set).trim();
    if (model === '') throw new ServiceError('no-model', { url: baseUrl, hint: purpose });
    return { ...service, model };
  }

  async function missing(purpose: Purpose): Promise<MissingSetting | undefined> {
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
    baseUrl: (purpose) => readBaseUrl(purpose),
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
    await setContext('parley.audio.connected', (await missing('audio')) === undefined);
  };
  owned.add(changed.event(update));
  void update();
  return connection;
}
