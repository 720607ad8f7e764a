import { l10n } from 'vscode';
import { plain } from '../text/plainText.ts';

/**
 * Why the store of a team cannot be used.
 * @param reason as `IndexStoreReason` of search/team/ has them
 * @param detail a version, or what is wrong with an address
 */
export function teamStoreSentence(reason = '', detail = ''): string {
  const about = plain(detail, { length: 60 });
  switch (reason) {
    case 'bad-address':
      return ['sslmode', 'channel_binding', 'parameter'].includes(detail)
        ? l10n.t(
            'The address of the team index has a parameter that Parley does not know; it takes sslmode and channel_binding.',
          )
        : l10n.t('This is no address of a PostgreSQL: Parley takes postgres://user:password@host:port/database.');
    case 'unreachable':
      return l10n.t('The team index does not answer: there is no PostgreSQL at its address now.');
    case 'refused-login':
      return l10n.t('The team index did not accept the user name or the password.');
    case 'no-database':
      return l10n.t('The server of the team index has no database of this name.');
    case 'no-tls':
      return l10n.t('The server of the team index offers no encryption, so Parley does not send it a password.');
    case 'bad-certificate':
      return l10n.t('The certificate of the team index is not one that this machine trusts.');
    case 'too-old':
      return l10n.t('The team index needs PostgreSQL 15 or newer; the server has {0}.', about);
    case 'no-vectors':
      return l10n.t('The team index needs the extension pgvector 0.8 or newer in its database.');
    case 'newer-schema':
      return l10n.t('A newer version of Parley made the team index; this version cannot read it.');
    case 'no-index':
      return l10n.t('There is no team index in this database yet, and this user may not make one.');
    case 'read-only':
      return l10n.t('The team index can only be read at the moment.');
    case 'full':
      return l10n.t('The server of the team index has no room left.');
    case 'no-rights':
      return l10n.t('This user may not use the team index.');
    case 'busy':
    case 'timeout':
      return l10n.t('The server of the team index is too busy to answer in time.');
    default:
      return l10n.t('The server of the team index gave an answer that Parley did not expect ({0}).', about || '–');
  }
}
