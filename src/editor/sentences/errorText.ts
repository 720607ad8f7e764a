import { l10n } from 'vscode';
import type { ErrorKind, ServiceError } from '../../base/errors.ts';
import { Command } from '../../ids/ids.ts';
import { type PlainText, plain } from '../text/plainText.ts';
import {
  type Button,
  connect,
  openSettings,
  otherFile,
  pickModel,
  setKey,
  setTeamStore,
  showLog,
} from './errorButtons.ts';
import { gitSentence, globSentence, isAboutGlobs, patternSentence } from './narrowingText.ts';
import { noKeySentence } from './noKeyText.ts';
import { notAudioSentence } from './notAudioText.ts';
import { notFoundSentence } from './notFoundText.ts';
import { waitText } from './relativeTime.ts';
import { sharedFileSentence } from './sharedFileText.ts';
import { piecesSentence, storageSentence } from './storageText.ts';
import { teamStoreSentence } from './teamStoreText.ts';
import { isAboutOwnCertificate, tlsSentence } from './tlsText.ts';

export interface ErrorText {
  /** One sentence: the error, and what to do where no button can do it. */
  sentence: string;
  /** The one action that helps; absent where only a retry does. */
  action?: Button;
  /** Whether a retry can help. */
  canRetry: boolean;
}

/** The text that the user reads for each kind of error. The only such table. */
export function errorText(error: ServiceError): ErrorText & { sentence: PlainText } {
  const text = table[error.kind](error);
  return { ...text, sentence: plain(text.sentence) };
}

const host = (error: ServiceError): string => URL.parse(error.url ?? '')?.host || l10n.t('The service');
/** The service's own words in quotation marks, where it gave any. */
const said = (error: ServiceError): string =>
  error.message === '' ? '' : ` ${l10n.t('It said: “{0}”', brief(error.message))}`;
/** Words from outside, at a length that leaves room for the rest of the sentence. */
const brief = (text = ''): PlainText => plain(text, { length: 400 });
const wait = ({ retryAfterMs = 0 }: ServiceError): string => waitText(retryAfterMs);

