/** A prompt that is used by its name: `/review`. */
export interface Prompt {
  /** What is typed after the slash; without white space. */
  readonly name: string;
  /** What it does, in one line; empty where it does not say. */
  readonly description: string;
  /** The text with its variables (expand.ts). */
  readonly template: string;
}

const longestName = 64;
const longestDescription = 200;
/** Lines between the marks of front matter, at most; a file with more begins with a rule of Markdown. */
const mostFrontMatter = 50;

/** The name of the prompt in a file `name.md`; undefined for other files. What cannot be typed as one word becomes `-`. */
export function promptName(fileName: string): string | undefined {
  if (!/\.md$/i.test(fileName)) return undefined;
  const words =
    fileName
      .slice(0, -3)
      .normalize('NFC')
      .match(/[\p{L}\p{M}\p{N}._]+/gu) ?? [];
  const name = words.join('-').replace(/^\.+/, '');
  return name === '' || name.length > longestName ? undefined : name;
}

/**
 * Reads a prompt: Markdown, with a description in front matter where it has some. What is not understood is left alone: front
 * matter that does not end is text.
 */
export function parsePrompt(name: string, text: string): Prompt {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n?|\n/);
  const end = lines[0]?.trimEnd() === '---' ? lines.findIndex((line, i) => i > 0 && line.trimEnd() === '---') : -1;
  const hasMatter = end > 0 && end <= mostFrontMatter + 1;
  const matter = hasMatter ? lines.slice(1, end) : [];
  const template = (hasMatter ? lines.slice(end + 1) : lines).join('\n').trim();
  return { name, description: descriptionIn(matter), template };
}

function descriptionIn(matter: readonly string[]): string {
  for (const line of matter) {
    const [, value] = /^description[ \t]*:(.*)$/i.exec(line) ?? [];
    if (value !== undefined) return unquoted(value.trim()).trim().slice(0, longestDescription);
  }
  return '';
}

function unquoted(value: string): string {
  return /^(["']).*\1$/.test(value) && value.length > 1 ? value.slice(1, -1) : value;
}
