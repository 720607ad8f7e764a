import type { OpenFileView } from '../../../webview/shared/protocol/messageProtocol.ts';
import { attachmentProblem } from '../../context/attachmentLimits.ts';
import type { Attachment } from '../../conversation/attachment.ts';
import type { Question } from '../../conversation/conversation.ts';
import type { Attachments } from './attachments.ts';
import type { OpenFile } from './openFile.ts';

/** The attachments of the next question: those that were chosen, and the open file where it goes along. */
export interface NextAttachments extends Attachments {
  readonly chosen: readonly Attachment[];
  /** The open file; undefined where there is none, and where the file is among those that were chosen. */
  readonly openFile: { readonly attachment: Attachment; readonly state: OpenFileView['state'] } | undefined;
}

/** @param read gives the questions that the model reads with the next one */
export function withOpenFile(chosen: Attachments, file: OpenFile, read: () => readonly Question[]): NextAttachments {
  /** The open file, where it is not attached already. */
  function other(): Attachment | undefined {
    const { attachment } = file;
    return attachment === undefined || chosen.list.some((each) => isSame(each, attachment)) ? undefined : attachment;
  }

  /** Whether the model reads it already, as it is: it went along with a question before. */
  const isSent = (attachment: Attachment): boolean =>
    read().some(({ attachments }) => attachments.some((each) => isSame(each, attachment)));

  function sent(): Attachment[] {
    const attachment = file.isOn ? other() : undefined;
    if (attachment === undefined || isSent(attachment)) return [];
    return attachmentProblem([...chosen.list, attachment]) === undefined ? [attachment] : [];
  }

  return {
    get list() {
      return [...chosen.list, ...sent()];
    },
    get chosen() {
      return chosen.list;
    },
    get openFile() {
      const attachment = other();
      if (attachment === undefined) return undefined;
      const state: OpenFileView['state'] = !file.isOn ? 'off' : isSent(attachment) ? 'known' : 'on';
      return { attachment, state };
    },
    add: chosen.add,
    adding: chosen.adding,
    settled: chosen.settled,
    remove(id) {
      if (file.attachment?.id === id) void file.set(false);
      else chosen.remove(id);
    },
    take() {
      const along = sent();
      return [...chosen.take(), ...along];
    },
    onDidChange: chosen.onDidChange,
    dispose: chosen.dispose,
  };
}

/** Whether two attachments say the same of a file. */
function isSame(one: Attachment, other: Attachment): boolean {
  return one.path === other.path && one.text.trimEnd() === other.text.trimEnd();
}
