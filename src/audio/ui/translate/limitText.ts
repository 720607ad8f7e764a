import { l10n } from 'vscode';
import { formatSize } from '../../../editor/sentences/formatUnits.ts';
import type { UploadLimit } from '../../jobs/uploadLimit.ts';

/** A line for the question before sending, where requests are smaller than what is set. */
export function limitText({ learned }: UploadLimit): string[] {
  if (learned === undefined) return [];
  return [
    l10n.t('Of at most {0} each, as the service has refused a larger one in the last 7 days', formatSize(learned)),
  ];
}
