import { type Disposable, type Event, EventEmitter, l10n } from 'vscode';
import type { Notices } from '../../../editor/notices.ts';
import { formatSize } from '../../../editor/sentences/formatUnits.ts';
import { type AttachmentProblem, attachmentLimits, attachmentProblem } from '../../context/attachmentLimits.ts';
import { withAttachment } from '../../context/withAttachment.ts';
import type { Attachment } from '../../conversation/attachment.ts';

/** The attachments of the next question. */
export interface Attachments extends Disposable {
  readonly list: readonly Attachment[];
  /**
   * Adds an attachment, joined with those whose lines it overlaps. A question takes so many and so much: more is refused with a
   * sentence, and false.
   */
  add(attachment: Attachment): boolean;
  /** Waits for what is being read: `settled` does not resolve before. */
  adding(work: Promise<unknown>): void;
  /** Resolves when all that was chosen is attached, or refused. */
  settled(): Promise<void>;
  remove(id: string): void;
  /** Gives the attachments, and removes them. */
  take(): readonly Attachment[];
  readonly onDidChange: Event<void>;
}

export function createAttachments(notices: Notices): Attachments {
  const changed = new EventEmitter<void>();
  const running = new Set<Promise<unknown>>();
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
      const next = withAttachment(list, attachment);
      const problem = attachmentProblem(next);
      if (problem !== undefined) void notices.warn(problemText(problem, attachment.label));
      else set(next);
      return problem === undefined;
    },
    adding(work) {
      const mine = work.catch(() => {}).finally(() => running.delete(mine));
      running.add(mine);
    },
    async settled() {
      while (running.size > 0) await Promise.all(running);
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

function problemText(problem: AttachmentProblem, label: string): string {
  const { count, each, all, images } = attachmentLimits;
  switch (problem) {
    case 'too-many':
      return l10n.t('{0} was not attached: {1} attachments go along with a question, at most.', label, count);
    case 'too-long':
      return tooLargeText(label, each);
    case 'too-much':
      return l10n.t('{0} was not attached: with a question goes {1} of text, at most.', label, formatSize(all));
    case 'too-many-images':
      return l10n.t('{0} was not attached: {1} images go along with a question, at most.', label, images);
  }
}

export function tooLargeText(label: string, most: number): string {
  return l10n.t('{0} was not attached: it is larger than {1}.', label, formatSize(most));
}
