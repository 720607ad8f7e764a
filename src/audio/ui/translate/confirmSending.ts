import { l10n } from 'vscode';
import { formatDuration, priceText } from '../../../editor/sentences/formatUnits.ts';
import { readSetting } from '../../../editor/settings.ts';
import { window } from '../../../editor/text/window.ts';
import type { SendingEstimate } from '../../jobs/estimateSending.ts';
import type { UploadLimit } from '../../jobs/uploadLimit.ts';
import { mostTokens } from '../../prompt/translationPrompt.ts';
import { limitText } from './limitText.ts';

/** Asks before more audio is sent than the setting allows without a question. @returns whether to go on */
export async function confirmSending(
  { recordings, seconds, unknown, requests, promptTokens, terms, ofTerms }: SendingEstimate,
  limit: UploadLimit,
): Promise<boolean> {
  const minutes = seconds / 60;
  const most = Math.max(0, Number(readSetting('parley.audio.askAboveMinutes')) || 0);
  // At 0 it is asked about every recording, also where no length is known.
  if (most > 0 && minutes <= most) return true;
  const price = priceText(minutes, Number(readSetting('parley.audio.pricePerMinute')));
  const lines = [
    unknown > 0 ? l10n.t('Audio: about {0}', formatDuration(seconds)) : l10n.t('Audio: {0}', formatDuration(seconds)),
    l10n.t('Requests: {0}', requests),
    ...limitText(limit),
    ...(price === undefined ? [] : [l10n.t('Price: about {0}', price)]),
    ...(promptTokens > 0 ? [l10n.t('Prompt and glossary: about {0} of {1} tokens', promptTokens, mostTokens)] : []),
    ...(terms < ofTerms ? [l10n.t('Terms of the glossary that fit: {0} of {1}', terms, ofTerms)] : []),
    ...(unknown > 0 ? [l10n.t('Recordings whose length is estimated from their size: {0}', unknown)] : []),
  ];
  const yes = l10n.t('Translate');
  const question =
    recordings === 1 ? l10n.t('Translate this recording?') : l10n.t('Translate {0} recordings?', recordings);
  return (await window.showInformationMessage(question, { modal: true, detail: lines.join('\n') }, yes)) === yes;
}
