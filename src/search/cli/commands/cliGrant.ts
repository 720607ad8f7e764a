import * as l10n from '@vscode/l10n';
import { IndexStoreError } from '../../team/indexStoreError.ts';
import { openTeamStore } from '../../team/teamStore.ts';
import { type CliContext, foldersOf, type RunCommand } from '../cliContext.ts';
import { CliProblem, exitCode } from '../cliProblem.ts';
import { neededAddress, repositoryNamer } from '../team/cliStore.ts';
import { teamNext, teamSentence } from '../team/teamSentences.ts';

type OpenedStore = Awaited<ReturnType<typeof openTeamStore>>;

/** `grant`: lets a login of the server search, or index, the repository of a folder. */
export const runCliGrant: RunCommand = async (context) => {
  const { args, terminal, signal } = context;
  const [login = '', role, ...more] = args.positionals;
  if (login === '' || (role !== 'reader' && role !== 'indexer') || more.length > 0) {
    throw new CliProblem(
      l10n.t('“grant” takes a login of the server, and “reader” or “indexer”.'),
      l10n.t('A reader searches; an indexer writes, too: parley-search grant anna reader'),
    );
  }
  return withRepository(context, login, async (store, repository) => {
    const has = await store.grant(login, role, signal);
    if (args.has('json')) terminal.json({ login, role: has, repository });
    else terminal.out(grantedText(login, repository, role, has));
    return exitCode.done;
  });
};

function grantedText(login: string, repository: string, asked: string, has: string): string {
  if (has === 'reader') return l10n.t('{0} may search {1}.', login, repository);
  if (asked === has) return l10n.t('{0} may search and index {1}.', login, repository);
  return l10n.t(
    '{0} may index {1} already; to have it search alone, run “parley-search revoke” first.',
    login,
    repository,
  );
}

/** `revoke`: takes away what was granted to a login for the repository of a folder. */
export const runCliRevoke: RunCommand = async (context) => {
  const { args, terminal, signal } = context;
  const [login = '', ...more] = args.positionals;
  if (login === '' || more.length > 0) {
    throw new CliProblem(
      l10n.t('“revoke” takes a login of the server.'),
      l10n.t('Give it as: parley-search revoke anna'),
    );
  }
  return withRepository(context, login, async (store, repository) => {
    const isRevoked = await store.revoke(login, signal);
    if (args.has('json')) terminal.json({ login, repository, isRevoked });
    else if (isRevoked) terminal.out(l10n.t('{0} may use {1} no longer.', login, repository));
    else terminal.note(l10n.t('Nothing of {1} was granted to {0}.', login, repository));
    return isRevoked ? exitCode.done : exitCode.nothing;
  });
};

/** Works with the store of the repository of a folder. @throws CliProblem why it cannot be done */
async function withRepository(
  { args, cwd, environment, signal }: CliContext,
  login: string,
  work: (store: OpenedStore, repository: string) => Promise<number>,
): Promise<number> {
  const address = neededAddress(environment);
  const nameOf = repositoryNamer(environment, args.text('repository'));
  const [folder = cwd] = await foldersOf(cwd, args.texts('folder').slice(-1));
  const repository = await nameOf(folder, signal);
  let store: OpenedStore | undefined;
  try {
    store = await openTeamStore({ address, repository }, signal);
    return await work(store, repository);
  } catch (error) {
    if (!(error instanceof IndexStoreError) || signal.aborted) throw error;
    throw storeProblem(error, login);
  } finally {
    await store?.close();
  }
}

function storeProblem({ reason, detail }: IndexStoreError, login: string): CliProblem {
  if (detail === 'login') {
    return new CliProblem(
      l10n.t('The server has no login “{0}”.', login),
      l10n.t('Have it made there first, with CREATE ROLE … LOGIN.'),
    );
  }
  if (detail === 'group') {
    return new CliProblem(
      l10n.t('“{0}” is a group of the server, and nobody logs in as one.', login),
      l10n.t('Name the logins of its members, one after the other.'),
    );
  }
  return new CliProblem(teamSentence(reason, 'own'), teamNext(reason, l10n.t('Try it again in a moment.'), 'own'));
}
