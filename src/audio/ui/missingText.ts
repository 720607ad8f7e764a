import { l10n } from 'vscode';
import { formatSize } from '../../editor/sentences/formatUnits.ts';
import type { MissingSound } from '../split/thread/splitMethods.ts';
import { formatTime } from '../transcript/timestamps.ts';

/** What of a recording could not be sent: `the file ends at 2:08 of 3:31`. */
export function missingText(missing: MissingSound | undefined): string {
  if (missing === undefined) return '';
  const { end, promised, rest = 0 } = missing;
  if (promised !== undefined)
    return l10n.t('the file ends at {0} of {1}', formatTime(Math.round(end)), formatTime(Math.round(promised)));
  return rest > 0 ? l10n.t('{0} behind the sound could not be read', formatSize(rest)) : '';
}
