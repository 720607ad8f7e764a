import type { CallableTool } from '../calls/calledInText.ts';
import type { ChatEvent } from '../completion.ts';
import { type ChoiceAssembler, createChoiceAssembler } from './choiceAssembler.ts';

/** The choices of an answer, each put together on its own. */
export interface Choices {
  /** The choice of an index, which is begun where there is none yet; undefined: it is no index. */
  at(index: unknown): ChoiceAssembler | undefined;
  /** In their order. */
  all(): ChoiceAssembler[];
}

/** `choices[].index` may not be greater; the document's `n` is far below. */
const maxChoice = 128;

export function createChoices(
  tools: readonly CallableTool[],
  emit: (event: ChatEvent) => void,
  malformed: () => never,
): Choices {
  const choices = new Map<number, ChoiceAssembler>();

  return {
    at(index) {
      const known = choices.get(index as number);
      if (known !== undefined) return known;
      if (typeof index !== 'number' || !(Number.isInteger(index) && index >= 0 && index <= maxChoice)) return undefined;
      const choice = createChoiceAssembler(index, tools, emit, malformed);
      choices.set(index, choice);
      return choice;
    },
    all: () => [...choices].sort(([a], [b]) => a - b).map(([, choice]) => choice),
  };
}
