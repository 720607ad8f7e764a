import { element, icon, iconButton } from '../../parts/dom.ts';
import type { PanelState, Strings } from '../../shared/protocol/protocol.ts';
import type { Page } from '../page.ts';
import { createDrawer } from './drawer.ts';

/** The model that will answer, which can be picked, what else it is asked with, and the tokens so far. */
/** @param draft what is in the message box */
export function createFacts(page: Page, draft: () => string) {
  const { strings, post } = page;
  const modelName = element('span', { class: 'model-name' });
  const pickModel = (): void => post({ type: 'pickModel' });
  const model = element(
    'button',
    { class: 'model', type: 'button', onclick: pickModel },
    modelName,
    icon('chevron-down'),
  );
  const parameters = createParametersButton(strings, () => drawer.toggle());
  const drawer = createDrawer(page, () => parameters.expand(drawer.isOpen), draft);
  const tokens = element('span', { class: 'tokens' });
  return {
    element: element('div', { class: 'facts' }, model, parameters.element, tokens),
    /** What the button beside the model opens. */
    drawer,
    update(state: PanelState): void {
      const pick = strings['pickModel'] ?? '';
      modelName.textContent = state.model || pick;
      const picks = (strings['modelIs'] ?? '').replace('{0}', () => state.model);
      model.setAttribute('aria-label', state.model === '' ? pick : picks);
      model.title = state.model || pick;
      parameters.update(state.parameters);
      drawer.update(state);
      // The gauge has the tokens, too.
      tokens.textContent = state.window === undefined ? state.tokens : '';
      tokens.title = `${strings['tokens'] ?? ''}: ${state.tokens}`;
    },
  };
}

/** The button to what the conversation is asked with; marked where that differs from the settings. */
function createParametersButton(strings: Strings, onclick: () => void) {
  const button = iconButton('settings', strings['parameters'] ?? '', onclick);
  const mark = icon('circle-small-filled');
  button.classList.add('parameters');
  button.append(mark);
  button.setAttribute('aria-expanded', 'false');
  return {
    element: button,
    expand: (isOpen: boolean) => button.setAttribute('aria-expanded', String(isOpen)),
    /** @param own what the conversation has of its own, in words */
    update(own: string): void {
      const label = (strings[own === '' ? 'parameters' : 'parametersAre'] ?? '').replace('{0}', () => own);
      mark.hidden = own === '';
      button.title = label;
      button.setAttribute('aria-label', label);
    },
  };
}

/** The button that has several models answer. @param text gives what is written */
export function compareButton({ strings, post }: Page, text: () => string): HTMLElement {
  return iconButton('split-horizontal', strings['compareAnswers'] ?? '', () =>
    post({ type: 'compareAnswers', text: text() }),
  );
}

/** The button that attaches code of the workspace that fits the question being written. */
export function createSearchButton({ strings, announce }: Page, onclick: () => void) {
  const button = iconButton('search', strings['search'] ?? '', onclick);
  let shown: PanelState['search'];
  return {
    element: button,
    /** Announces to a screen reader when the search begins and what it attached; VS Code says that it found nothing. */
    update({ search, chips }: PanelState): void {
      button.hidden = search === undefined;
      if (search === 'busy' && shown !== 'busy') announce(strings['searching'] ?? '');
      if (search === 'ready' && shown === 'busy' && chips.length > 0) {
        announce(`${strings['attached'] ?? ''}: ${chips.map(({ label }) => label).join(', ')}`);
      }
      shown = search;
    },
    enable(isUsable: boolean): void {
      button.disabled = !isUsable || shown !== 'ready';
    },
  };
}

/** Send, and Stop while an answer comes. */
export function createSendButton({ strings }: Page, onclick: () => void) {
  const button = iconButton('send', strings['send'] ?? '', onclick);
  button.classList.add('send');
  return {
    element: button,
    update(busy: boolean): void {
      const label = strings[busy ? 'stop' : 'send'] ?? '';
      // The icon under the pointer stays while nothing changes: between the press and the release a click would be lost.
      if (button.title !== label) button.firstElementChild?.replaceWith(icon(busy ? 'debug-stop' : 'send'));
      button.title = label;
      button.setAttribute('aria-label', label);
    },
    enable(isUsable: boolean): void {
      button.disabled = !isUsable;
    },
  };
}
