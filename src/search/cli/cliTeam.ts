import * as l10n from '@vscode/l10n';
import type { TeamExchange } from '../engine/engineApi.ts';
import type { IndexStoreReason } from '../team/indexStoreError.ts';
import { repositoryName } from '../team/repositoryName.ts';
import { createTeamIndex, type TeamIndex } from '../team/teamIndex.ts';
import { openTeamStore } from '../team/teamStore.ts';
import type { CliContext } from './cliContext.ts';
import { chunksText } from './cliText.ts';

/** The environment variable with the address of the database of a team. It holds a password, so it is no argument. */
const variable = 'PARLEY_STORE';

/** The index of a team, where the environment names its database. */
export function teamOf({ environment }: Pick<CliContext, 'environment'>): TeamIndex | undefined {
  const address = environment[variable]?.trim();
  if (!address) return undefined;
  return createTeamIndex(async (root, signal) =>
    openTeamStore({ address, repository: await repositoryName(root, signal) }, signal),
  );
}

/** What was exchanged, and why not all of it. */
export function teamLines({ taken, given, problem }: TeamExchange): string[] {
  return [
    ...(taken > 0 ? [l10n.t('From the team index: the vectors of {0}.', chunksText(taken))] : []),
    ...(given > 0 ? [l10n.t('To the team index: the vectors of {0}.', chunksText(given))] : []),
    ...(problem === undefined ? [] : [problemText(problem)]),
  ];
}

function problemText(problem: IndexStoreReason): string {
  const texts: Partial<Record<IndexStoreReason, string>> = {
    'bad-address': l10n.t('PARLEY_STORE is no address of a PostgreSQL: postgres://user:password@host:port/database.'),
    unreachable: l10n.t('The team index does not answer; the next run makes up for it.'),
    'refused-login': l10n.t('The team index did not accept the user name or the password in PARLEY_STORE.'),
    'no-database': l10n.t('The server of the team index has no database of this name.'),
    'no-tls': l10n.t('The server of the team index offers no encryption, so no password was sent to it.'),
    'bad-certificate': l10n.t('The certificate of the team index is not one that this machine trusts.'),
    'too-old': l10n.t('The team index needs PostgreSQL 15 or newer.'),
    'no-vectors': l10n.t('The team index needs the extension pgvector 0.8 or newer in its database.'),
    'newer-schema': l10n.t('A newer version of Parley made the team index; this version cannot read it.'),
    'no-index': l10n.t('There is no team index in this database yet, and this user may not make one.'),
    full: l10n.t('The server of the team index has no room left.'),
    'no-rights': l10n.t('This user may not use the team index.'),
  };
  return texts[problem] ?? l10n.t('The team index could not be used ({0}); the next run makes up for it.', problem);
}
