import { type Disposable, type Event, EventEmitter } from 'vscode';
import type { Attachment } from '../../context/attachment.ts';

/** The attachments of the next question. */
export interface Attachments extends Disposable {
  readonly list: readonly Attachment[];
  /** Adds an attachment, in the place of one of the same lines, if there is one. */
  add(attachment: Attachment): void;
  remove(id: string): void;
  /** Gives the attachments, and removes them. */
  take(): readonly Attachment[];
  readonly onDidChange: Event<void>;
}

export function createAttachments(): Attachments {
  const changed = new EventEmitter<void>();
  let list: readonly Attachment[] = [];
  const set = (next: readonly Attachment[]): void => {
    list = next;
    changed.fire();
  };
  return {
    get list() {
      return list;
    },
    add(attachment) {
      const isSame = ({ path, label }: Attachment): boolean => path === attachment.path && label === attachment.label;
      set([...list.filter((other) => !isSame(other)), attachment]);
    },
    remove: (id) => set(list.filter((attachment) => attachment.id !== id)),
    take() {
      const taken = list;
      set([]);
      return taken;
    },
    onDidChange: changed.event,
    dispose: () => changed.dispose(),
  };
}
