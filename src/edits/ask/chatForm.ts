import type { EditForm } from './editForm.ts';

/** The comment by which a model says that it leaves out code that stays. The planner puts such code back. */
export const leftOutMarker = '... existing code ...';

const blocks =
  'To change a file, write its path on a line of its own and below it a fenced block with SEARCH/REPLACE parts: a line `<<<<<<< SEARCH`, whole lines exactly as they stand in the file, a line `=======`, the new lines, a line `>>>>>>> REPLACE`.';
const whole =
  'To change a file, write its path on a line of its own and below it a fenced block with all of each function or section that changes.';
const leftOut = `A new file is a fenced block with all of its code; where any other block leaves out code that stays, it has the comment \`${leftOutMarker}\` in its place, and nothing else stands for it.`;

/**
 * Two sentences for the system message of a chat: the form in which its answers change files, so that they can be proposed as changes.
 * @param form that the user set; undefined for Parley's choice. A chat has no tool for edits, so blocks stand for it.
 */
export function chatForm(form: EditForm | undefined): string {
  return `${form === 'whole' ? whole : blocks} ${leftOut}`;
}
