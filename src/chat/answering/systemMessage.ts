/** Sent at the start of each conversation unless the user wrote instructions of their own. */
export const defaultSystemPrompt =
  'You help a programmer inside a code editor. Be concise and exact. Answer in Markdown; put code into fenced blocks that name their language.';
