import { Tool } from '../../ids/ids.ts';
import type { Tool as OfferedTool } from '../../service/chat/chatRequest.ts';

/**
 * One change of a file, as models and agents give it: lines that give way to others, a new file, a file that goes, or one that gets
 * another path. The schema of `parley_propose_edit` in package.json has the same members.
 */
export const changeProperties = {
  path: {
    type: 'string',
    description: 'The path of the file from the workspace folder, such as src/http/client.ts.',
  },
  old_text: {
    type: 'string',
    description:
      'The lines to be replaced, whole and exactly as they stand in the file, with enough of them to stand there only once.',
  },
  new_text: { type: 'string', description: 'The lines that take their place. Empty to delete them.' },
  content: { type: 'string', description: 'All of a new file, in place of old_text and new_text.' },
  delete: { type: 'boolean', description: 'true to delete the file.' },
  rename: { type: 'string', description: 'The new path of the file, to rename or move it.' },
} as const;

/** The tool that a model is offered for edits: one change with each call. Agents have the same, under the same name. */
export const editTool: OfferedTool = {
  type: 'function',
  function: {
    name: Tool.proposeEdit,
    description:
      'Proposes one change of one file: old_text gives way to new_text, or content is a new file, or delete or rename. Call it once for each place that changes.',
    parameters: { type: 'object', properties: changeProperties, required: ['path'], additionalProperties: false },
  },
};

/** What one change wants of a file, as the planner takes it. */
export type CalledChange =
  | { readonly path: string; readonly oldText: string; readonly newText: string }
  | { readonly path: string; readonly content: string }
  | { readonly path: string; readonly isDeleted: true }
  | { readonly path: string; readonly renamedTo: string };
