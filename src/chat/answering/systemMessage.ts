import type { Attachment } from '../conversation/attachment.ts';

/** Sent at the start of each conversation unless the user wrote instructions of their own. */
export const defaultSystemPrompt =
  'You help a programmer inside a code editor. Be concise and exact. Answer in Markdown; put code into fenced blocks that name their language.';

/** Whether something attached is code of a file, or all of it, so that an answer may change that file. */
export function isAboutFiles(attachments: readonly Attachment[]): boolean {
  return attachments.some(({ kind }) => kind === undefined || kind === 'file' || kind === 'problems');
}

/** The system message, and behind it the form in which answers change files. Either may be empty. */
export function withChangeForm(system: string, changeForm = ''): string {
  return [system, changeForm].filter((part) => part !== '').join('\n\n');
}
