/** A message that begins with the name of a prompt. */
export interface PromptCall {
  readonly name: string;
  /** The words after the name. */
  readonly input: string;
}

/** Reads `/name words`; undefined for a message that begins otherwise, such as with a path. */
export function readPromptCall(message: string): PromptCall | undefined {
  const [begin, name] = /^\s*\/([^\s/]{1,64})(?!\S)/.exec(message) ?? [];
  if (begin === undefined || name === undefined) return undefined;
  return { name: name.normalize('NFC'), input: message.slice(begin.length).trim() };
}

/** The prompt of a name, whatever its case. */
export function findPrompt<P extends { readonly name: string }>(prompts: readonly P[], name: string): P | undefined {
  return prompts.find((prompt) => isSameName(prompt.name, name));
}

/** The prompts whose name has what was typed: those that begin with it first. */
export function matchPrompts<P extends { readonly name: string }>(prompts: readonly P[], typed: string): P[] {
  const wanted = typed.normalize('NFC').toLowerCase();
  const place = ({ name }: P): number => name.toLowerCase().indexOf(wanted);
  return prompts
    .filter((prompt) => place(prompt) >= 0)
    .sort((one, other) => Math.min(place(one), 1) - Math.min(place(other), 1));
}

/** All prompts by name: of several with one name, the one of the first list. */
export function mergePrompts<P extends { readonly name: string }>(...lists: readonly (readonly P[])[]): P[] {
  const merged: P[] = [];
  for (const prompt of lists.flat()) if (findPrompt(merged, prompt.name) === undefined) merged.push(prompt);
  return merged.sort((one, other) => one.name.localeCompare(other.name, 'en'));
}

function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
