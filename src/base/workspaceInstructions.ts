/** Files of a workspace that tell models how to work in it. */
export const instructionPaths = ['AGENTS.md', '.github/copilot-instructions.md'] as const;

/** Characters of all instruction files together that are sent: some 15,000 tokens with every request. */
export const mostInstructions = 60_000;

/** Those beside what is long itself, such as a diff, or is sent in many requests. */
const mostBeside = 12_000;

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
export function fitInstructions(
  files: readonly (Omit<InstructionFile, 'isCut'> & { readonly isCut?: boolean })[],
  most = mostInstructions,
): InstructionFile[] {
  let room = most;
  return files.flatMap((file) => {
    const whole = file.text.trim();
    if (whole === '') return [];
    const text = cutAt(whole, room);
    room -= text.length;
    return [{ ...file, text, isCut: file.isCut === true || text.length < whole.length }];
  });
}

/** The first characters of a text, without half a character at the end. */
function cutAt(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
}

/** A system message with the files behind it, each with its name. Empty when there is nothing to say. */
export function withInstructions(prompt: string, files: readonly InstructionFile[]): string {
  return [prompt.trim(), ...files.map(describe)].filter((part) => part !== '').join('\n\n');
}

/** As `withInstructions`, for a task that has rules of its own: those of the workspace count where they are about it. */
export function taskWithInstructions(task: string, files: readonly InstructionFile[]): string {
  const fitted = fitInstructions(files, mostBeside);
  if (fitted.length === 0) return task;
  const rule =
    'Instructions of the workspace follow. Heed those that are about this task; the form of your answer stays as said above.';
  return withInstructions(`${task}\n\n${rule}`, fitted);
}

function describe({ name, text, isCut }: InstructionFile): string {
  if (text === '') return '';
  const rest = isCut ? `\n\n(The rest of ${name} is left out.)` : '';
  return `Instructions of this workspace, from ${name}:\n\n${text}${rest}`;
}
