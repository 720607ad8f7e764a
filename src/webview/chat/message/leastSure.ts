import { element, icon } from '../../parts/dom.ts';
import type { Strings } from '../../shared/protocol/protocol.ts';
import type { SureText } from './sureText.ts';
import { percentText, visibleToken } from './tokenRows.ts';

/** The places of an answer that the model was least sure of, as a list. */
export interface LeastSure {
  readonly element: HTMLElement;
  show(text: SureText, isUnsure: (percent: number | null) => boolean): void;
}

/** The most places that are listed; the arrows go through all. */
const mostListed = 20;

/** @param goTo goes to the part of the text with that index */
export function createLeastSure(strings: Strings, goTo: (index: number) => void): LeastSure {
  const list = element('ol');
  const head = element('summary', {}, strings['leastSure'] ?? '', icon('chevron-right'));
  const root = element('details', { class: 'least-sure' }, head, list);
  return {
    element: root,
    show({ percents, tokensAt }, isUnsure) {
      const places = percents
        .map((percent, index) => ({ percent, index }))
        .filter(({ percent }) => percent !== null && isUnsure(percent))
        .sort((a, b) => (a.percent ?? 0) - (b.percent ?? 0) || a.index - b.index)
        .slice(0, mostListed);
      root.hidden = places.length === 0;
      list.replaceChildren(
        ...places.map(({ percent, index }) => {
          const text = tokensAt(index)
            .map((token) => token.text)
            .join('');
          const label = `${visibleToken(text)} ${percentText(percent)}`;
          const go = element('button', { class: 'link', type: 'button', text: label, onclick: () => goTo(index) });
          return element('li', {}, go);
        }),
      );
    },
  };
}
