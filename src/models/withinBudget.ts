/** How many tokens a tool may answer with, and who counts them. */
export interface Budget {
  tokenBudget: number;
  countTokens(text: string): Thenable<number>;
}

/**
 * As many of the blocks as the budget allows, from the first on; what does not fit is counted in a last line.
 * @param leftOut says that so many blocks are not there
 */
export async function withinBudget(
  blocks: readonly string[],
  between: string,
  budget: Budget | undefined,
  leftOut: (count: number) => string,
): Promise<string> {
  if (budget === undefined) return blocks.join(between);
  const taken: string[] = [];
  let left = budget.tokenBudget - (await budget.countTokens(leftOut(blocks.length)));
  for (const block of blocks) {
    left -= await budget.countTokens(block + between);
    if (left < 0) break;
    taken.push(block);
  }
  const missing = blocks.length - taken.length;
  return (missing === 0 ? taken : [...taken, leftOut(missing)]).join(between);
}
