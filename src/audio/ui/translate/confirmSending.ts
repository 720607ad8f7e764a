import { l10n } from 'vscode';
import type { Notices } from '../../../editor/notices.ts';
import { formatDuration, formatSize, priceText } from '../../../editor/sentences/formatUnits.ts';
import { readSetting } from '../../../editor/settings.ts';
import { plain } from '../../../editor/text/plainText.ts';
import { window } from '../../../editor/text/window.ts';
import type { AudioTask } from '../../../service/audio/audio.ts';
import type { Endpoint } from '../../../service/endpoint.ts';
import type { SendingEstimate, SentPart, TrackQuestion } from '../../jobs/sending/estimateSending.ts';
import type { UploadLimit } from '../../jobs/uploadLimit.ts';
import { mostTokens } from '../../prompt/translationPrompt.ts';
import { taskText } from '../tasks/taskText.ts';
import { limitText } from './limitText.ts';
import { trackText } from './trackText.ts';

/** Requests that are sent without a question, as many short recordings are few minutes. */
const mostUnasked = 20;

/**
 * Asks before more audio is sent than the setting allows without a question, or in more requests than a few, and where there are
 * several tracks that may be meant. Where nothing is asked, what would be better converted first is told.
 * @returns whether to go on; `tracks`: other tracks are to be chosen first
 */
export async function confirmSending(
  estimate: SendingEstimate,
  endpoint: Endpoint,
  limit: UploadLimit,
  notices: Notices,
  task: AudioTask = 'translate',
): Promise<boolean | 'tracks'> {
  const { recordings, requests, seconds, several, convertible } = estimate;
  // What is there already is taken, and what cannot be read says so.
  if (requests.length === 0) return true;
  const most = Math.max(0, Number(readSetting('parley.audio.askAboveMinutes')) || 0);
  // At 0 it is asked about every recording, also where no length is known.
  if (most > 0 && seconds / 60 <= most && requests.length <= mostUnasked && several.length === 0) {
    if (convertible !== undefined && convertible.bytes >= leastTold) void notices.info(convertText(convertible));
    return true;
  }
  const { verb: yes, askOne, ask, goesTo } = taskText(task);
  const question = recordings === 1 ? askOne : ask(recordings);
  const other = l10n.t('Choose Another Track…');
  const buttons = several.length > 0 ? [yes, other] : [yes];
  const goes = goesTo(recordings, new URL(endpoint.baseUrl).host, plain(endpoint.model));
  const detail = [goes, ...linesOf(estimate, limit)].join('\n');
  const answer = await window.showInformationMessage(question, { modal: true, detail }, ...buttons);
  return answer === other ? 'tracks' : answer === yes;
}

/** How much is sent, and what that costs. */
function linesOf(
  { recordings, seconds, unknown, requests, pieces, kept, unreadable, isAbout, convertible, ...rest }: SendingEstimate,
  limit: UploadLimit,
): string[] {
  const { promptTokens, terms, ofTerms } = rest;
  const bytes = requests.reduce((sum, each) => sum + each.bytes, 0);
  const size = formatSize(bytes);
  const price = priceOf(requests);
  return [
    ...tracksText(rest.several, recordings),
    unknown > 0 ? l10n.t('Audio: about {0}', formatDuration(seconds)) : l10n.t('Audio: {0}', formatDuration(seconds)),
    requests.every(({ isExact }) => isExact) ? l10n.t('To send: {0}', size) : l10n.t('To send: about {0}', size),
    requestsText(requests.length, pieces, isAbout),
    ...limitText(limit),
    ...(kept > 0 ? [l10n.t('Pieces whose text is there from before, and which are not sent: {0}', kept)] : []),
    ...(price === undefined ? [] : [price]),
    ...(promptTokens > 0 ? [l10n.t('Prompt and glossary: about {0} of {1} tokens', promptTokens, mostTokens)] : []),
    ...(terms < ofTerms ? [l10n.t('Terms of the glossary that fit: {0} of {1}', terms, ofTerms)] : []),
    ...(unknown > 0 ? [l10n.t('Recordings whose length is estimated from their size: {0}', unknown)] : []),
    ...(unreadable > 0 ? [l10n.t('Recordings that cannot be read, and are not sent: {0}', unreadable)] : []),
    ...(convertible === undefined ? [] : [convertText(convertible)]),
  ];
}

function requestsText(requests: number, pieces: number, isAbout: boolean): string {
  const count = isAbout ? l10n.t('about {0}', requests) : String(requests);
  if (pieces === 0 || requests === 1) return l10n.t('Requests: {0}', count);
  if (pieces === requests) return l10n.t('Requests: {0}, one for each piece', count);
  return l10n.t('Requests: {0}, {1} of them with pieces of long recordings', count, pieces);
}

/** Each request is paid for as if it had some seconds at least. */
function priceOf(requests: readonly SentPart[]): string | undefined {
  const least = Math.max(0, Number(readSetting('parley.audio.minimumBilledSeconds')) || 0);
  const billed = requests.reduce((sum, { seconds }) => sum + Math.max(least, seconds), 0);
  const price = priceText(billed / 60, Number(readSetting('parley.audio.pricePerMinute')));
  if (price === undefined) return undefined;
  return requests.some(({ seconds }) => seconds < least)
    ? l10n.t('Price: about {0}, with {1} s at least for each request', price, least)
    : l10n.t('Price: about {0}', price);
}

/** Bytes of recordings that would be few if they were converted, of which that is told where nothing is asked. */
const leastTold = 10_000_000;

const convertText = ({ bytes, asSpeech }: NonNullable<SendingEstimate['convertible']>): string =>
  l10n.t(
    'As MP3 or Opus, {0} would be about {1}: convert it first to send less.',
    formatSize(bytes),
    formatSize(asSpeech),
  );

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
