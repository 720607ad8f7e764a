import { element, iconButton } from '../../parts/dom.ts';
import type { ToComparison } from '../../shared/protocol/comparisonProtocol.ts';
import type { ColumnView, Patch } from '../../shared/protocol/protocol.ts';
import type { Page } from '../page.ts';
import { applyPatch, type Replica } from '../replica.ts';
import { createColumnStrip } from './columnStrip.ts';

type Shown = Extract<ToComparison<ColumnView, Patch<ColumnView>>, { readonly type: 'comparison' }>;

/** Versions of one answer side by side, in the place of the conversation. */
export interface ComparisonSection {
  readonly element: HTMLElement;
  readonly isOpen: boolean;
  /** Whether one of the columns is being written. */
  readonly isBusy: boolean;
  /** Shows versions, or none any more. */
  show(message: Shown): void;
  /** @returns false when a change is missing: nothing else than asking for all helps */
  receive(patches: readonly Patch<ColumnView>[]): boolean;
  /** @returns whether all is drawn */
  draw(): boolean;
  /** Goes back to the conversation. */
  leave(): void;
}

/** @param onToggle called when columns are there, or are gone */
export function createComparisonSection(page: Page, onToggle: () => void): ComparisonSection {
  const { strings, post } = page;
  const heading = element('h2', { id: 'comparison-title', tabindex: '-1', text: strings['sideBySide'] });
  const question = element('p', { class: 'comparison-question' });
  const close = iconButton('close', strings['leaveSideBySide'] ?? '', leave);
  const head = element('div', { class: 'comparison-head' }, heading, question, close);
  const strip = createColumnStrip(page);
  const root = element(
    'section',
    { class: 'comparison', 'aria-labelledby': heading.id, hidden: true },
    head,
    strip.element,
  );
  let replica: Replica<ColumnView> | undefined;

  function leave(): void {
    if (replica === undefined) return;
    post({ type: 'closeComparison' });
    hide();
  }

  function hide(): void {
    if (replica === undefined) return;
    const hadFocus = root.contains(document.activeElement);
    replica = undefined;
    strip.clear();
    root.hidden = true;
    onToggle();
    if (hadFocus) page.focusBox();
  }

  return {
    element: root,
    get isOpen() {
      return replica !== undefined;
    },
    get isBusy() {
      return replica?.messages.some(({ state }) => state === 'streaming') ?? false;
    },
    show({ comparison, isAskedFor }) {
      if (comparison === undefined) return hide();
      const { id, seq, columns: messages } = comparison;
      replica = { conversation: id, seq, messages };
      question.textContent = comparison.question;
      const lostFocus = document.activeElement?.closest('.stage') !== null;
      root.hidden = false;
      onToggle();
      if (isAskedFor) heading.focus();
      else if (lostFocus) page.focusBox();
    },
    receive(patches) {
      for (const patch of patches) {
        const before = replica;
        // What was on its way when the columns were left is of no use any more.
        if (before === undefined || patch.conversation !== before.conversation) return true;
        replica = applyPatch(before, patch);
        if (replica === undefined) return false;
        announceEnds(page, before.messages, replica.messages);
      }
      return true;
    },
    draw() {
      if (replica === undefined) return true;
      const { messages, seq } = replica;
      const isAll = strip.draw(messages);
      post({ type: 'columnsDrawn', seq });
      return isAll;
    },
    leave,
  };
}

/** Says which answers have ended, not what they are: several texts in a row cannot be followed. */
function announceEnds({ strings, announce }: Page, before: readonly ColumnView[], after: readonly ColumnView[]): void {
  for (const [index, { id, state, head, error }] of after.entries()) {
    const old = before[index];
    if (old?.id !== id || old.state !== 'streaming' || state === 'streaming') continue;
    const key = error === undefined ? 'columnEnded' : 'columnFailed';
    announce((strings[key] ?? '').replace('{0}', () => head.name));
  }
}
