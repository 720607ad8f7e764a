import { element, icon, iconButton } from '../parts/dom.ts';
import type { ChipView, PanelState } from '../protocol.ts';
import type { Page } from './page.ts';

/** The message box with what belongs to it: chips above, the model, tokens and Send or Stop below. */
export interface Composer {
  readonly element: HTMLElement;
  readonly draft: string;
  update(state: PanelState, busy: boolean): void;
  focus(): void;
}

export function createComposer(page: Page, initialDraft: string, onDraft: () => void): Composer {
  const { strings, post } = page;
  let busy = false;
  const box = element('textarea', {
    class: 'box',
    rows: '1',
    'aria-label': strings['messageBox'],
    placeholder: strings['placeholder'],
    maxlength: '1000000',
  });
  box.value = initialDraft;
  const chips = element('ul', { class: 'chips', 'aria-label': strings['attached'] });
  const modelName = element('span', { class: 'model-name' });
  const pickModel = (): void => post({ type: 'pickModel' });
  const model = element(
    'button',
    { class: 'model', type: 'button', onclick: pickModel },
    modelName,
    icon('chevron-down'),
  );
  const tokens = element('span', { class: 'tokens', title: strings['tokens'] });
  const search = iconButton('search', strings['search'] ?? '', () => {
    post({ type: 'search', text: box.value.trim() });
    // Where the chips are looked through and the question is sent, whatever the search comes to.
    box.focus();
  });
  let searchState: PanelState['search'];
  const act = iconButton('send', strings['send'] ?? '', () => (busy ? post({ type: 'stop' }) : send()));
  act.classList.add('send');

  function send(): void {
    const text = box.value.trim();
    if (busy || text === '') return;
    post({ type: 'send', text });
    box.value = '';
    changed();
    box.focus();
  }

  function showUsable(): void {
    const empty = box.value.trim() === '';
    act.disabled = !busy && empty;
    search.disabled = busy || empty || searchState !== 'ready';
  }

  function changed(): void {
    showUsable();
    onDraft();
  }

  box.addEventListener('input', changed);
  box.addEventListener('keydown', (event) => {
    // Enter that ends a composition (Japanese, Chinese, …) belongs to the input method; 229 is its key code where a
    // browser ends the composition before the key.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    send();
  });

  return {
    element: element(
      'div',
      { class: 'composer' },
      chips,
      box,
      element('div', { class: 'row' }, element('div', { class: 'facts' }, model, tokens), search, act),
    ),
    get draft() {
      return box.value;
    },
    update(state, isBusy) {
      busy = isBusy;
      const label = strings[busy ? 'stop' : 'send'] ?? '';
      act.title = label;
      act.setAttribute('aria-label', label);
      act.firstElementChild?.replaceWith(icon(busy ? 'debug-stop' : 'send'));
      showSearch(state);
      showUsable();
      modelName.textContent = state.model || (strings['pickModel'] ?? '');
      const picks = (strings['modelIs'] ?? '').replace('{0}', state.model);
      model.setAttribute('aria-label', state.model === '' ? (strings['pickModel'] ?? '') : picks);
      model.title = state.model || (strings['pickModel'] ?? '');
      tokens.textContent = state.tokens;
      drawChips(state.chips);
    },
    focus: () => box.focus(),
  };

  /** A reader is told when the search begins and what it attached; that it found nothing, VS Code says. */
  function showSearch({ search: next, chips: attached }: PanelState): void {
    search.hidden = next === undefined;
    if (next === 'busy' && searchState !== 'busy') page.announce(strings['searching'] ?? '');
    if (next === 'ready' && searchState === 'busy' && attached.length > 0) {
      page.announce(`${strings['attached'] ?? ''}: ${attached.map(({ label }) => label).join(', ')}`);
    }
    searchState = next;
  }

  function drawChips(views: readonly ChipView[]): void {
    chips.hidden = views.length === 0;
    chips.replaceChildren(
      ...views.map((chip) => {
        const remove = (): void => {
          post({ type: 'detach', chip: chip.id });
          box.focus();
        };
        const label = (strings['detach'] ?? '').replace('{0}', chip.label);
        return element(
          'li',
          { class: 'chip', title: chip.title },
          element('span', { text: chip.label }),
          iconButton('close', label, remove),
        );
      }),
    );
  }
}
