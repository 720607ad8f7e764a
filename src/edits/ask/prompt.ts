import { fenced } from '../../base/codeFence.ts';
import { type InstructionFile, taskWithInstructions } from '../../base/workspaceInstructions.ts';
import type { TextMessage } from '../../service/chat/chatRequest.ts';
import type { EditForm } from './editForm.ts';
import { editTool } from './editTool.ts';

/** The lines that the model is to change, and how. Lines are without their endings. */
export interface EditQuestion {
  instruction: string;
  /** Path of the document as the user knows it, relative to the workspace. */
  path: string;
  /** VS Code's language id; names the language after a fence. */
  language: string;
  /** The lines to change, and some around them. */
  before: readonly string[];
  selected: readonly string[];
  after: readonly string[];
}

/** What SEARCH/REPLACE blocks are, with an example, for a question in that form. */
export const blocksForm = [
  'Answer only with SEARCH/REPLACE blocks, each below the path of its file, as in this example:',
  '',
  'src/price.ts',
  '<<<<<<< SEARCH',
  '  return net;',
  '=======',
  '  return net + tax;',
  '>>>>>>> REPLACE',
  '',
  'SEARCH has whole lines exactly as they stand in the file, as few as stand there only once. One block changes one place. For a new file SEARCH is empty.',
].join('\n');

/** What the tool is for, for a question in that form. */
export const toolForm = [
  `Make each change with a call of ${editTool.function.name}, one for each place:`,
  'old_text has whole lines exactly as they stand in the file, as few as stand there only once. Do not write code in words.',
  `For example: {"path": "src/price.ts", "old_text": "  return net;", "new_text": "  return net + tax;"}`,
].join(' ');

const around =
  'The lines around the selection are for orientation: do not change them unless the instruction asks for it.';

const systems: Readonly<Record<EditForm, string>> = {
  tool: ['You edit a part of a file as the user instructs.', toolForm, around].join(' '),
  blocks: ['You edit a part of a file as the user instructs.', around, 'Do not explain.', blocksForm].join(' '),
  whole: [
    'You edit a part of a file as the user instructs.',
    'Return only the edited code, in one fenced code block, with every line of the selection that stays, and the same indentation.',
    'The lines around the selection are for orientation: do not repeat them. Do not explain.',
  ].join(' '),
};

/**
 * The messages that ask for an edit in a form. The selection is the last fenced block.
 * @param instructions of the workspace
 */
export function editMessages(
  question: EditQuestion,
  form: EditForm,
  instructions: readonly InstructionFile[] = [],
): TextMessage[] {
  const { instruction, path, language, before, selected, after } = question;
  const parts = [
    `Instruction: ${instruction
      .split(/\n(?=- )/)
      .map(onOneLine)
      .join('\n')}`,
    `File: ${path}`,
    ...linesAround('Before the selection:', before, language),
    ...linesAround('After the selection:', after, language),
    `The selection:\n${fenced(selected.join('\n'), language)}`,
  ];
  return [
    { role: 'system', content: taskWithInstructions(systems[form], instructions) },
    { role: 'user', content: parts.join('\n\n') },
  ];
}

/** The points of a list keep their lines. */
function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function linesAround(title: string, lines: readonly string[], language: string): string[] {
  return lines.some((line) => line.trim() !== '') ? [`${title}\n${fenced(lines.join('\n'), language)}`] : [];
}
