import * as z from 'zod/mini';
import type { Connection } from '../editor/connection.ts';
import type { Keys } from '../editor/keys.ts';
import { ApiKey, cleanApiKey } from '../service/apiKey.ts';
import { type Endpoint, isLoopback, normaliseBaseUrl, originOf } from '../service/endpoint.ts';
import { ServiceError } from '../service/errors.ts';

/** Where models come from. */
export interface Source {
  readonly baseUrl: string;
  /** The key that was typed along with this address. Without one, the key kept for its origin is used. */
  readonly apiKey?: ApiKey;
  /** Models that the user named: these are offered whatever the service lists. */
  readonly named: readonly string[];
}

/** The service of the settings; undefined when none is set. Throws `bad-address`. */
export function sourceOfSettings(connection: Connection): Source | undefined {
  const baseUrl = connection.baseUrl('chat');
  const model = connection.model('chat');
  return baseUrl === undefined ? undefined : { baseUrl, named: model === '' ? [] : [model] };
}

/** What VS Code's form asks for, as `languageModelChatProviders` in package.json has it. */
const groupSchema = z.looseObject({
  url: z.string(),
  apiKey: z.optional(z.string()),
  models: z.optional(z.string()),
});

/**
 * A service that was added by VS Code's own form.
 * @throws ServiceError `bad-address` when what was typed is no address
 */
export function sourceOfGroup(configuration: unknown): Source {
  const group = groupSchema.safeParse(configuration);
  const address = normaliseBaseUrl(group.success ? group.data.url : '');
  if (!address.ok) throw new ServiceError('bad-address', { hint: address.problem });
  const key = cleanApiKey(group.data?.apiKey ?? '');
  return {
    baseUrl: address.baseUrl,
    ...(key === undefined ? {} : { apiKey: new ApiKey(key) }),
    named: (group.data?.models ?? '').split(/[\s,;]+/).filter(Boolean),
  };
}

/** Address and key for a request; throws `no-key` when another machine would be called without one. */
export async function addressAndKey(
  { baseUrl, apiKey }: Pick<Source, 'baseUrl' | 'apiKey'>,
  keys: Keys,
): Promise<Omit<Endpoint, 'model'>> {
  const key = apiKey ?? (await keys.get(originOf(baseUrl)));
  if (key === undefined && !isLoopback(baseUrl)) throw new ServiceError('no-key', { url: baseUrl });
  return key === undefined ? { baseUrl } : { baseUrl, apiKey: key };
}
