import type { AnswerView } from '../../shared/protocol/messageProtocol.ts';
import type { Page } from '../page.ts';

/** The most characters of an answer that are announced in one go. */
const longestSaid = 20_000;

/** Announces an answer once it is complete: a screen reader that speaks each piece as it comes cannot be followed. */
export function announceEnd({ strings, announce }: Page, { state, text, error }: AnswerView): void {
  const say = (key: string, what: string): void => announce((strings[key] ?? '').replace('{0}', () => what));
  if (state === 'stopped') announce(strings['answerStopped'] ?? '');
  else if (error !== undefined) say('answerFailed', error.sentence);
  else say('answerEnded', text.slice(0, longestSaid).replace(/[`*_#>|]/g, ''));
}
