import { element, icon } from './dom.ts';

export interface MenuChoice {
  readonly label: string;
  choose(): void;
}

/** A small button beside another one that opens a menu of other ways to do the same. */
export function menuButton(label: string, choices: readonly MenuChoice[]): HTMLElement {
  const items = choices.map(({ label: text, choose }) =>
    element('li', {
      class: 'menu-item',
      role: 'menuitem',
      tabindex: '-1',
      text,
      onclick: () => {
        close(true);
        choose();
      },
    }),
  );
  const menu = element('ul', { class: 'menu', role: 'menu', 'aria-label': label, hidden: true }, ...items);
  const button = element(
    'button',
    {
      class: 'button secondary menu-button',
      type: 'button',
      title: label,
      'aria-label': label,
      'aria-haspopup': 'menu',
    },
    icon('chevron-down'),
  );
  const root = element('span', { class: 'menu-root' }, button, menu);

  function open(item: number): void {
    menu.hidden = false;
    button.setAttribute('aria-expanded', 'true');
    items.at(item)?.focus();
  }

  function close(keepsFocus: boolean): void {
    menu.hidden = true;
    button.setAttribute('aria-expanded', 'false');
    if (keepsFocus) button.focus();
  }

  function onKey(event: KeyboardEvent): void {
    const { key, target } = event;
    const at = items.indexOf(target as HTMLLIElement);
    const to = { ArrowDown: at + 1, ArrowUp: at < 0 ? -1 : at - 1, Home: 0, End: -1 }[key];
    if (menu.hidden ? key === 'ArrowDown' || key === 'ArrowUp' : to !== undefined) open((to ?? 0) % items.length);
    else if (key === 'Escape' && !menu.hidden) close(true);
    else if ((key === 'Enter' || key === ' ') && at >= 0) items[at]?.click();
    else if (menu.hidden || key === 'Tab') return;
    event.preventDefault();
    // The page has other uses for these keys.
    event.stopPropagation();
  }

  close(false);
  button.addEventListener('click', () => (menu.hidden ? open(0) : close(true)));
  root.addEventListener('keydown', onKey);
  root.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && root.contains(relatedTarget))) close(false);
  });
  return root;
}
