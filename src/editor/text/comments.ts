import {
  type Comment,
  type CommentController,
  CommentMode,
  type CommentThread,
  CommentThreadCollapsibleState,
  comments,
  type Range,
  type Uri,
} from 'vscode';
import type { PlainText } from './plainText.ts';
import { type PlainMarkdown, proseOf } from './shown.ts';

/** A comment in an editor: of its words, only code, bold words and lists are drawn. */
export type PlainComment = Comment & { body: PlainMarkdown; label?: PlainText; author: { name: PlainText } };

/** A thread of comments. */
export type PlainThread = Pick<CommentThread, 'uri' | 'contextValue' | 'dispose'> & {
  /** As this process set it: VS Code moves it in the editor, and does not tell. `moveThread` sets another. */
  readonly range: CommentThread['range'];
  label?: PlainText;
  comments: readonly PlainComment[];
};

/** The threads of one source in all editors, and in VS Code's view of comments. */
export interface PlainThreads {
  /** Adds a thread that is folded, and that nobody can answer. */
  add(uri: Uri, range: Range, label: PlainText, comment: PlainComment): PlainThread;
  dispose(): void;
}

/** @param id by which menus know its threads, as `commentController` */
export function createPlainThreads(id: string, label: PlainText): PlainThreads {
  const controller: CommentController = comments.createCommentController(id, label);
  return {
    add(uri, range, title, comment) {
      const thread = controller.createCommentThread(uri, range, [comment]);
      thread.canReply = false;
      thread.collapsibleState = CommentThreadCollapsibleState.Collapsed;
      thread.label = title;
      return thread as unknown as PlainThread;
    },
    dispose: () => controller.dispose(),
  };
}

/** Sets the range of a thread, also the one that it has: VS Code may have moved it, and is sent no range that is the same as before. */
export function moveThread(thread: PlainThread, range: Range): void {
  const moved = thread as Pick<CommentThread, 'range'>;
  moved.range = undefined;
  moved.range = range;
}

/** A comment whose text is from outside. @param text its lines stay */
export function plainComment(author: PlainText, label: PlainText, text: string): PlainComment {
  return { body: proseOf(text), mode: CommentMode.Preview, author: { name: author }, label };
}
