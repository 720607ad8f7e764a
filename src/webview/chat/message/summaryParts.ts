import { element } from '../../parts/dom.ts';

/** Before the number of tokens in the summary of an answer. */
const dot = ' · ';

/** The summary of an answer as parts that are not broken: in little room the tokens stand in a line of their own, and the model is cut. */
export function summaryParts(summary: string): (HTMLElement | string)[] {
  const at = summary.lastIndexOf(dot);
  const whole = (text: string, title?: string): HTMLElement => element('span', { class: 'summary-part', text, title });
  if (at < 0) return [whole(summary, summary)];
  const model = summary.slice(0, at);
  return [whole(model, model), ' ', whole(summary.slice(at + 1))];
}
