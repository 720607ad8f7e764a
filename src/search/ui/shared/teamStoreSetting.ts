import { type Disposable, type Event, EventEmitter, type ExtensionContext, workspace } from 'vscode';
import { Disposables } from '../../../editor/disposables.ts';
import { readSetting } from '../../../editor/settings.ts';
import type { TeamStoreAddress } from '../../team/teamStore.ts';

/** The store of the team that is set. Its address may hold a password, so it lies in the secret storage of VS Code. */
export interface TeamStoreSetting extends Disposable {
  /** The store to exchange vectors with; undefined where none is set, or it is turned off. */
  read(): Promise<TeamStoreAddress | undefined>;
  /** Whether there is an address, used or not. */
  has(): Promise<boolean>;
  keep(address: string): Promise<void>;
  forget(): Promise<void>;
  /** Fires when another store, or none, is to be used. */
  readonly onDidChange: Event<void>;
}

const secret = 'parley.teamStore';

export function createTeamStoreSetting({ secrets }: Pick<ExtensionContext, 'secrets'>): TeamStoreSetting {
  const owned = new Disposables();
  const changed = owned.add(new EventEmitter<void>());
  owned.add(secrets.onDidChange(({ key }) => key === secret && changed.fire()));
  owned.add(
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('parley.search.store')) changed.fire();
    }),
  );
  return {
    async read() {
      if (readSetting('parley.search.store') !== 'postgres') return undefined;
      const address = await secrets.get(secret);
      return address === undefined ? undefined : { address };
    },
    has: async () => (await secrets.get(secret)) !== undefined,
    keep: async (address) => secrets.store(secret, address),
    forget: async () => secrets.delete(secret),
    onDidChange: changed.event,
    dispose: () => owned.dispose(),
  };
}
