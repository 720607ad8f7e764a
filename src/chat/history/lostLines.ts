import { type Action, isGrowth } from '../conversation/conversation.ts';

/**
 * The actions of a file of which lines are lost, so that what followed those opens all the same. An answer of which only the text
 * is left belongs to the question before it, a question of which only the answer is left is empty, and a message that follows
 * one that is lost follows the one before that.
 */
export function withLostLines(actions: readonly Action[]): Action[] {
  const mended: Action[] = [];
  const known = new Set<string>();
  let last: { readonly id: string; readonly at: number } | undefined;
  let question: typeof last;

  function add(action: Extract<Action, { readonly type: 'ask' | 'answer' }>): void {
    mended.push(action);
    known.add(action.id);
    last = action;
    if (action.type === 'ask') question = action;
  }
  const behindLast = (): { parent?: string } => (last === undefined ? {} : { parent: last.id });

  for (const action of actions) {
    if (action.type === 'ask') {
      const { parent, ...rest } = action;
      add(parent === undefined || known.has(parent) ? action : { ...rest, ...behindLast() });
    } else if (action.type === 'answer') {
      const { parent: id, at } = action;
      if (!known.has(id)) add({ type: 'ask', id, ...behindLast(), text: '', attachments: [], at: at - 1 });
      add(action);
    } else {
      if (isGrowth(action) && !known.has(action.id) && question !== undefined)
        add({ type: 'answer', id: action.id, parent: question.id, at: question.at + 1 });
      mended.push(action);
    }
  }
  return mended;
}
