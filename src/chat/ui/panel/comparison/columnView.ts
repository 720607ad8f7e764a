import { l10n } from 'vscode';
import { plain } from '../../../../editor/text/plainText.ts';
import type { AnswerView } from '../../../../webview/shared/protocol/messageProtocol.ts';
import type { ColumnView } from '../../../../webview/shared/protocol/protocol.ts';
import { neighbours } from '../../../comparison/columns.ts';
import { figuresOf } from '../../../comparison/figures.ts';
import type { Answer } from '../../../conversation/conversation.ts';
import { decimal, duration, tokenCount } from '../answer/shownNumbers.ts';
import { messageView } from '../messageView.ts';

/** The versions of an answer, and which of them stand side by side. */
export interface Arrangement {
  /** All of them, in their order. */
  readonly versions: readonly Answer[];
  /** The ids of those in columns, from the left. */
  readonly columns: readonly string[];
  /** The one that the conversation goes on with. */
  readonly chosen: string;
}

/** An answer in its column, as the page shows it. */
export function columnView(answer: Answer, { versions, columns, chosen }: Arrangement): ColumnView {
  const view = messageView(answer) as AnswerView;
  const head = {
    name: nameOf(answer),
    figures: figureTexts(answer),
    at: versions.findIndex(({ id }) => id === answer.id) + 1,
    of: versions.length,
    ...neighbours(versions, columns, columns.indexOf(answer.id)),
    isChosen: answer.id === chosen,
  };
  // What the head has is not said again below the answer.
  const below = { summary: undefined, details: [], versions: undefined, hasConfidence: undefined, missing: undefined };
  return { ...view, ...below, canContinue: undefined, head };
}

/** The preset with its model, or the model; what was asked, where the service says nothing. */
function nameOf({ asked, model }: Answer): string {
  const answered = plain(model ?? asked?.model ?? '', { length: 100 });
  if (asked?.preset === undefined) return answered || l10n.t('Answer');
  const preset = plain(asked.preset, { length: 100 });
  return answered === '' ? preset : l10n.t('{0} ({1})', preset, answered);
}

function figureTexts(answer: Answer): string[] {
  const { firstTokenMs, totalMs, tokens, tokensPerSecond: speed, cost, finishReason } = figuresOf(answer);
  return [
    firstTokenMs === undefined ? '' : l10n.t('{0} to the first token', duration(firstTokenMs / 1000)),
    totalMs === undefined ? '' : l10n.t('{0} in all', duration(totalMs / 1000)),
    tokens === undefined ? '' : tokenCount(tokens),
    speed === undefined ? '' : l10n.t('{0} tok/s', decimal(speed, speed < 10 ? 1 : 0)),
    cost === undefined ? '' : l10n.t('cost {0}', decimal(cost, 6)),
    finishReason === undefined ? '' : plain(finishReason, { length: 40 }),
  ].filter((text) => text !== '');
}
