import { fenced } from '../base/codeFence.ts';
import { type InstructionFile, taskWithInstructions } from '../base/workspaceInstructions.ts';
import type { TextMessage } from '../service/chat/chatRequest.ts';

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

const system = [
  'You edit a part of a file as the user instructs.',
  'Return only the edited code, in one fenced code block, with every line of the selection that stays, and the same indentation.',
  'The lines around the selection are for orientation: do not repeat them. Do not explain.',
].join(' ');

/** The messages that ask for an edit. The selection is the last fenced block. @param instructions of the workspace */
export function editMessages(question: EditQuestion, instructions: readonly InstructionFile[] = []): TextMessage[] {
  const { instruction, path, language, before, selected, after } = question;
  const parts = [
    `Instruction: ${instruction
      .split(/\n(?=- )/)
      .map(onOneLine)
      .join('\n')}`,
    `File: ${path}`,
    ...around('Before the selection:', before, language),
    ...around('After the selection:', after, language),
    `The selection:\n${fenced(selected.join('\n'), language)}`,
  ];
  return [
    { role: 'system', content: taskWithInstructions(system, instructions) },
    { role: 'user', content: parts.join('\n\n') },
  ];
}

/** The points of a list keep their lines. */
function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function around(title: string, lines: readonly string[], language: string): string[] {
  return lines.some((line) => line.trim() !== '') ? [`${title}\n${fenced(lines.join('\n'), language)}`] : [];
}
