import type { Answer } from '../conversation/conversation.ts';
import type { RequestOverride } from '../parameters/requestOverride.ts';
import type { RunningAnswers, RunOptions } from './runningAnswers.ts';

/** The most answers to one question that are written at a time. */
const mostAtOnce = 4;

/**
 * Answers a question with each of several, so many at a time: each is a request and a version of its own. One that fails ends
 * itself alone; one that is stopped ends what has not begun. Gives the first one, once all have ended.
 * @param options for the first one; the others stand beside it
 */
export async function answerEach(
  running: Pick<RunningAnswers, 'run'>,
  question: string,
  each: readonly RequestOverride[],
  options: Omit<RunOptions, 'asked' | 'from'> = {},
): Promise<Answer | undefined> {
  const waiting = [...each.entries()];
  let first: Answer | undefined;
  let isOver = false;

  async function runInTurn(): Promise<void> {
    for (let next = waiting.shift(); next !== undefined && !isOver; next = waiting.shift()) {
      const [index, asked] = next;
      const isBeside = index > 0 || options.isBeside;
      const answer = await running.run(question, { ...options, asked, isBeside });
      if (index === 0) first = answer;
      // The question is gone, or nobody wants more answers to it.
      isOver ||= answer === undefined || answer.state === 'stopped';
    }
  }

  await Promise.all(Array.from({ length: Math.min(mostAtOnce, each.length) }, runInTurn));
  return first;
}
