import { element } from '../parts/dom.ts';
import type { MessageView, QuestionView } from '../protocol.ts';
import { type AnswerElement, createAnswer } from './answer.ts';
import type { Page } from './page.ts';

/** The messages on the page, each drawn once and brought up to date in place. */
export interface MessageList {
  readonly element: HTMLElement;
  update(messages: readonly MessageView[]): void;
}

interface Drawn {
  readonly id: string;
  readonly element: HTMLElement;
  readonly answer?: AnswerElement;
  view?: MessageView;
  last?: boolean;
}

export function createMessageList(page: Page): MessageList {
  const list = element('div', { class: 'messages' });
  let drawn: Drawn[] = [];

  const drawAt = (index: number, view: MessageView): Drawn => {
    const old = drawn[index];
    if (old?.id === view.id) return old;
    const made = create(page, view);
    if (old === undefined) list.append(made.element);
    else old.element.replaceWith(made.element);
    drawn[index] = made;
    return made;
  };

  return {
    element: list,
    update(messages) {
      for (const gone of drawn.slice(messages.length)) gone.element.remove();
      drawn = drawn.slice(0, messages.length);
      messages.forEach((view, index) => {
        const target = drawAt(index, view);
        const last = index === messages.length - 1;
        if (target.view === view && target.last === last) return;
        target.view = view;
        target.last = last;
        if (view.role === 'assistant') target.answer?.update(view, last);
      });
    },
  };
}

function create(page: Page, view: MessageView): Drawn {
  if (view.role === 'user') return { id: view.id, element: questionElement(page, view) };
  const answer = createAnswer(page);
  return { id: view.id, element: answer.element, answer };
}

function questionElement({ strings }: Page, view: QuestionView): HTMLElement {
  const chips = view.chips.map((chip) =>
    element('li', { class: 'chip', title: chip.title }, element('span', { text: chip.label })),
  );
  return element(
    'article',
    { class: 'question', 'aria-label': strings['you'] },
    element('div', { class: 'question-text', text: view.text }),
    ...(chips.length > 0 ? [element('ul', { class: 'chips', 'aria-label': strings['attached'] }, ...chips)] : []),
  );
}
