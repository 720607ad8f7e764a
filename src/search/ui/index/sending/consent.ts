import { type Memento, workspace } from 'vscode';
import { originOf } from '../../../../service/endpoint.ts';

const key = 'parley.search.consent';

/** The user's consent to what would be sent, once for this set of folders and an origin. */
export interface Consent {
  isGiven(baseUrl: string): boolean;
  give(baseUrl: string): Promise<void>;
  /** Whether the consent covers a space that is built although there was another, which costs as much again. */
  isGivenAnew(baseUrl: string, space: number): boolean;
  giveAnew(baseUrl: string, space: number): Promise<void>;
  withdraw(): Promise<void>;
}

export function createConsent(memory: Memento): Consent {
  const given = (): string[] => memory.get<string[]>(key, []);
  return {
    isGiven: (baseUrl) => given().includes(nameOf(baseUrl)),
    give: async (baseUrl) => memory.update(key, [...given(), nameOf(baseUrl)]),
    isGivenAnew: (baseUrl, space) => given().includes(nameOf(baseUrl, space)),
    giveAnew: async (baseUrl, space) => memory.update(key, [...given(), nameOf(baseUrl, space)]),
    withdraw: async () => memory.update(key, undefined),
  };
}

function nameOf(baseUrl: string, space?: number): string {
  const folders = (workspace.workspaceFolders ?? []).map(({ uri }) => uri.toString()).sort();
  return JSON.stringify([originOf(baseUrl), ...folders, ...(space === undefined ? [] : [space])]);
}
