import { element } from '../../parts/dom.ts';
import type { FitChoice, WindowView } from '../../shared/protocol.ts';
import type { Page } from '../page.ts';
import { type Fit, fitOf, numberText } from './fit.ts';

/** Says above the box that a question does not fit the model's context window, and what can be left out. */
export interface FitBlock {
  readonly element: HTMLElement;
  /** Whether a question may go. Where it may not, the block is shown. */
  check(view: WindowView | undefined, draft: string): boolean;
  /** Goes away once the question fits. */
  update(view: WindowView | undefined, draft: string): void;
}

/** @param send sends the question as it is, with what the user chose */
export function createFitBlock(page: Page, send: (fit: FitChoice) => void): FitBlock {
  const { strings, post } = page;
  const text = element('p', { id: 'fit-text' });
  const buttons = element('div', { class: 'buttons' });
  const root = element(
    'div',
    { class: 'fit', role: 'group', 'aria-labelledby': 'fit-text', hidden: true },
    text,
    buttons,
  );
  let drawn = '';

  root.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    // The panel would stop an answer.
    event.stopPropagation();
    close();
  });

  function close(): void {
    if (root.hidden) return;
    const hadFocus = root.contains(document.activeElement);
    root.hidden = true;
    drawn = '';
    if (hadFocus) page.focusBox();
  }

  function choose(fit: FitChoice): void {
    close();
    send(fit);
  }

  function show(view: WindowView, { problem, whole, used }: Fit): void {
    const next = JSON.stringify([problem, view.size, view.largest, whole, used]);
    if (next === drawn) return;
    drawn = next;
    const isOlder = problem === 'older';
    const said = isOlder ? strings['fitOlder'] : strings['fitQuestion'];
    text.textContent = (said ?? '')
      .replace('{0}', () => numberText(isOlder ? whole : used))
      .replace('{1}', () => numberText(view.size));
    const { largest } = view;
    const made: [string, () => void][] = [
      ...(isOlder
        ? ([
            [strings['leaveOut'] ?? '', () => choose('leaveOut')],
            [strings['summariseAndSend'] ?? '', () => choose('summarise')],
          ] as [string, () => void][])
        : []),
      ...(largest === undefined
        ? []
        : [
            [
              (strings['detach'] ?? '').replace('{0}', () => largest.label),
              () => post({ type: 'detach', chip: largest.id }),
            ] as [string, () => void],
          ]),
      [strings['sendAnyway'] ?? '', () => choose('whole')],
    ];
    const hadFocus = root.contains(document.activeElement);
    buttons.replaceChildren(
      ...made.map(([label, onclick], index) =>
        element('button', { class: index === 0 ? 'button' : 'button secondary', type: 'button', text: label, onclick }),
      ),
    );
    if (hadFocus) buttons.querySelector('button')?.focus();
  }

  return {
    element: root,
    check(view, draft) {
      const fit = view && fitOf(view, draft);
      if (view === undefined || fit?.problem === undefined) return true;
      root.hidden = false;
      show(view, fit);
      page.announce(text.textContent ?? '');
      buttons.querySelector('button')?.focus();
      return false;
    },
    update(view, draft) {
      if (root.hidden) return;
      const fit = view && fitOf(view, draft);
      if (view === undefined || fit?.problem === undefined) close();
      else show(view, fit);
    },
  };
}
