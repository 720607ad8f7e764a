import { type Memento, workspace } from 'vscode';
import type { SharedValue } from '../../../../editor/files/sharedValue.ts';
import { originOf } from '../../../../service/endpoint.ts';
import { type Agreement, agreedFolders, readOlder, withAgreements, withoutFolders } from './agreements.ts';

const key = 'parley.search.consent';

/**
 * The user's consent to what would be sent: once for each folder and origin, in whatever window or workspace the folder is open. A folder
 * that is added to a workspace takes it from no other.
 */
export interface Consent {
  /** The folders of this workspace, as paths, whose files may be sent. */
  agreedRoots(baseUrl: string): Promise<string[]>;
  /** For all folders of this workspace. */
  give(baseUrl: string): Promise<void>;
  /** Whether the consent covers a space that is built although there was another, which costs as much again. */
  isGivenAnew(baseUrl: string, space: number): boolean;
  giveAnew(baseUrl: string, space: number): Promise<void>;
  /** For all folders of this workspace, and all services. */
  withdraw(): Promise<void>;
}

/**
 * @param memory of the workspace: spaces belong to its index
 * @param shared with all windows: the agreements about folders
 */
export function createConsent(memory: Memento, shared: SharedValue): Consent {
  const given = (): string[] => memory.get<string[]>(key, []);
  const { agreements, others } = readOlder(given());
  const isTakenOver =
    agreements.length === 0
      ? Promise.resolve()
      : shared.change((stored) => withAgreements(stored, agreements)).then(() => memory.update(key, others));

  return {
    async agreedRoots(baseUrl) {
      await isTakenOver;
      await shared.refresh();
      const agreed = agreedFolders(shared.current, originOf(baseUrl), folders());
      return (workspace.workspaceFolders ?? []).flatMap(({ uri }) =>
        uri.scheme === 'file' && agreed.includes(uri.toString()) ? [uri.fsPath] : [],
      );
    },
    async give(baseUrl) {
      const added = folders().map((folder): Agreement => [originOf(baseUrl), folder]);
      await shared.change((stored) => withAgreements(stored, added));
    },
    isGivenAnew: (baseUrl, space) => given().includes(nameOf(baseUrl, space)),
    giveAnew: async (baseUrl, space) => memory.update(key, [...given(), nameOf(baseUrl, space)]),
    async withdraw() {
      const now = folders();
      await isTakenOver;
      await Promise.all([shared.change((stored) => withoutFolders(stored, now)), memory.update(key, undefined)]);
    },
  };
}

const folders = (): string[] => (workspace.workspaceFolders ?? []).map(({ uri }) => uri.toString());

function nameOf(baseUrl: string, space: number): string {
  return JSON.stringify([originOf(baseUrl), ...folders().sort(), space]);
}
