/** Tokens of the model's context window, about, and what the next question takes of them; its own words are counted by the page. */
export interface WindowView {
  readonly size: number;
  readonly answerRoom: number;
  readonly instructions: number;
  /** Earlier turns that are sent, and older ones that are not. */
  readonly earlier: number;
  readonly leftOut: number;
  readonly attachments: number;
  /** The first message that is sent, where older ones are not; empty where that is the next question. */
  readonly sentFrom?: string;
  /** Whether the user agreed that older turns are left out. */
  readonly leavesOut: boolean;
  /** Whether a summary is sent in the place of older turns. */
  readonly isSummarised: boolean;
  /** The attachment that takes the most. */
  readonly largest?: { readonly id: string; readonly label: string };
  readonly bytesPerToken: number;
}

/** What is done with older turns that do not fit the model's context window: all is sent nevertheless, for example. */
export type FitChoice = 'leaveOut' | 'summarise' | 'whole';

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
