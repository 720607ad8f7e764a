import { randomUUID } from 'node:crypto';
import type { ComparisonView } from '../../../../webview/shared/protocol/comparisonProtocol.ts';
import type { Change, ColumnView, Patch } from '../../../../webview/shared/protocol/protocol.ts';
import { type ColumnVersion, laterColumns } from '../../../comparison/columns.ts';
import {
  type Answer,
  answerOf,
  type Conversation,
  type Growth,
  type Message,
} from '../../../conversation/conversation.ts';
import { createOutbox, cutMessage } from '../page/outbox.ts';
import { type Arrangement, columnView } from './columnView.ts';

/** The columns of one comparison, as the page was told them. */
export interface PageColumns {
  /** The question that the versions answer. */
  readonly question: string;
  readonly columns: readonly string[];
  /** Gives all of them, for a page that has none. */
  all(): ComparisonView<ColumnView>;
  /** Takes that versions, their places, or the columns are others. @returns false where there is nothing to compare any more */
  arrange(columns: readonly string[]): boolean;
  /** Takes what an answer has taken in. */
  grow(action: Growth): void;
  /** The page has drawn everything up to this number. */
  drawn(seq: number): void;
}

/** Characters of the question that stand above the columns. */
const longestQuestion = 300;

/** @param columns the ids of versions of the answer */
export function createPageColumns(
  conversation: () => Conversation,
  question: string,
  columns: readonly string[],
  send: (patches: readonly Patch<ColumnView>[]) => void,
): PageColumns {
  const id = randomUUID();
  const outbox = createOutbox<ColumnView>(send);
  let seq = 0;
  let shown = columns;
  let views = viewsOf(conversation(), question, shown);

  function tell(...changes: Change<ColumnView>[]): void {
    const patches = changes.map((change): Patch<ColumnView> => {
      seq++;
      return { conversation: id, seq, change };
    });
    if (patches.length > 0) outbox.push(patches);
  }

  return {
    question,
    get columns() {
      return shown;
    },
    all() {
      views = viewsOf(conversation(), question, shown);
      outbox.reset(views, seq);
      const asked = conversation().tree.get(question);
      const text = asked?.role === 'user' ? asked.text.slice(0, longestQuestion) : '';
      return { id, seq, question: text, columns: views.map(cutMessage) };
    },
    arrange(wanted) {
      shown = laterColumns(wanted, versionsOf(conversation(), question).map(columnVersion));
      if (shown.length === 0) return false;
      const before = views;
      views = viewsOf(conversation(), question, shown);
      if (views.length < before.length) tell({ kind: 'cut', index: views.length });
      tell(...views.flatMap((view, index) => changeOf(before[index], view, index)));
      return true;
    },
    grow(action) {
      const index = shown.indexOf(action.id);
      const before = views[index];
      const answer = answerOf(conversation(), action.id);
      if (before === undefined || answer === undefined) return;
      // An answer that was presumed to be cut off is written again: its state is another one with its first words.
      if (action.type === 'append' && before.state === answer.state) {
        return tell({ kind: 'append', index, field: action.field, text: action.text });
      }
      const view = columnView(answer, arrangementOf(conversation(), question, shown));
      views = views.with(index, view);
      const isOther = action.type === 'append' || action.type === 'rewrite';
      tell(isOther ? { kind: 'put', index, message: view } : described(view, index));
    },
    drawn: (drawnSeq) => outbox.drawn(drawnSeq),
  };
}

const isAnswer = (message: Message | undefined): message is Answer => message?.role === 'assistant';

/** A version as it matters for standing in a column. */
export const columnVersion = ({ id, state }: Answer): ColumnVersion => ({ id, isStreaming: state === 'streaming' });

/** The answer to a question that the path goes through. */
function chosenOf({ messages }: Conversation, question: string): Answer | undefined {
  return messages.filter(isAnswer).find(({ parent }) => parent === question);
}

/** The answers to a question of the path, in their order. */
export function versionsOf(conversation: Conversation, question: string): Answer[] {
  const chosen = chosenOf(conversation, question);
  if (chosen === undefined) return [];
  return (chosen.versions ?? [chosen.id]).map((id) => conversation.tree.get(id)).filter(isAnswer);
}

function arrangementOf(conversation: Conversation, question: string, columns: readonly string[]): Arrangement {
  const chosen = chosenOf(conversation, question)?.id ?? '';
  return { versions: versionsOf(conversation, question), columns, chosen };
}

function viewsOf(conversation: Conversation, question: string, columns: readonly string[]): ColumnView[] {
  const arrangement = arrangementOf(conversation, question, columns);
  const answers = columns.map((id) => answerOf(conversation, id)).filter(isAnswer);
  return answers.map((answer) => columnView(answer, arrangement));
}

/** The change of a column; none where nothing but its texts may be another. */
function changeOf(before: ColumnView | undefined, view: ColumnView, index: number): Change<ColumnView>[] {
  if (before?.id !== view.id) return [{ kind: 'put', index, message: view }];
  return JSON.stringify(before.head) === JSON.stringify(view.head) ? [] : [described(view, index)];
}

function described({ text: _text, reasoning: _reasoning, ...facts }: ColumnView, index: number): Change<ColumnView> {
  return { kind: 'describe', index, facts };
}
