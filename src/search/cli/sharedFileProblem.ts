import * as l10n from '@vscode/l10n';
import type { ServiceError } from '../../base/errors.ts';

/** Why a shared file was not taken, or not written, and what to do next. */
export function sharedFileProblem({ hint, message }: ServiceError): readonly [sentence: string, next: string] {
  const again = l10n.t('Get it again, or let it be written anew with “parley-search export”.');
  switch (hint) {
    case 'missing':
      return [
        l10n.t('The shared file {0} is not there, or cannot be read.', message),
        l10n.t('Look at the path that --from gives.'),
      ];
    case 'not-written':
      return [
        l10n.t('The shared file could not be written to {0}.', message),
        l10n.t('Give a path with --to that is no folder and can be written.'),
      ];
    case 'bad-address':
      return [
        l10n.t('A shared file is downloaded from an https address without a user name or password, and this is none.'),
        l10n.t('Give one that begins with https://, or download it and give its path.'),
      ];
    case 'not-one':
      return [
        l10n.t('This is no shared file of Parley.'),
        l10n.t('“parley-search export” writes one; where this is an address, a login may stand before the file.'),
      ];
    case 'newer':
      return [
        l10n.t('The shared file was made by a newer version of Parley; this version cannot read it.'),
        l10n.t('Update Parley.'),
      ];
    case 'no-signature':
      return [
        l10n.t('The shared file is not signed, and only a signed one is taken here.'),
        l10n.t('Sign it with “parley-search export --sign”, or leave --verify out.'),
      ];
    case 'wrong-signature':
      return [
        l10n.t('The shared file was not signed with the key to this public one, so nothing of it was taken.'),
        l10n.t('Ask who made it for the public key, by another way than the one the file came by.'),
      ];
    case 'bad-key':
      return [
        l10n.t('What should be the key is none: Parley takes an Ed25519 key as PEM, without a passphrase.'),
        l10n.t('“openssl genpkey -algorithm ed25519” makes one.'),
      ];
    case 'model':
      return [
        l10n.t('The shared file has vectors of the model {0}, and the index is of another one.', message),
        l10n.t('Take a file of the same model, or keep another index with --index.'),
      ];
    case 'service':
      return [
        l10n.t('The shared file has vectors that {0} gave, and the index is of another service.', message),
        l10n.t('Add --any-service, where both have the same model.'),
      ];
    case 'length':
      return [
        l10n.t('The vectors of the shared file have another length than those of the index, so none was taken.'),
        again,
      ];
    case 'empty':
      return [
        l10n.t('The index has no vectors of this model yet that could be shared.'),
        l10n.t('Get them with “parley-search index”, --url and --model.'),
      ];
    default:
      return [l10n.t('The shared file is damaged or was cut off, so nothing of it was taken.'), again];
  }
}
