import { type Disposable, type Event, EventEmitter } from 'vscode';
import type { Question } from '../../conversation/conversation.ts';
import type { QuestionContext } from './questionContext.ts';

export type EditedQuestion = Pick<Question, 'id' | 'attachments'>;

/** Questions of the conversation that are being edited, each with what will go along with its new version. */
export interface EditedQuestions extends Disposable {
  /** Begins with what went along with the question. One that is being edited stays as it is: the page may be another. */
  begin(question: Question): void;
  /** Undefined for one that is not being edited. */
  of(question: string): QuestionContext | undefined;
  readonly all: readonly QuestionContext[];
  /** Forgets what was changed: it was asked, or given up. */
  end(question: string): void;
  /** What goes along with each, by its id. */
  readonly list: readonly EditedQuestion[];
  readonly onDidChange: Event<void>;
}

/** The most questions that are edited at once: the page keeps as many. */
const mostEdited = 20;

export function createEditedQuestions(makeContext: () => QuestionContext): EditedQuestions {
  const changed = new EventEmitter<void>();
  const edited = new Map<string, QuestionContext>();

  function end(question: string): void {
    const context = edited.get(question);
    if (context === undefined) return;
    edited.delete(question);
    context.dispose();
    changed.fire();
  }

  return {
    begin({ id, attachments }) {
      if (edited.has(id)) return;
      const context = makeContext();
      for (const attachment of attachments) context.attachments.add(attachment);
      context.attachments.onDidChange(() => changed.fire());
      edited.set(id, context);
      for (const oldest of [...edited.keys()].slice(0, -mostEdited)) end(oldest);
      changed.fire();
    },
    of: (question) => edited.get(question),
    get all() {
      return [...edited.values()];
    },
    end,
    get list() {
      return [...edited].map(([id, { attachments }]) => ({ id, attachments: attachments.list }));
    },
    onDidChange: changed.event,
    dispose() {
      for (const context of edited.values()) context.dispose();
      changed.dispose();
    },
  };
}
