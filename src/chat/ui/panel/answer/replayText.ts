import { l10n } from 'vscode';
import { plain } from '../../../../editor/text/plainText.ts';
import type { Answer } from '../../../conversation/conversation.ts';

/** Whether an answer is a replay that is not, or not known to be, the same as the first one. */
export function differs({ replay }: Answer): boolean {
  return replay !== undefined && (replay.differing !== 0 || replay.hasOtherBlanks === true);
}

/** What a replay came to; empty where an answer is none. */
export function replayText({ replay, askedWith }: Answer): string {
  if (replay === undefined) return '';
  const { words = 0, differing, firstWord = '' } = replay;
  const result =
    differing === 0
      ? replay.hasOtherBlanks
        ? l10n.t('Replay: the same words, with other blanks or line breaks between them.')
        : l10n.t('Replay: the same answer, word by word.')
      : differing === undefined
        ? l10n.t('Replay: another answer.')
        : differing === 1
          ? l10n.t('Replay: one of {0} words differs, “{1}”.', words, plain(firstWord))
          : l10n.t('Replay: {0} of {1} words differ, the first at “{2}”.', differing, words, plain(firstWord));
  const reasons = [
    replay.isSameRequest ? '' : l10n.t('What was sent is not the same: settings or instructions have changed.'),
    replay.isSameFingerprint === false ? l10n.t('The system fingerprint has changed.') : '',
    differing !== 0 && askedWith?.parameters.seed === undefined ? l10n.t('No seed was sent.') : '',
  ];
  return [result, ...reasons].filter(Boolean).join(' ');
}
