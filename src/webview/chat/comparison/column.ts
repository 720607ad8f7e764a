import { element, icon, iconButton } from '../../parts/dom.ts';
import { createFollower } from '../../parts/follower.ts';
import { versionStepper } from '../../parts/versionStepper.ts';
import type { ColumnView } from '../../shared/protocol/protocol.ts';
import { createAnswer } from '../message/answer.ts';
import type { Page } from '../page.ts';

/** An answer beside others: its figures and what is done with it, and below them its text, which scrolls by itself. */
export interface Column {
  readonly id: string;
  readonly element: HTMLElement;
  /** Whether the page has something else of it, or less. */
  differs(view: ColumnView): boolean;
  /** @returns false when there was more than can be drawn in one go: the rest comes with the next call */
  draw(view: ColumnView): boolean;
  /** Stays at the end of what was drawn, if that was in sight: reading it lays out the page. */
  settle(): void;
}

/** @param index its place, from 0 */
export function createColumn(page: Page, { id }: ColumnView, index: number): Column {
  const name = element('h3', { id: `column-${index}` });
  const head = element('div', { class: 'column-head' });
  const answer = createAnswer(page, true);
  const body = element(
    'div',
    { class: 'column-body', role: 'log', 'aria-live': 'off', tabindex: '0', 'aria-labelledby': name.id },
    answer.element,
  );
  const follower = createFollower(body, () => {});
  let shown: { view: ColumnView; isAll: boolean } | undefined;
  let drawnHead = '';
  /** Whether it is, or was, written while somebody looks: one that was whole before is read from its beginning. */
  let isLive = false;
  let isAtStart = false;

  return {
    id,
    element: element('section', { class: 'column', 'aria-labelledby': name.id }, head, body),
    differs: (view) => shown?.view !== view || !shown.isAll,
    draw(view) {
      const json = JSON.stringify(view.head);
      if (json !== drawnHead) {
        name.textContent = view.head.name;
        name.title = view.head.name;
        drawHead(page, view, head, name, index);
      }
      drawnHead = json;
      isLive ||= view.state === 'streaming';
      const isAll = answer.update(view, false);
      shown = { view, isAll };
      return isAll;
    },
    settle() {
      const isAll = shown?.isAll === true;
      if (isLive) follower.settle(isAll);
      else if (!isAtStart) follower.restore(() => 0, isAll);
      isAtStart ||= isAll;
    },
  };
}

/** The figures in a line, of which none is broken as long as a line holds it. */
function figuresOf(figures: readonly string[]): HTMLElement {
  const last = figures.length - 1;
  const parts = figures.flatMap((text, at) =>
    at === last ? [element('span', { text })] : [element('span', { text: `${text} ·` }), ' '],
  );
  return element('p', { class: 'column-figures' }, ...parts);
}

/** Draws the head anew, and keeps the focus on the button that has it. */
function drawHead(page: Page, { id, head }: ColumnView, box: HTMLElement, name: HTMLElement, index: number): void {
  const { strings, post } = page;
  const focused = [...box.querySelectorAll('button')].indexOf(document.activeElement as HTMLButtonElement);
  const goOn = element('button', {
    class: 'button secondary',
    type: 'button',
    text: strings['goOnWith'],
    'aria-describedby': name.id,
    onclick: () => post({ type: 'goOnWith', message: id }),
  });
  const diff = iconButton('diff', strings['diffWith'] ?? '', () => post({ type: 'compareVersions', message: id }));
  diff.setAttribute('aria-describedby', name.id);
  const step = (message: string): void => post({ type: 'stepColumn', column: index, message });
  const isAll = head.before === undefined && head.after === undefined;
  const chosen = element(
    'span',
    { class: 'column-chosen', role: 'img', title: strings['chosenVersion'] },
    icon('check'),
  );
  chosen.setAttribute('aria-label', strings['chosenVersion'] ?? '');
  box.replaceChildren(
    element('div', { class: 'column-name' }, name, ...(head.isChosen ? [chosen] : [])),
    figuresOf(head.figures),
    element('div', { class: 'column-buttons' }, goOn, diff, ...(isAll ? [] : [versionStepper(strings, head, step)])),
  );
  if (focused >= 0) (box.querySelectorAll('button')[focused] ?? goOn).focus();
}
