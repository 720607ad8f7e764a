import { createBox } from '../parts/box.ts';
import { element, iconButton } from '../parts/dom.ts';
import { showUnseen } from '../parts/unseen.ts';
import { versionStepper } from '../parts/versionStepper.ts';
import type { QuestionView } from '../shared/protocol.ts';
import type { Page } from './page.ts';

/** A question on the page. */
export interface QuestionElement {
  readonly element: HTMLElement;
  update(view: QuestionView): void;
}

export function createQuestion(page: Page): QuestionElement {
  const { strings } = page;
  const root = element('article', { class: 'question', 'aria-label': strings['you'] });
  let drawn: QuestionView | undefined;
  let isEdited = false;

  function show(): void {
    if (drawn === undefined || isEdited) return;
    const { text, label } = drawn;
    const prompt = label === undefined ? [] : [element('div', { class: 'question-label', text: label })];
    const shown = element('div', { class: 'question-text', text });
    showUnseen(shown);
    root.replaceChildren(...prompt, shown, ...chipList(page, drawn), footer(page, drawn, edit));
  }

  function edit(): void {
    if (drawn === undefined) return;
    isEdited = true;
    root.replaceChildren(editor(page, drawn, close));
    root.querySelector('textarea')?.focus();
  }

  function close(): void {
    isEdited = false;
    show();
    // The user goes on where they began.
    root.querySelector<HTMLElement>('.actions button')?.focus();
  }

  return {
    element: root,
    update(view) {
      const isSame = JSON.stringify(view) === JSON.stringify(drawn);
      drawn = view;
      if (!isSame) show();
    },
  };
}

function chipList({ strings, post }: Page, { id: message, chips }: QuestionView): HTMLElement[] {
  if (chips.length === 0) return [];
  const items = chips.map(({ id: chip, label, title }) => {
    const open = (): void => post({ type: 'openChip', message, chip });
    return element(
      'li',
      { class: 'chip', title },
      element('button', { class: 'open-chip', type: 'button', text: label, onclick: open }),
    );
  });
  return [element('ul', { class: 'chips', 'aria-label': strings['attached'] }, ...items)];
}

function footer({ strings, post }: Page, { id, versions }: QuestionView, edit: () => void): HTMLElement {
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
      iconButton('trash', strings['deleteQuestion'] ?? '', () => post({ type: 'delete', message: id })),
    ),
  );
}

/** The question in a box; sent again, it is a new version with the same attachments. @param close draws the question again */
function editor(page: Page, view: QuestionView, close: () => void): HTMLElement {
  const { id, text, chips } = view;
  const { strings, post } = page;
  const isEmpty = (): boolean => box.value.trim() === '' && chips.length === 0;
  const ask = (): void => {
    if (isEmpty()) return;
    post({ type: 'edit', message: id, text: box.value.trim() });
    close();
    page.focusBox();
  };
  const box = createBox({ label: strings['editQuestion'] }, text, ask);
  const button = (look: string, label: string | undefined, onclick: () => void): HTMLButtonElement =>
    element('button', { class: look, type: 'button', text: label, onclick });
  const send = button('button', strings['send'], ask);
  box.addEventListener('input', () => {
    send.disabled = isEmpty();
  });
  const buttons = element('div', { class: 'buttons' }, send, button('button secondary', strings['cancel'], close));
  const made = element('div', { class: 'editor' }, box, ...chipList(page, view), buttons);
  made.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || event.isComposing) return;
    // The panel would stop an answer.
    event.stopPropagation();
    close();
  });
  return made;
}
