import { l10n } from 'vscode';
import { diskReason, isMissing } from '../../../base/diskReason.ts';
import { describeForLog, type Log } from '../../../editor/log.ts';
import type { Notices } from '../../../editor/notices.ts';

/**
 * Tells that a conversation could not be written, once until it could be. It is kept in memory, and written with what comes next.
 * @returns what the history calls after each write
 */
export function createUnsavedNotice(notices: Notices, log: Log): (id: string, error?: unknown) => void {
  const told = new Set<string>();
  return (id, error) => {
    if (error === undefined) {
      told.delete(id);
      return;
    }
    log.error(describeForLog(error));
    if (told.has(id)) return;
    told.add(id);
    void notices.warn(
      l10n.t(
        'This conversation is not saved: {0} It will be tried again while this window is open.',
        unsavedReason(error),
      ),
    );
  };
}

/** Why a conversation could not be written, as the end of a sentence. */
export function unsavedReason(error: unknown): string {
  switch (diskReason(error)) {
    case 'full':
      return l10n.t('the disk is full.');
    case 'read-only':
      return l10n.t('its folder cannot be written to.');
    default:
      return isMissing(error) ? l10n.t('its file is gone.') : l10n.t('the disk gave an error.');
  }
}
