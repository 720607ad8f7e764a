/** The index of this machine, as a store like any other. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../src/search/store/store.ts';
import { createLocalIndexStore } from '../../src/search/team/localIndexStore.ts';
import { indexStoreContract } from './indexStoreContract.ts';

indexStoreContract('this machine', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'parley-local-store-'));
  const store = openStore(directory);
  return {
    open: async (repository) => createLocalIndexStore(() => store, repository),
    async stop() {
      store.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
});
