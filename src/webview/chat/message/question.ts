import { growText } from '../../markdown/growText.ts';
import { element, iconButton } from '../../parts/dom.ts';
import { versionStepper } from '../../parts/versionStepper.ts';
import type { QuestionView } from '../../shared/protocol/messageProtocol.ts';
import { chipButton } from '../composer/chips.ts';
import type { Page } from '../page.ts';
import { linkMentions } from './mentions.ts';
import { createQuestionEditor } from './questionEditor.ts';

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
    root.replaceChildren(createQuestionEditor(page, drawn, text, close));
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
