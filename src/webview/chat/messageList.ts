import { element } from '../parts/dom.ts';
import type { MessageView } from '../shared/protocol.ts';
import { type AnswerElement, createAnswer } from './answer.ts';
import type { Page } from './page.ts';
import { createQuestion, type QuestionElement } from './question.ts';

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
  readonly question?: QuestionElement;
  view?: MessageView;
  last?: boolean;
  /** Whether the whole view is on the page. */
  isAll?: boolean | undefined;
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
        if (view.role === 'user') target.question?.update(view);
        target.isAll = view.role === 'user' || target.answer?.update(view, last);
      }
      return targets.every(({ view, target }) => target.isAll || (isBusy && view !== newest));
    },
  };
}

function create(page: Page, { id, role }: MessageView): Drawn {
  if (role === 'user') {
    const question = createQuestion(page);
    return { id, element: question.element, question };
  }
  const answer = createAnswer(page);
  return { id, element: answer.element, answer };
}
