import { createBox } from '../../parts/box.ts';
import { element } from '../../parts/dom.ts';
import type { QuestionView } from '../../shared/protocol/messageProtocol.ts';
import { createChips } from '../composer/chips.ts';
import { createCompletions } from '../composer/completions.ts';
import { takeFiles } from '../composer/incomingFiles.ts';
import type { Page } from '../page.ts';

/**
 * A question in a box, with what goes along with it: chips that can be removed, and more by `@`, by dropping and by pasting. Sent
 * again, it is a new version.
 * @param written what is in the box
 * @param close draws the question again
 */
export function createQuestionEditor(page: Page, view: QuestionView, written: string, close: () => void): HTMLElement {
  const { id, text } = view;
  const { strings, post, edits } = page;
  const over = new AbortController();
  const { signal } = over;
  const box = createBox({ label: strings['editQuestion'] }, written, ask);
  const chips = createChips(page, strings['attached'], () => box.focus(), id);
  const completions = createCompletions(page, box, { id: `completions-${id}`, of: id, signal });
  const send = button('button', strings['send'], ask);
  const cancel = button('button secondary', strings['cancel'], () => leave(true));
  const buttons = element('div', { class: 'buttons' }, send, cancel);
  const root = element('div', { class: 'editor' }, box, completions.element, chips.element, buttons);

  const attached = () => edits.chipsOf(id) ?? view.chips;
  const isEmpty = (): boolean => box.value.trim() === '' && attached().length === 0;

  function showChips(): void {
    chips.update(attached());
    send.disabled = isEmpty();
  }

  /** @param isGivenUp whether what was attached is forgotten; the host takes it where it is asked */
  function leave(isGivenUp: boolean): void {
    over.abort();
    edits.completions.delete(completions.show);
    if (isGivenUp) post({ type: 'endEdit', message: id });
    close();
  }

  function ask(): void {
    if (isEmpty()) return;
    const edited = box.value.trim();
    // The same again would be a version like the one before; Retry on the answer asks it anew.
    const isSame = edited === text.trim() && idsOf(attached()) === idsOf(view.chips);
    leave(isSame);
    if (isSame) return;
    post({ type: 'edit', message: id, text: edited });
    page.focusBox();
  }

  post({ type: 'beginEdit', message: id });
  edits.completions.add(completions.show);
  edits.onShow(showChips, signal);
  showChips();
  takeFiles(root, box, (message) => post({ ...message, of: id }));
  box.addEventListener('input', () => {
    edits.set(id, box.value);
    showChips();
  });
  root.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || event.isComposing) return;
    // Escape would also reach the panel, which stops the answer.
    event.stopPropagation();
    leave(true);
  });
  return root;
}

const idsOf = (chips: QuestionView['chips']): string => JSON.stringify(chips.map(({ id }) => id));

function button(look: string, label: string | undefined, onclick: () => void): HTMLButtonElement {
  return element('button', { class: look, type: 'button', text: label, onclick });
}
