import { element } from '../parts/dom.ts';
import { showUnseen } from '../parts/unseen.ts';
import type { MessageView, QuestionView } from '../shared/protocol.ts';
import { type AnswerElement, createAnswer } from './answer.ts';
import type { Page } from './page.ts';

/** The messages on the page, each drawn once and brought up to date in place. */
export interface MessageList {
  readonly element: HTMLElement;
  /** False when there is more to draw now than can be drawn in one go: the rest comes with the next update. */
  update(messages: readonly MessageView[]): boolean;
}

interface Drawn {
  readonly id: string;
  readonly element: HTMLElement;
  readonly answer?: AnswerElement;
  view?: MessageView;
  last?: boolean;
  /** Whether the whole view is on the page. */
  isAll?: boolean;
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
      const targets = messages.map((view, index) => ({ view, target: drawAt(index, view) }));
      const newest = messages.at(-1);
      const isBusy = newest?.role === 'assistant' && newest.state === 'streaming';
      let isNew = isBusy;
      // The newest is drawn first: the rest of earlier ones is drawn when nothing else is, and no user waits for it.
      for (const { view, target } of targets.reverse()) {
        const last = view === newest;
        const isSame = target.view === view && target.last === last;
        if (isSame && (target.isAll || (isNew && !last))) continue;
        isNew = true;
        target.view = view;
        target.last = last;
        target.isAll = target.answer === undefined || view.role === 'user' || target.answer.update(view, last);
      }
      return targets.every(({ view, target }) => target.isAll || (isBusy && view !== newest));
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
  const text = element('div', { class: 'question-text', text: view.text });
  showUnseen(text);
  return element(
    'article',
    { class: 'question', 'aria-label': strings['you'] },
    text,
    ...(chips.length > 0 ? [element('ul', { class: 'chips', 'aria-label': strings['attached'] }, ...chips)] : []),
  );
}
