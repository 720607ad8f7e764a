/** The longest text of a message from a page, in characters: a question may be a whole file. */
export const longestText = 1_000_000;
