/** What a person did that cannot be done: one sentence, and what to do next. */
export class CliProblem extends Error {
  readonly next: string;
  constructor(sentence: string, next: string) {
    super(sentence);
    this.next = next;
  }
}

/** How a command ended: `nothing` is nothing found, damaged, or behind. Ctrl+C ends with what shells give it: 128 and its number. */
export const exitCode = { done: 0, nothing: 1, problem: 2, interrupted: 130 } as const;
