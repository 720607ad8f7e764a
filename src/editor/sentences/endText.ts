import { l10n } from 'vscode';
import { meaningOf } from '../../service/chat/completion.ts';
import { plain } from '../text/plainText.ts';

/** What is told of an answer that ended for a reason which nobody knows: it may not be whole. Undefined for every other one. */
export function unknownEndText(finishReason: string | undefined): string | undefined {
  if (finishReason === undefined || meaningOf(finishReason) !== 'unknown') return undefined;
  const reason = plain(finishReason, { length: 100 });
  return l10n.t('The answer ended for the reason “{0}”; it may not be complete.', reason);
}
