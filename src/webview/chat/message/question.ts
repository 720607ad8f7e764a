import { growText } from '../../markdown/growText.ts';
import { createBox } from '../../parts/box.ts';
import { element, iconButton } from '../../parts/dom.ts';
import { versionStepper } from '../../parts/versionStepper.ts';
import type { QuestionView } from '../../shared/protocol/messageProtocol.ts';
import { chipButton } from '../composer/chips.ts';
import type { Page } from '../page.ts';
import { linkMentions } from './mentions.ts';

/** A question on the page. */
export interface QuestionElement {
  readonly element: HTMLElement;
  /** @returns false when there was more than can be drawn in one go: the rest comes with the next update */
  update(view: QuestionView): boolean;
}

export function createQuestion(page: Page): QuestionElement {
  const { strings } = page;
  const root = element('article', { class: 'question', 'aria-label': strings['you'] });
  let drawn: QuestionView | undefined;
  let isEdited = false;
  let isLinked = false;
  let shown = element('div', { class: 'question-text' });

  function show(): void {
    if (drawn === undefined || isEdited) return;
    const { label } = drawn;
    const prompt = label === undefined ? [] : [element('div', { class: 'question-label', text: label })];
    shown = element('div', { class: 'question-text' });
    isLinked = false;
    root.replaceChildren(...prompt, shown, ...chipList(page, drawn), footer(page, drawn, edit));
  }

  /** Somebody may ask with a whole log: no more of it is drawn at once than is quick. */
  function grow(): boolean {
    if (drawn === undefined || isEdited) return true;
    const { id: message, text, chips } = drawn;
    const grown = growText(shown, text);
    if (grown === 'all' && !isLinked) {
      isLinked = true;
      linkMentions(shown, chips, (chip) => page.post({ type: 'openChip', message, chip }));
    }
    return grown !== 'more';
  }

  function openEditor(text: string): void {
    if (drawn === undefined) return;
    isEdited = true;
    root.replaceChildren(editor(page, drawn, text, close));
  }

  function edit(): void {
    if (drawn !== undefined) openEditor(drawn.text);
    root.querySelector('textarea')?.focus();
  }

  function close(): void {
    isEdited = false;
    if (drawn !== undefined) page.edits.set(drawn.id, undefined);
    show();
    while (!grow());
    // The user goes on where they began.
    root.querySelector<HTMLElement>('.actions button')?.focus();
  }

  return {
    element: root,
    update(view) {
      const isSame = JSON.stringify(view) === JSON.stringify(drawn);
      // A page that was thrown away may have left an edit open.
      const edited = drawn === undefined ? page.edits.get(view.id) : undefined;
      drawn = view;
      if (edited !== undefined) openEditor(edited);
      else if (!isSame) show();
      return grow();
    },
  };
}

function chipList({ strings, post }: Page, { id: message, chips }: QuestionView): HTMLElement[] {
  if (chips.length === 0) return [];
  const items = chips.map((chip) => {
    const open = (): void => post({ type: 'openChip', message, chip: chip.id });
    return element('li', { class: 'chip' }, chipButton(chip, open));
  });
  return [element('ul', { class: 'chips', 'aria-label': strings['attached'] }, ...items)];
}

function footer(page: Page, { id, versions }: QuestionView, edit: () => void): HTMLElement {
  const { strings, post, announce } = page;
  const copy = (): void => {
    post({ type: 'copyMessage', message: id });
    announce(strings['copied'] ?? '');
  };
  const stepper =
    versions === undefined ? [] : [versionStepper(strings, versions, (message) => post({ type: 'choose', message }))];
  return element(
    'div',
    { class: 'footer' },
    ...stepper,
    element(
      'div',
      { class: 'actions' },
      iconButton('edit', strings['editQuestion'] ?? '', edit),
      iconButton('copy', strings['copyQuestion'] ?? '', copy),
      iconButton('repo-forked', strings['forkQuestion'] ?? '', () => post({ type: 'fork', message: id })),
      iconButton('trash', strings['deleteQuestion'] ?? '', () => post({ type: 'delete', message: id })),
    ),
  );
}

/**
 * The question in a box; sent again, it is a new version with the same attachments.
 * @param written what is in the box
 * @param close draws the question again
 */
function editor(page: Page, view: QuestionView, written: string, close: () => void): HTMLElement {
  const { id, text, chips } = view;
  const { strings, post } = page;
  const isEmpty = (): boolean => box.value.trim() === '' && chips.length === 0;
  const ask = (): void => {
    if (isEmpty()) return;
    const edited = box.value.trim();
    close();
    // The same words again would be a version like the one before; Retry on the answer asks them anew.
    if (edited === text.trim()) return;
    post({ type: 'edit', message: id, text: edited });
    page.focusBox();
  };
  const box = createBox({ label: strings['editQuestion'] }, written, ask);
  const button = (look: string, label: string | undefined, onclick: () => void): HTMLButtonElement =>
    element('button', { class: look, type: 'button', text: label, onclick });
  const send = button('button', strings['send'], ask);
  send.disabled = isEmpty();
  box.addEventListener('input', () => {
    page.edits.set(id, box.value);
    send.disabled = isEmpty();
  });
  const buttons = element('div', { class: 'buttons' }, send, button('button secondary', strings['cancel'], close));
  const made = element('div', { class: 'editor' }, box, ...chipList(page, view), buttons);
  made.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || event.isComposing) return;
    // Escape would also reach the panel, which stops the answer.
    event.stopPropagation();
    close();
  });
  return made;
}
