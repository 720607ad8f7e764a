import type { Attachment } from '../attachment.ts';

/** Sent at the start of each conversation unless the user wrote instructions of their own. */
export const defaultSystemPrompt =
  'You help a programmer inside a code editor. Be concise and exact. Answer in Markdown; put code into fenced blocks that name their language.';

/** Files of a workspace that tell models how to work in it. */
export const instructionPaths = ['AGENTS.md', '.github/copilot-instructions.md'] as const;

/** Characters of all instruction files together that are sent: some 15,000 tokens with every request. */
export const mostInstructions = 60_000;

/** An instruction file of the workspace, as far as it is sent. */
export interface InstructionFile {
  /** Address of the file: the same in every window. */
  readonly uri: string;
  /** The name for a person and a model: `AGENTS.md`, in a workspace of several folders `harbour/AGENTS.md`. */
  readonly name: string;
  readonly text: string;
  /** Whether the file has more. */
  readonly isCut: boolean;
}

/** The files with what is sent of each: all of the first ones, as long as there is room. One without words is left out. */
export function fitInstructions(files: readonly Omit<InstructionFile, 'isCut'>[]): InstructionFile[] {
  let room = mostInstructions;
  return files.flatMap((file) => {
    const whole = file.text.trim();
    if (whole === '') return [];
    const text = cutAt(whole, room);
    room -= text.length;
    return [{ ...file, text, isCut: text.length < whole.length }];
  });
}

/** The first characters of a text, without half a character at the end. */
function cutAt(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
}

/**
 * The system message: the prompt, then each file with its name, then the form of changes to files. Empty when there is nothing to say.
 * @param changeForm the form in which answers change files; empty where they are not asked about any
 */
export function systemMessage(prompt: string, files: readonly InstructionFile[], changeForm = ''): string {
  return [prompt.trim(), ...files.map(describe), changeForm].filter((part) => part !== '').join('\n\n');
}

/** Whether something attached is code of a file, or all of it, so that an answer may change that file. */
export function isAboutFiles(attachments: readonly Attachment[]): boolean {
  return attachments.some(({ kind }) => kind === undefined || kind === 'file' || kind === 'problems');
}

function describe({ name, text, isCut }: InstructionFile): string {
  if (text === '') return '';
  const rest = isCut ? `\n\n(The rest of ${name} is left out.)` : '';
  return `Instructions of this workspace, from ${name}:\n\n${text}${rest}`;
}
