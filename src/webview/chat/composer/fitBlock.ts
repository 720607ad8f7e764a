import { element } from '../../parts/dom.ts';
import { numberText } from '../../parts/numberText.ts';
import type { FitChoice } from '../../shared/fit.ts';
import { type Fit, fitOf, type WindowView } from '../../shared/fit.ts';
import type { AskAgain, Strings } from '../../shared/protocol/protocol.ts';
import type { Page } from '../page.ts';

/** Says above the box that a question does not fit the model's context window, and what can be left out. */
export interface FitBlock {
  readonly element: HTMLElement;
  /**
   * Whether a question may go. Where it may not, the block is shown.
   * @param again a question of the conversation that is asked again, in the place of the one in the box
   */
  check(view: WindowView | undefined, draft: string, again?: AskAgain): boolean;
  /** The words of an edited question that waits for the user's choice. */
  readonly held: string;
  /** Goes away, as with Escape. */
  close(): void;
  /** Goes away once the question fits. */
  update(view: WindowView | undefined, draft: string): void;
}

/** What is done with a question once the user chose. */
export interface FitActions {
  /** Sends the question in the box. */
  send(fit: FitChoice): void;
  /** A question of the conversation was asked again. */
  onAsked(): void;
  /** Puts words that are not asked again back into the box. */
  giveBack(text: string): void;
}

export function createFitBlock(page: Page, { send, onAsked, giveBack }: FitActions): FitBlock {
  const { strings, post } = page;
  const text = element('p', { id: 'fit-text' });
  const buttons = element('div', { class: 'buttons' });
  const attributes = { class: 'fit', role: 'group', 'aria-labelledby': 'fit-text', hidden: true };
  const root = element('div', attributes, text, buttons);
  let drawn = '';
  /** The question that is asked again; undefined for the one in the box. */
  let asked: AskAgain | undefined;

  root.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    // Escape would also reach the panel, which stops the answer.
    event.stopPropagation();
    close();
  });

  function hide(): void {
    const hadFocus = root.contains(document.activeElement);
    root.hidden = true;
    drawn = '';
    asked = undefined;
    if (hadFocus) page.focusBox();
  }

  const held = (): string => (asked?.type === 'edit' ? asked.text : '');

  function close(): void {
    if (root.hidden) return;
    const words = held();
    // What was attached to it meanwhile goes with it.
    if (asked?.type === 'edit') post({ type: 'endEdit', message: asked.message });
    hide();
    if (words !== '') giveBack(words);
  }

  function choose(fit: FitChoice): void {
    const again = asked;
    hide();
    if (again === undefined) send(fit);
    else if (fit !== 'summarise') {
      post({ ...again, fit });
      onAsked();
    }
  }

  function show(view: WindowView, fit: Fit): void {
    const { problem, whole, used } = fit;
    const next = JSON.stringify([problem, view.size, view.largest, whole, used]);
    if (next === drawn) return;
    drawn = next;
    const isOlder = problem === 'older';
    text.textContent = sentence(strings, view, fit);
    const { largest } = view;
    const made: [string, () => void][] = [];
    if (isOlder) made.push([strings['leaveOut'] ?? '', () => choose('leaveOut')]);
    // A summary is made of all turns before the next question; what is asked again keeps what was attached to it.
    if (isOlder && asked === undefined) made.push([strings['summariseAndSend'] ?? '', () => choose('summarise')]);
    if (largest !== undefined && asked === undefined) {
      const label = (strings['detach'] ?? '').replace('{0}', () => largest.label);
      made.push([label, () => post({ type: 'detach', chip: largest.id })]);
    }
    made.push([strings['sendAnyway'] ?? '', () => choose('whole')]);
    const hadFocus = root.contains(document.activeElement);
    buttons.replaceChildren(...made.map(([label, onclick], index) => choice(label, index === 0, onclick)));
    if (hadFocus) buttons.querySelector('button')?.focus();
  }

  return {
    element: root,
    check(view, draft, again) {
      const fit = view && fitOf(view, draft);
      if (view === undefined || fit?.problem === undefined) return true;
      close();
      asked = again;
      root.hidden = false;
      show(view, fit);
      page.announce(text.textContent ?? '');
      buttons.querySelector('button')?.focus();
      return false;
    },
    get held() {
      return held();
    },
    close,
    update(view, draft) {
      if (root.hidden || asked !== undefined) return;
      const fit = view && fitOf(view, draft);
      if (view === undefined || fit?.problem === undefined) close();
      else show(view, fit);
    },
  };
}

function choice(text: string, isUsual: boolean, onclick: () => void): HTMLElement {
  return element('button', { class: isUsual ? 'button' : 'button secondary', type: 'button', text, onclick });
}

function sentence(strings: Strings, { size }: WindowView, { problem, whole, used }: Fit): string {
  const isOlder = problem === 'older';
  const said = isOlder ? strings['fitOlder'] : strings['fitQuestion'];
  return (said ?? '').replace('{0}', () => numberText(isOlder ? whole : used)).replace('{1}', () => numberText(size));
}