const table: Record<ErrorKind, (error: ServiceError) => ErrorText> = {
  'no-address': () => ({ sentence: l10n.t('No service is connected yet.'), action: connect(), canRetry: false }),
  'bad-address': (e) => ({
    sentence:
      e.hint === 'credentials'
        ? l10n.t('The address in the settings holds a user name or password; Parley keeps keys apart from addresses.')
        : l10n.t('The address in the settings is not one Parley can call.'),
    action: connect(),
    canRetry: false,
  }),
  'no-key': (e) => ({ sentence: noKeySentence(host(e), e.param), action: setKey(), canRetry: false }),
  insecure: (e) => ({
    sentence: l10n.t('Parley does not send your key to {0} over plain http, where others could read it.', host(e)),
    action: connect(),
    canRetry: true,
  }),
  'invalid-request': (e) => {
    if (e.param === 'changedSince') {
      return { sentence: l10n.t('Git knows no revision “{0}” here.', brief(e.hint)), canRetry: true };
    }
    if (e.param === 'pattern') return { sentence: patternSentence(e), canRetry: true };
    if (isAboutGlobs(e)) {
      const isSetting = e.param?.startsWith('parley.');
      const action = openSettings(l10n.t('Open Setting'), `@id:${e.param}`);
      return { sentence: globSentence(e), ...(isSetting ? { action } : {}), canRetry: true };
    }
    return {
      sentence: l10n.t(
        'The request field “{0}” has a value it cannot have; it takes {1}.',
        brief(e.param),
        brief(e.hint),
      ),
      action: e.param?.startsWith('parley.audio.')
        ? openSettings(l10n.t('Open Setting'), 'parley.audio.extraFields')
        : openSettings(l10n.t('Open Chat Settings'), 'parley.chat'),
      canRetry: true,
    };
  },
  'no-model': (e) => ({
    sentence:
      e.hint === 'embeddings'
        ? l10n.t('No model for embeddings is set.')
        : e.hint === 'audio'
          ? l10n.t('No model for audio translation is set.')
          : l10n.t('No chat model is set.'),
    action: e.hint === 'chat' || e.hint === undefined ? pickModel() : connect(),
    canRetry: true,
  }),
  'file-missing': (e) => ({
    sentence:
      e.param === 'unreadable'
        ? l10n.t('The file {0} cannot be read; it may belong to somebody else.', e.hint ?? '')
        : l10n.t('The file {0} is gone.', e.hint ?? ''),
    action: otherFile(),
    canRetry: true,
  }),
  'file-empty': (e) => ({
    sentence: l10n.t('The file {0} is empty, so there is nothing to translate.', e.hint ?? ''),
    action: otherFile(),
    canRetry: false,
  }),
  'not-audio': (e) => ({ sentence: notAudioSentence(e), action: otherFile(), canRetry: false }),
  'git-lfs-pointer': (e) => ({
    sentence: l10n.t('The file {0} is only a Git LFS pointer; run “git lfs pull” to get the recording.', e.hint ?? ''),
    canRetry: true,
  }),
  git: (e) => ({ sentence: gitSentence(e), action: showLog(), canRetry: true }),
  'team-store': (e) => ({ sentence: teamStoreSentence(e.hint, e.message), action: setTeamStore(), canRetry: true }),
  'shared-file': (e) => ({
    ...{ sentence: sharedFileSentence(e), canRetry: e.hint !== 'newer' },
    ...(e.hint === 'model' ? { action: pickModel() } : {}),
  }),
  storage: (e) => ({
    sentence: e.param === 'pieces' ? piecesSentence(e.hint) : storageSentence(e.hint),
    action: showLog(),
    canRetry: e.hint !== 'sqlite',
  }),
  auth: (e) => ({
    sentence:
      e.hint === 'no-key' ? noKeySentence(host(e), e.param) : l10n.t('{0} did not accept the API key.', host(e)),
    action: setKey(),
    canRetry: true,
  }),
  permission: (e) => ({
    sentence: l10n.t('The API key is not allowed to do this at {0}.', host(e)) + said(e),
    action: setKey(),
    canRetry: true,
  }),
  'not-found': (e) => ({
    sentence: notFoundSentence(e, said(e)),
    action: connect(),
    canRetry: true,
  }),
  'model-not-found': (e) => ({
    sentence:
      e.hint === 'transcribes-only'
        ? l10n.t('This model only transcribes; translating takes another one, without “turbo” or “distil” in its name.')
        : l10n.t('{0} does not know this model.', host(e)) + said(e),
    action: e.url?.endsWith('/chat/completions') ? pickModel() : connect(),
    canRetry: true,
  }),
  'context-length': (e) => ({
    sentence: l10n.t('This is longer than the model can read at once.') + said(e),
    action: { title: l10n.t('New Conversation'), command: Command.chatNew },
    canRetry: false,
  }),
  'rate-limit': (e) => ({ sentence: l10n.t('{0} asks for fewer requests.', host(e)) + wait(e), canRetry: true }),
  quota: (e) => ({
    sentence: l10n.t('The account at {0} has no quota left.', host(e)) + said(e),
    action: setKey(),
    canRetry: true,
  }),
  'too-large': (e) => ({
    sentence:
      e.param === 'recording'
        ? l10n.t('The file {0} is larger than 4 GB; cut it into shorter recordings.', e.hint ?? '')
        : e.param === 'limit'
          ? l10n.t('The upload limit leaves no room for a second of {0}.', e.hint ?? '')
          : l10n.t('{0} does not take a request this large.', host(e)) + said(e),
    action:
      e.param === 'recording'
        ? otherFile()
        : e.param === 'limit'
          ? openSettings(l10n.t('Open Setting'), 'parley.audio.uploadLimit')
          : showLog(),
    canRetry: false,
  }),
  'bad-request': (e) => ({
    sentence:
      (e.failedGeneration === undefined
        ? l10n.t('{0} did not accept the request.', host(e))
        : l10n.t('The model wrote a tool call, or JSON, that {0} cannot use.', host(e))) + said(e),
    action: showLog(),
    canRetry: true,
  }),
  'content-filter': (e) => ({
    sentence: l10n.t('The content filter of {0} stopped this.', host(e)) + said(e),
    canRetry: true,
  }),
  declined: (e) => ({ sentence: l10n.t('The model declined to do this.') + said(e), canRetry: true }),
  overloaded: (e) => ({
    sentence: l10n.t('{0} is overloaded at the moment.', host(e)) + (wait(e) || said(e)),
    canRetry: true,
  }),
  server: (e) => ({
    sentence:
      (e.status === undefined
        ? l10n.t('{0} failed.', host(e))
        : l10n.t('{0} failed with status {1}.', host(e), e.status)) + said(e),
    action: showLog(),
    canRetry: true,
  }),
  dns: (e) => ({
    sentence: l10n.t(
      'The host {0} was not found; where the network needs a proxy, the setting http.proxy names it.',
      host(e),
    ),
    action: connect(),
    canRetry: true,
  }),
  refused: (e) => ({
    sentence: l10n.t('Nothing answers at {0}; the service may not be running.', host(e)),
    action: connect(),
    canRetry: true,
  }),
  tls: (e) => ({
    sentence: tlsSentence(host(e), e.hint ?? 'TLS'),
    action: isAboutOwnCertificate(e.hint)
      ? openSettings(l10n.t('Open Setting'), '@id:parley.network.clientCertificates')
      : openSettings(l10n.t('Open Certificate Settings'), 'http.systemCertificates http.proxyStrictSSL'),
    canRetry: true,
  }),
  proxy: (e) => ({
    sentence:
      e.hint === '407' || e.hint === '401'
        ? l10n.t('The proxy asks for a sign-in: set http.proxyAuthorization, or user and password in http.proxy.')
        : l10n.t('The proxy of http.proxy or of the environment did not let the request through ({0}).', e.hint ?? '?'),
    action: openSettings(l10n.t('Open Proxy Settings'), 'http.proxy'),
    canRetry: true,
  }),
  reset: (e) => ({ sentence: l10n.t('The connection to {0} broke.', host(e)), action: showLog(), canRetry: true }),
  timeout: (e) => timeoutText(e),
  redirect: (e) => ({
    sentence: l10n.t('The service has moved to {0}; Parley does not follow with your key.', e.hint ?? ''),
    action: connect(),
    canRetry: false,
  }),
  cancelled: () => ({ sentence: l10n.t('Stopped.'), canRetry: true }),
  'answer-too-long': (e) => ({
    sentence: l10n.t(
      'The answer is longer than {0} MB and was cut off there; the setting parley.chat.maxAnswerSize is the limit.',
      e.hint ?? '16',
    ),
    action: openSettings(l10n.t('Open Chat Settings'), 'parley.chat.maxAnswerSize'),
    canRetry: true,
  }),
  truncated: (e) => ({
    sentence:
      e.param === 'window'
        ? l10n.t('Cut off by a reload, or when the window was closed.')
        : l10n.t('The answer was cut off before its end.'),
    canRetry: true,
  }),
  malformed: (e) => ({
    sentence:
      e.param === undefined
        ? malformedSentence(e)
        : l10n.t('The model called “{0}” with arguments that are not a JSON object.', brief(e.param)),
    action: { title: l10n.t('Test Connection'), command: Command.testConnection },
    canRetry: true,
  }),
  'login-page': (e) => ({
    sentence: e.hint
      ? l10n.t(
          '{0} answered with a web page (“{1}”) instead of JSON; a login or a proxy may stand in between.',
          host(e),
          brief(e.hint),
        )
      : l10n.t('{0} answered with a web page instead of JSON; a login or a proxy may stand in between.', host(e)),
    action: connect(),
    canRetry: true,
  }),
};

