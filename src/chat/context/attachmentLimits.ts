import type { Attachment } from '../conversation/attachment.ts';

/** The most that goes along with one question, in characters where it is text. A model that reads a million tokens reads less. */
export const attachmentLimits = { count: 50, each: 1_000_000, all: 4_000_000, images: 10 } as const;

/** Why attachments are too many or too much for a question. */
export type AttachmentProblem = 'too-many' | 'too-long' | 'too-much' | 'too-many-images';

/** @param list the attachments of a question, with one that is to be added */
export function attachmentProblem(list: readonly Attachment[]): AttachmentProblem | undefined {
  const { count, each, all, images } = attachmentLimits;
  if (list.length > count) return 'too-many';
  if (list.some(({ text }) => text.length > each)) return 'too-long';
  if (list.reduce((sum, { text }) => sum + text.length, 0) > all) return 'too-much';
  return list.filter(({ image }) => image !== undefined).length > images ? 'too-many-images' : undefined;
}
