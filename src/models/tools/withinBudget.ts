/** The tokens a tool may answer with, and the function that counts them. */
export interface TokenBudget {
  tokenBudget: number;
  countTokens(text: string): Thenable<number>;
}

/**
 * As many of the blocks as the budget allows, from the first on; the rest is counted in a last line.
 * @param leftOut says that a number of blocks are left out
 */
export async function withinBudget(
  blocks: readonly string[],
  between: string,
  budget: TokenBudget | undefined,
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
