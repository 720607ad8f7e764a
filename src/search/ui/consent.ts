import { type Memento, workspace } from 'vscode';
import { originOf } from '../../service/endpoint.ts';

const key = 'parley.search.consent';

/** Whether the user has seen what would be sent and said yes: once for this set of folders and an origin. */
export interface Consent {
  isGiven(baseUrl: string): boolean;
  give(baseUrl: string): Promise<void>;
  withdraw(): Promise<void>;
}

export function createConsent(memory: Memento): Consent {
  const given = (): string[] => memory.get<string[]>(key, []);
  return {
    isGiven: (baseUrl) => given().includes(nameOf(baseUrl)),
    give: async (baseUrl) => memory.update(key, [...given(), nameOf(baseUrl)]),
    withdraw: async () => memory.update(key, undefined),
  };
}

function nameOf(baseUrl: string): string {
  const folders = (workspace.workspaceFolders ?? []).map(({ uri }) => uri.toString()).sort();
  return JSON.stringify([originOf(baseUrl), ...folders]);
}
