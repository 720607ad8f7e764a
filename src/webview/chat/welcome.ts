import { element } from '../parts/dom.ts';
import type { PanelState } from '../shared/protocol/protocol.ts';
import type { Page } from './page.ts';

/** The start page in the place of a conversation: things to try, or how to connect. */
export function welcome({ strings, post }: Page, state: PanelState): HTMLElement {
  if (!state.connected) {
    const [sentence, button, type] = state.keyMissing
      ? (['noKey', 'setKey', 'setKey'] as const)
      : (['notConnected', 'connect', 'connect'] as const);
    const onclick = (): void => post({ type });
    return element(
      'div',
      { class: 'welcome' },
      element('p', { text: strings[sentence] }),
      element('button', { class: 'button wide', type: 'button', text: strings[button], onclick }),
    );
  }
  const items = state.suggestions.map((text, index) => {
    const onclick = (): void => post({ type: 'suggestion', index });
    return element('li', {}, element('button', { class: 'suggestion', type: 'button', text, onclick }));
  });
  return element(
    'div',
    { class: 'welcome' },
    element('p', { text: strings['empty'] }),
    element('ul', { class: 'suggestions', 'aria-label': strings['suggestions'] }, ...items),
  );
}
