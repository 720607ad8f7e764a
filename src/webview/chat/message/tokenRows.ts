import { element } from '../../parts/dom.ts';
import type { ConfidenceView, TokenView } from '../../shared/protocol/confidenceProtocol.ts';
import type { Page } from '../page.ts';

/** Why an answer cannot go on from an alternative, as strings of the page. */
const reasons = { part: 'noForkPart', control: 'noForkControl', thoughts: 'noForkThoughts' } as const;

/** The tokens of a word, each with what could have stood in its place: a button that has the answer go on from there. */
export function tokenRows(
  page: Page,
  message: string,
  { canFork }: Pick<ConfidenceView, 'canFork'>,
  tokens: readonly TokenView[],
  start: number,
): HTMLElement[] {
  let next = start;
  return tokens.map(({ text, percent, others }) => {
    const at = next;
    next += text.length;
    const own = element('span', { class: 'token', text: `${visibleToken(text)} ${percentText(percent)}` });
    const list = others.map(([other, likely, noFork], index) => {
      const label = `${visibleToken(other)} ${percentText(likely)}`;
      if (!canFork) return element('span', { text: label });
      return forkButton(page, label, noFork, () => page.post({ type: 'forkToken', message, at, other: index }));
    });
    const instead = list.length === 0 ? [] : [element('span', { text: page.strings['couldHaveBeen'] })];
    return element('p', {}, own, ...instead, ...list);
  });
}

/** One that cannot be used stays where the keyboard reaches it, and says why. */
function forkButton(
  { strings, announce }: Page,
  text: string,
  noFork: TokenView['others'][number][2],
  fork: () => void,
): HTMLElement {
  const reason = noFork && strings[reasons[noFork]];
  const title = reason ?? strings['forkToken'] ?? '';
  const run = (): void => (reason === undefined ? fork() : announce(reason));
  return element('button', {
    ...{ class: 'fork-token', type: 'button', text, title, onclick: run },
    ...{ 'aria-description': title, 'aria-disabled': reason === undefined ? undefined : 'true' },
  });
}

/** Blanks at the ends of a token are a part of it. */
export function visibleToken(text: string): string {
  return `“${text.replaceAll('\n', '↵').replaceAll('\t', '⇥')}”`;
}

export const percentText = (percent: number | null | undefined): string =>
  percent === undefined || percent === null ? '' : `${percent} %`;
