import type { WindowView } from './protocol.ts';

/** What a question takes of the model's context window, in tokens, about. */
export interface Fit {
  /** The words of the question alone. */
  readonly question: number;
  /** Earlier turns that are sent. */
  readonly earlier: number;
  /** All that would be sent, and what is kept for the answer. */
  readonly used: number;
  /** The same with the older turns. */
  readonly whole: number;
  /** Why it cannot go as it is: it does not fit by itself, or with older turns that the user has not agreed to leave out. */
  readonly problem?: 'question' | 'older' | undefined;
}

/** @param draft the words of the question */
export function fitOf(view: WindowView, draft: string): Fit {
  const { size, answerRoom, instructions, earlier, leftOut, attachments, leavesOut, bytesPerToken } = view;
  const question = Math.ceil(new TextEncoder().encode(draft).length / bytesPerToken);
  const least = instructions + attachments + question + answerRoom;
  const whole = least + earlier + leftOut;
  // More older turns are left out as the question grows.
  const sent = Math.max(0, Math.min(earlier, size - least));
  const problem = least > size ? 'question' : whole > size && !leavesOut ? 'older' : undefined;
  return { question, earlier: sent, used: least + sent, whole, problem };
}
