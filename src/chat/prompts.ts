/** The instruction for each command on a selection. Written for the model, so in English whatever the user's language. */
export const taskPrompts = {
  explain: 'Explain this code: what it does, how, and what is not obvious about it.',
  fix: 'Find what is wrong with this code and fix it. Show the corrected code in full, then say what was wrong.',
  document: 'Document this code with comments in the style of its language. Show the code with its comments.',
  writeTests:
    'Write tests for this code with the test framework its project most likely uses. Cover the usual case, the edges, and bad input.',
} as const;
export type Task = keyof typeof taskPrompts;

/** Sent at the start of each conversation unless the user wrote instructions of their own. */
export const defaultSystemPrompt =
  'You help a programmer inside a code editor. Be concise and exact. Answer in Markdown; put code into fenced blocks that name their language.';

/** Asks for the rest of an answer that was cut. The words that are repeated tell whether it went on within a word. */
export const continuePrompt =
  'Your last message was cut off. Go on with it: first repeat its last few words exactly as they stand there, then write what comes after them. Write nothing before that: no introduction, and no new code fence.';
