import { l10n } from 'vscode';

/** @param reason why the pieces of a recording could not be written */
export function piecesSentence(reason: string | undefined): string {
  return reason === 'full'
    ? l10n.t('The disk is full, so the recording cannot be cut into pieces; what came back of it is kept.')
    : l10n.t('The pieces of the recording could not be written to the disk; what came back of it is kept.');
}

/** @param reason why the files of the index could not be read or written */
export function storageSentence(reason: string | undefined): string {
  switch (reason) {
    case 'full':
      return l10n.t('The disk is full, so the index cannot grow; what is in it stays and can be searched.');
    case 'read-only':
      return l10n.t(
        'The folder in which Parley keeps the index cannot be written to, so the index stays as it is; what is in it can be searched.',
      );
    case 'damaged':
      return l10n.t(
        'The index is damaged on the disk; the damaged part is not used any more, and the next run builds it again.',
      );
    case 'busy':
      return l10n.t('Another window is writing to the index; try again in a moment.');
    case 'sqlite':
      return l10n.t(
        'This VS Code has no database for the index (node:sqlite with FTS5); version 1.101 or newer has one.',
      );
    default:
      return l10n.t('The index could not be read or written on the disk, which may be over a quota or failing.');
  }
}
