import { element } from '../parts/dom.ts';
import type { PanelState, Strings } from '../shared/protocol.ts';
import { createChips } from './chips.ts';
import { createFacts, createSearchButton, createSendButton } from './composerButtons.ts';
import type { Page } from './page.ts';

/** The message box with its parts: chips above, the model, tokens and Send or Stop below. */
export interface Composer {
  readonly element: HTMLElement;
  readonly draft: string;
  update(state: PanelState, busy: boolean): void;
  focus(): void;
}

export function createComposer(page: Page, initialDraft: string, onDraft: () => void): Composer {
  const { strings, post } = page;
  let busy = false;
  const box = createBox(strings, initialDraft, send);
  const chips = createChips(page, () => box.focus());
  const facts = createFacts(page);
  const search = createSearchButton(page, () => {
    post({ type: 'search', text: box.value.trim() });
    // The focus goes to the box, where the chips are looked through and the question is sent, whatever the search finds.
    box.focus();
  });
  const act = createSendButton(page, () => (busy ? post({ type: 'stop' }) : send()));

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
    act.enable(busy || !empty);
    search.enable(!busy && !empty);
  }

  function changed(): void {
    showUsable();
    onDraft();
  }
  box.addEventListener('input', changed);

  const row = element('div', { class: 'row' }, facts.element, search.element, act.element);
  return {
    element: element('div', { class: 'composer' }, chips.element, box, row),
    get draft() {
      return box.value;
    },
    update(state, isBusy) {
      busy = isBusy;
      act.update(busy);
      search.update(state);
      showUsable();
      facts.update(state);
      chips.update(state.chips);
    },
    focus: () => box.focus(),
  };
}

function createBox(strings: Strings, draft: string, send: () => void): HTMLTextAreaElement {
  const box = element('textarea', {
    class: 'box',
    rows: '1',
    'aria-label': strings['messageBox'],
    placeholder: strings['placeholder'],
    maxlength: '1000000',
  });
  box.value = draft;
  box.addEventListener('keydown', (event) => {
    // Enter that ends a composition (Japanese, Chinese, …) belongs to the input method; 229 is its key code where a
    // browser ends the composition before the key.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    send();
  });
  return box;
}
