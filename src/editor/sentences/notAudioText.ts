import { l10n } from 'vscode';
import type { ServiceError } from '../../base/errors.ts';

/** Why nothing of a file can be translated, and what to do about it. */
export function notAudioSentence({ param, hint = '' }: ServiceError): string {
  switch (param) {
    case undefined:
      return l10n.t('The file {0} does not hold audio, whatever its name says.', hint);
    case 'none':
      return l10n.t('{0} has pictures but no sound.', hint);
    case 'cut':
      return l10n.t('{0} is not whole: the part that says what is in it is missing. Record or copy it again.', hint);
    case 'parts':
      return l10n.t('{0} has hundreds of recordings in it, one after the other; take it apart first.', hint);
    default:
      return l10n.t(
        'The sound of {0} is in {1}, which services do not take; convert it to MP3 or M4A, for example with ffmpeg or Audacity.',
        hint,
        param,
      );
  }
}
