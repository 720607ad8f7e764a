import * as l10n from '@vscode/l10n';
import type { IndexStoreReason } from '../../team/indexStoreError.ts';

/** What was asked of the index of a team: to be read, to be written to, or to let somebody in. */
export type TeamWish = 'read' | 'write' | 'own';

/** Why the index of a team could not be used, in a sentence. */
export function teamSentence(reason: IndexStoreReason, wish: TeamWish = 'read'): string {
  const texts: Partial<Record<IndexStoreReason, string>> = {
    'bad-address': l10n.t('PARLEY_STORE is no address of a PostgreSQL: postgres://user:password@host:port/database.'),
    unreachable: l10n.t('The team index does not answer.'),
    'refused-login': l10n.t('The team index did not accept the user name or the password in PARLEY_STORE.'),
    'no-database': l10n.t('The server of the team index has no database of this name.'),
    'no-tls': l10n.t('The server of the team index offers no encryption, so no password was sent to it.'),
    'bad-certificate': l10n.t('The certificate of the team index is not one that this machine trusts.'),
    'too-old': l10n.t('The team index needs PostgreSQL 15 or newer.'),
    'no-vectors': l10n.t('The team index needs the extension pgvector 0.8 or newer in its database.'),
    'newer-schema': l10n.t('A newer version of Parley made the team index; this version cannot read it.'),
    'no-index': l10n.t('There is no team index in this database yet, and this user may not make one.'),
    'read-only': l10n.t('The team index can only be read at the moment.'),
    full: l10n.t('The server of the team index has no room left.'),
    'no-rights': noRights(wish),
    busy: tooBusy(),
    timeout: tooBusy(),
  };
  return texts[reason] ?? l10n.t('The team index could not be used ({0}).', reason);
}

const tooBusy = (): string => l10n.t('The server of the team index is too busy to answer in time.');

function noRights(wish: TeamWish): string {
  if (wish === 'write') return l10n.t('This user may not write to this repository in the team index.');
  if (wish === 'own') return l10n.t('Only the owner of the team index may do this.');
  return l10n.t('This user may not use this repository in the team index.');
}

/** What to do about it. @param otherwise where all that helps is to try again */
export function teamNext(reason: IndexStoreReason, otherwise: string, wish: TeamWish = 'read'): string {
  const texts: Partial<Record<IndexStoreReason, string>> = {
    'bad-address': l10n.t(
      'What is no letter or digit in a password is written as %40 and the like; sslmode and channel_binding are the parameters that are taken.',
    ),
    'refused-login': l10n.t('Look at the address in PARLEY_STORE.'),
    'no-database': l10n.t('Look at the end of the address in PARLEY_STORE.'),
    'no-tls': l10n.t(
      'Turn TLS on at the server, and leave sslmode out of PARLEY_STORE; only one on this machine is spoken to without it.',
    ),
    'bad-certificate': l10n.t('Name the file of its authority with NODE_EXTRA_CA_CERTS.'),
    'too-old': l10n.t('Have the server updated.'),
    'no-vectors': l10n.t('Have “CREATE EXTENSION vector” run there, or the extension updated.'),
    'newer-schema': l10n.t('Update Parley.'),
    'no-index': l10n.t('Have it used first by somebody who may create a schema there.'),
    full: l10n.t('Free some there; nothing is lost meanwhile.'),
    'no-rights':
      wish === 'own'
        ? l10n.t('Put the address with the login of its owner into PARLEY_STORE.')
        : l10n.t('Its owner can allow it with “parley-search grant”.'),
  };
  return texts[reason] ?? otherwise;
}
