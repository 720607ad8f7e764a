import { element, icon } from '../../parts/dom.ts';
import type { CompletionView } from '../../shared/protocol/completionProtocol.ts';

/** A list of which one choice is active. The focus stays in the box that it belongs to. */
export interface CompletionList {
  readonly element: HTMLElement;
  readonly count: number;
  readonly active: number;
  /** The id of the active choice's element, for `aria-activedescendant`. */
  readonly activeId: string;
  at(index: number): CompletionView | undefined;
  /** Draws other choices; the first is active. */
  set(items: readonly CompletionView[]): void;
  /** Makes another one active, round the ends. */
  move(by: number): void;
}

/** @param choose called for a choice that was clicked */
export function createCompletionList(id: string, label: string, choose: (index: number) => void): CompletionList {
  const list = element('ul', { id, class: 'completion-list', role: 'listbox', 'aria-label': label });
  let items: readonly CompletionView[] = [];
  let active = 0;

  // The box would lose the focus, and the list would close before the click comes.
  list.addEventListener('mousedown', (event) => event.preventDefault());
  list.addEventListener('click', ({ target }) => {
    const option = target instanceof Element ? target.closest('[role=option]') : null;
    if (option !== null) choose([...list.children].indexOf(option));
  });

  function setActive(index: number): void {
    active = index;
    for (const [at, option] of [...list.children].entries()) option.setAttribute('aria-selected', String(at === index));
    list.children[index]?.scrollIntoView({ block: 'nearest' });
  }

  return {
    element: list,
    get count() {
      return items.length;
    },
    get active() {
      return active;
    },
    get activeId() {
      return optionId(active);
    },
    at: (index) => items[index],
    set(next) {
      items = next;
      list.replaceChildren(...next.map((item, index) => optionElement(item, optionId(index))));
      setActive(0);
    },
    move(by) {
      if (items.length > 0) setActive((active + by + items.length) % items.length);
    },
  };

  function optionId(index: number): string {
    return `${id}-${index}`;
  }
}

function optionElement({ label, detail, icon: name }: CompletionView, id: string): HTMLElement {
  return element(
    'li',
    { id, class: 'completion', role: 'option', title: detail === '' ? label : `${label}\n${detail}` },
    icon(name),
    element('span', { class: 'completion-label', text: label }),
    element('span', { class: 'completion-detail', text: detail }),
  );
}
