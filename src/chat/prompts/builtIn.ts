import type { Prompt } from './promptFile.ts';

/** The commands on a selection, by the names of their prompts, which a file of the user's own may stand in for. */
export const tasks = ['explain', 'fix', 'document', 'write-tests'] as const;
export type Task = (typeof tasks)[number];

/** The prompts that Parley brings along. Written for the model, so in English whatever the user's language. */
const templates: Record<Task, string> = {
  explain: 'Explain this code: what it does, how, and what is not obvious about it.',
  fix: 'Find what is wrong with this code and fix it. Show the corrected code in full, then say what was wrong.',
  document: 'Document this code with comments in the style of its language. Show the code with its comments.',
  'write-tests':
    'Write tests for this code with the test framework its project most likely uses. Cover the usual case, the edges, and bad input.',
};

/** @param descriptions what each does, in the user's language */
export function builtInPrompts(descriptions: Record<Task, string>): Prompt[] {
  return tasks.map((name) => ({
    name,
    description: descriptions[name],
    template: `${templates[name]}\n\n{{selection}}`,
  }));
}
