import * as l10n from '@vscode/l10n';
import { repositoryName } from '../../team/repositoryName.ts';
import type { CliContext } from '../cliContext.ts';
import { CliProblem } from '../cliProblem.ts';

type Environment = CliContext['environment'];

/** The most UTF-16 units of a name. */
const longestName = 500;

/** The address of the database of a team, where there is one. It holds a password, so it is no argument. */
export function storeAddress(environment: Environment): string | undefined {
  return environment['PARLEY_STORE']?.trim() || undefined;
}

/** The same for what cannot be done without. @throws CliProblem where there is none */
export function neededAddress(environment: Environment): string {
  const address = storeAddress(environment);
  if (address !== undefined) return address;
  throw new CliProblem(
    l10n.t('No team index is set: the environment variable PARLEY_STORE is empty.'),
    l10n.t('Put the address of its database into it: postgres://user:password@host:port/database.'),
  );
}

/**
 * Names the repository of a folder in the index of a team: as it is named here, as PARLEY_STORE_REPOSITORY has it, or by its remote.
 * @throws CliProblem for a name that is none
 */
export function repositoryNamer(
  environment: Environment,
  named: string | undefined,
): (root: string, signal: AbortSignal) => Promise<string> {
  const name = (named ?? (environment['PARLEY_STORE_REPOSITORY'] || undefined))?.trim();
  if (name === undefined) return repositoryName;
  if (name === '' || name.length > longestName) {
    throw new CliProblem(
      l10n.t('The name of a repository has 1 to {0} characters.', longestName),
      l10n.t('Look at --repository, or at PARLEY_STORE_REPOSITORY in the environment.'),
    );
  }
  return async () => name;
}
