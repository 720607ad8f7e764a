import { l10n } from 'vscode';
import { formatDuration, priceText } from '../../../editor/sentences/formatUnits.ts';
import { readSetting } from '../../../editor/settings.ts';
import { window } from '../../../editor/text/window.ts';
import type { AudioTask } from '../../../service/audio/audio.ts';
import type { SendingEstimate, TrackQuestion } from '../../jobs/estimateSending.ts';
import type { UploadLimit } from '../../jobs/uploadLimit.ts';
import { mostTokens } from '../../prompt/translationPrompt.ts';
import { taskText } from '../tasks/taskText.ts';
import { limitText } from './limitText.ts';
import { trackText } from './trackText.ts';

/**
 * Asks before more audio is sent than the setting allows without a question, and where there are several tracks that may be meant.
 * @returns whether to go on; `tracks`: other tracks are to be chosen first
 */
export async function confirmSending(
  { recordings, seconds, unknown, requests, promptTokens, terms, ofTerms, several }: SendingEstimate,
  limit: UploadLimit,
  task: AudioTask = 'translate',
): Promise<boolean | 'tracks'> {
  const minutes = seconds / 60;
  const most = Math.max(0, Number(readSetting('parley.audio.askAboveMinutes')) || 0);
  // At 0 it is asked about every recording, also where no length is known.
  if (most > 0 && minutes <= most && several.length === 0) return true;
  const price = priceText(minutes, Number(readSetting('parley.audio.pricePerMinute')));
  const lines = [
    ...tracksText(several, recordings),
    unknown > 0 ? l10n.t('Audio: about {0}', formatDuration(seconds)) : l10n.t('Audio: {0}', formatDuration(seconds)),
    l10n.t('Requests: {0}', requests),
    ...limitText(limit),
    ...(price === undefined ? [] : [l10n.t('Price: about {0}', price)]),
    ...(promptTokens > 0 ? [l10n.t('Prompt and glossary: about {0} of {1} tokens', promptTokens, mostTokens)] : []),
    ...(terms < ofTerms ? [l10n.t('Terms of the glossary that fit: {0} of {1}', terms, ofTerms)] : []),
    ...(unknown > 0 ? [l10n.t('Recordings whose length is estimated from their size: {0}', unknown)] : []),
  ];
  const { verb: yes, askOne, ask } = taskText(task);
  const question = recordings === 1 ? askOne : ask(recordings);
  const other = l10n.t('Choose Another Track…');
  const buttons = several.length > 0 ? [yes, other] : [yes];
  const answer = await window.showInformationMessage(question, { modal: true, detail: lines.join('\n') }, ...buttons);
  return answer === other ? 'tracks' : answer === yes;
}

/** Recordings whose tracks are named. */
const mostNamed = 6;

function tracksText(several: readonly TrackQuestion[], recordings: number): string[] {
  const more = several.length - mostNamed;
  return [
    ...several.slice(0, mostNamed).map(({ recording, tracks, chosen }) => {
      const text = l10n.t('{0} (one of {1})', trackText(chosen), tracks.length);
      return recordings === 1 ? text : `${recording.fileName}: ${text}`;
    }),
    ...(more > 0 ? [l10n.t('and {0} more', more)] : []),
  ];
}
