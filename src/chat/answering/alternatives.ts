import type { ChatEvent, TokenLogprob } from '../../service/chat/completion.ts';
import type { Intake } from './intake.ts';

/** An answer of the conversation that is being written, and what takes its events in. */
export interface Written {
  readonly id: string;
  readonly intake: Intake;
}

/** Told how sure the model was of the tokens of an answer, as they come. */
export type OnTokens = (answer: string, tokens: readonly TokenLogprob[]) => void;

/** The answers that one request gives: the one that was begun, and for each further choice one more version of it. */
export interface Alternatives {
  readonly all: readonly Written[];
  take(event: ChatEvent): void;
}

/**
 * @param first the answer to the choice 0
 * @param most how many choices were asked for; what a service sends beyond them is passed over
 * @param begin begins one more version; undefined where the question is gone
 */
export function createAlternatives(
  first: Written,
  most: number,
  begin: () => Written | undefined,
  onTokens: OnTokens = () => undefined,
): Alternatives {
  const byChoice = new Map<number, Written | undefined>([[0, first]]);
  /** The one choice that was asked for, whatever number a service gives it: some count from 1. */
  let only: number | undefined;
  return {
    get all() {
      return [...byChoice.values()].filter((each) => each !== undefined);
    },
    take(event) {
      if (!('choice' in event)) {
        // The usage and the identity are those of the whole request; a model is that of each answer.
        if (event.type === 'model') for (const written of byChoice.values()) written?.intake.take(event);
        else first.intake.take(event);
        return;
      }
      only ??= event.choice;
      const choice = most === 1 && event.choice === only ? 0 : event.choice;
      if (choice >= most || (most === 1 && event.choice !== only)) return;
      if (!byChoice.has(choice)) byChoice.set(choice, begin());
      const written = byChoice.get(choice);
      written?.intake.take(event);
      if (event.type === 'logprobs' && written !== undefined) onTokens(written.id, event.content);
    },
  };
}