function malformedSentence(e: ServiceError): string {
  if (e.hint === 'another length')
    return l10n.t(
      'The vectors of {0} have another length than before: index again to build new ones; the old ones stay.',
      host(e),
    );
  return /^(dimensions|not finite|zero|empty)\b/.test(e.hint ?? '')
    ? l10n.t('{0} gave vectors that cannot be used ({1}).', host(e), e.hint ?? '')
    : l10n.t('{0} gave an answer that Parley cannot read.', host(e));
}

/** The time limit that ran out stands in `hint`; a status or a proxy may time out, too, and then no setting helps. */
function timeoutText(e: ServiceError): ErrorText {
  const allow = (setting: string): Button => openSettings(l10n.t('Allow More Time'), `parley.network.${setting}`);
  const of = (sentence: string, action: Button): ErrorText => ({ sentence, action, canRetry: true });
  if (e.hint === 'connect')
    return of(l10n.t('No connection to {0} could be made in time.', host(e)), allow('connectTimeout'));
  if (e.hint === 'first-byte')
    return of(l10n.t('{0} did not begin to answer in time.', host(e)), allow('firstByteTimeout'));
  if (e.hint === 'idle')
    return of(l10n.t('{0} fell silent in the middle of its answer.', host(e)), allow('idleTimeout'));
  if (e.hint === 'total') return of(l10n.t('{0} did not finish its answer in time.', host(e)), allow('totalTimeout'));
  if (e.hint === 'search')
    return of(l10n.t('The search took too long and was stopped; a narrower one may be quicker.'), showLog());
  return of(l10n.t('{0} did not answer in time.', host(e)), showLog());
}
