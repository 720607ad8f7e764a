import { l10n } from 'vscode';
import { formatDuration } from '../../../editor/sentences/formatUnits.ts';
import { readSetting } from '../../../editor/settings.ts';
import { window } from '../../../editor/text/window.ts';
import { mostTokens } from '../../prompt/translationPrompt.ts';

/** What is about to be sent. */
export interface SendingEstimate {
  readonly recordings: number;
  /** Of all recordings whose length is known. */
  readonly seconds: number;
  /** Recordings whose length is not known. */
  readonly unknown: number;
  readonly requests: number;
  /** Of the setting's words and the glossary, which go with each request. */
  readonly promptTokens: number;
}

/** Asks before more audio is sent than the setting allows without a question. @returns whether to go on */
export async function confirmSending({
  recordings,
  seconds,
  unknown,
  requests,
  promptTokens,
}: SendingEstimate): Promise<boolean> {
  const minutes = seconds / 60;
  const most = Math.max(0, Number(readSetting('parley.audio.askAboveMinutes')) || 0);
  // At 0 it is asked about every recording, also where no length is known.
  if (most > 0 && minutes <= most) return true;
  const price = Number(readSetting('parley.audio.pricePerMinute'));
  const lines = [
    l10n.t('Audio: {0}', formatDuration(seconds)),
    l10n.t('Requests: {0}', requests),
    ...(price > 0 ? [l10n.t('Price: about {0}', (minutes * price).toFixed(2))] : []),
    ...(promptTokens > 0 ? [l10n.t('Prompt and glossary: about {0} of {1} tokens', promptTokens, mostTokens)] : []),
    ...(unknown > 0 ? [l10n.t('Recordings of unknown length: {0}', unknown)] : []),
  ];
  const yes = l10n.t('Translate');
  const question =
    recordings === 1 ? l10n.t('Translate this recording?') : l10n.t('Translate {0} recordings?', recordings);
  return (await window.showInformationMessage(question, { modal: true, detail: lines.join('\n') }, yes)) === yes;
}
