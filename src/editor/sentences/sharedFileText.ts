import { l10n } from 'vscode';
import type { ServiceError } from '../../base/errors.ts';
import { plain } from '../text/plainText.ts';

/** Why a shared file was not taken, or not written. */
export function sharedFileSentence({ hint, message }: ServiceError): string {
  const about = plain(message, { length: 200 });
  switch (hint) {
    case 'missing':
      return l10n.t('The shared file {0} is not there, or cannot be read.', about);
    case 'not-written':
      return l10n.t('The shared file could not be written to {0}; choose another place for it.', about);
    case 'bad-address':
      return l10n.t(
        'A shared file is downloaded from an https address without a user name or password, and this is none.',
      );
    case 'not-one':
      return l10n.t('This is no shared file of Parley; “Export Index…” writes one.');
    case 'newer':
      return l10n.t('The shared file was made by a newer version of Parley; this version cannot read it.');
    case 'no-signature':
      return l10n.t('The shared file is not signed, and only a signed one is taken here.');
    case 'wrong-signature':
      return l10n.t('The shared file was not signed with the key to this public one, so nothing of it was taken.');
    case 'bad-key':
      return l10n.t('What should be the key is none: Parley takes an Ed25519 key as PEM, without a passphrase.');
    case 'model':
      return l10n.t('The shared file has vectors of the model {0}, and another one is chosen here.', about);
    case 'service':
      return l10n.t('The shared file has vectors that {0} gave, and another service is connected here.', about);
    case 'length':
      return l10n.t('The vectors of the shared file have another length than those of the index, so none was taken.');
    case 'empty':
      return l10n.t('The index has no vectors of this model yet that could be shared.');
    default:
      return l10n.t('The shared file is damaged or was cut off, so nothing of it was taken.');
  }
}
