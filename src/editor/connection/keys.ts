import type { Event, ExtensionContext } from 'vscode';
import { ApiKey, cleanApiKey } from '../../service/apiKey.ts';
import { originOf, type ServiceAccess } from '../../service/endpoint.ts';
import { readSetting } from '../settings.ts';

/** The API keys, each kept in SecretStorage under the origin it was entered for, and given out for that origin only. */
export interface Keys {
  /** The key for an origin: the stored one, else the environment variable of the user's choice if it may go there. */
  get(origin: string): Promise<ApiKey | undefined>;
  /** A service with the key that comes along with it, else with the one for its origin, where there is one. */
  withKey(service: ServiceAccess): Promise<ServiceAccess>;
  has(origin: string): Promise<boolean>;
  /** The key in the environment variable of the user's choice, for an origin that the user is about to put into the settings. */
  fromEnvironment(): ApiKey | undefined;
  /** The environment variable of the user's choice where a key for the origin is looked for in it, and it is not set. */
  missingVariable(origin: string): string | undefined;
  set(origin: string, key: ApiKey): Promise<void>;
  remove(origin: string): Promise<void>;
  /** The origins a key is stored for. */
  origins(): Promise<string[]>;
  onDidChange: Event<unknown>;
}

const prefix = 'apiKey ';

/**
 * @param allowedOrigins origins the user's own settings name: the only ones the environment variable's key is for
 */
export function createKeys(
  context: ExtensionContext,
  allowedOrigins: () => readonly string[],
  environment: NodeJS.ProcessEnv,
): Keys {
  const { secrets } = context;

  function fromEnvironment(): ApiKey | undefined {
    const variable = readSetting('parley.apiKeyEnvironmentVariable').trim();
    const value = variable === '' ? undefined : cleanApiKey(environment[variable] ?? '');
    return value === undefined ? undefined : new ApiKey(value);
  }

  async function get(origin: string): Promise<ApiKey | undefined> {
    const stored = await secrets.get(prefix + origin);
    if (stored !== undefined) return new ApiKey(stored);
    return allowedOrigins().includes(origin) ? fromEnvironment() : undefined;
  }

  return {
    get,
    withKey: async ({ baseUrl, apiKey }) => ({ baseUrl, apiKey: apiKey ?? (await get(originOf(baseUrl))) }),
    fromEnvironment,
    missingVariable(origin) {
      const variable = readSetting('parley.apiKeyEnvironmentVariable').trim();
      const isSought = variable !== '' && allowedOrigins().includes(origin);
      return isSought && fromEnvironment() === undefined ? variable : undefined;
    },
    has: async (origin) => (await get(origin)) !== undefined,
    set: async (origin, key) => secrets.store(prefix + origin, key.reveal()),
    remove: async (origin) => secrets.delete(prefix + origin),
    origins: async () => {
      const stored = await secrets.keys();
      return stored.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
    },
    onDidChange: secrets.onDidChange,
  };
}
