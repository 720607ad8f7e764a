import { element, icon } from '../parts/dom.ts';
import { createFollower, type Follower } from '../parts/follower.ts';
import type { PanelState, Strings } from '../shared/protocol/protocol.ts';
import type { Page } from './page.ts';
import { welcome } from './welcome.ts';

/** The element that says something to a screen reader, once. */
export function createLive(): HTMLElement {
  return element('div', { class: 'sr-only', role: 'status', 'aria-live': 'polite' });
}

/** The part of the panel that scrolls: the messages, or the start page while there are none. */
export interface Stage {
  readonly element: HTMLElement;
  readonly scroller: HTMLElement;
  readonly follower: Follower;
  /** Shows the start page in the place of messages; undefined where there are some. */
  showStart(state: PanelState | undefined): void;
}

/** @param onScroll called when it came to rest at another place */
export function createStage(page: Page, messages: HTMLElement, onScroll: () => void): Stage {
  const { strings } = page;
  const start = element('div', { class: 'start' });
  const scroller = element(
    'div',
    { class: 'conversation', role: 'log', 'aria-live': 'off', 'aria-label': strings['conversation'], tabindex: '0' },
    start,
    messages,
  );
  const latest = latestButton(strings, () => follower.jump());
  const follower = createFollower(scroller, (following) => {
    latest.hidden = following;
    onScroll();
  });
  // At the end there is nothing to remember, and while an answer streams it gets there many times a second.
  scroller.addEventListener('scrollend', () => {
    if (!follower.following) onScroll();
  });
  let drawn: PanelState | undefined;

  return {
    element: element('div', { class: 'stage' }, scroller, latest),
    scroller,
    follower,
    showStart(state) {
      start.hidden = state === undefined;
      if (state === undefined || drawn === state) return;
      drawn = state;
      start.replaceChildren(welcome(page, state));
    },
  };
}

function latestButton(strings: Strings, onclick: () => void): HTMLElement {
  return element(
    'button',
    { class: 'button secondary latest', type: 'button', hidden: true, onclick },
    icon('arrow-down'),
    strings['latest'] ?? '',
  );
}
