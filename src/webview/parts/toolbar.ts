import { element } from './dom.ts';

/** Buttons in a row that is one stop of the Tab key: the arrows, Home and End go from one to the next. */
export function toolbar(
  className: string,
  label: string | undefined,
  buttons: readonly HTMLButtonElement[],
): HTMLElement {
  const bar = element('div', { class: className, role: 'toolbar', 'aria-label': label }, ...buttons);
  for (const [index, button] of buttons.entries()) {
    button.tabIndex = index === 0 ? 0 : -1;
    button.addEventListener('focus', () => {
      for (const each of buttons) each.tabIndex = each === button ? 0 : -1;
    });
  }
  bar.addEventListener('keydown', (event) => {
    const shown = buttons.filter(({ hidden }) => !hidden);
    const at = shown.indexOf(event.target as HTMLButtonElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: shown.length - 1 }[event.key];
    if (at === -1 || to === undefined) return;
    event.preventDefault();
    shown[(to + shown.length) % shown.length]?.focus();
  });
  return bar;
}
