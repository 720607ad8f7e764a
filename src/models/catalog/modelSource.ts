import * as z from 'zod/mini';
import { ServiceError } from '../../base/errors.ts';
import type { Connection } from '../../editor/connection/connection.ts';
import { ApiKey, cleanApiKey } from '../../service/apiKey.ts';
import { normaliseBaseUrl, type ServiceAccess } from '../../service/endpoint.ts';

/** A service that offers models. It has a key where one was typed along with the address, else that of its origin is used. */
export interface Source extends ServiceAccess {
  /** Models that the user named: these are offered whatever the service lists. */
  readonly named: readonly string[];
}

/** The service of the settings; undefined when none is set. Throws `bad-address`. */
export function sourceOfSettings(connection: Connection): Source | undefined {
  const baseUrl = connection.baseUrl('chat');
  const model = connection.model('chat');
  return baseUrl === undefined ? undefined : { baseUrl, named: model === '' ? [] : [model] };
}

/** The fields of VS Code's form, as `languageModelChatProviders` in package.json has them. */
const groupSchema = z.looseObject({
  url: z.string(),
  apiKey: z.optional(z.string()),
  models: z.optional(z.string()),
});

/**
 * A service that was added by VS Code's own form.
 * @throws ServiceError `bad-address` when the typed text is no address
 */
export function sourceOfGroup(configuration: unknown): Source {
  const group = groupSchema.safeParse(configuration);
  const address = normaliseBaseUrl(group.success ? group.data.url : '');
  if (!address.ok) throw new ServiceError('bad-address', { hint: address.problem });
  const key = cleanApiKey(group.data?.apiKey ?? '');
  return {
    baseUrl: address.baseUrl,
    apiKey: key === undefined ? undefined : new ApiKey(key),
    named: (group.data?.models ?? '').split(/[\s,;]+/).filter(Boolean),
  };
}
