import { plain } from './plainText.ts';

/**
 * A text as Markdown that shows it as it is, in one line. Characters that Markdown, its tables, VS Code's icons and formulas use
 * are escaped, and so are those that would make a bare address a link.
 */
export function markdownText(text: string): string {
  return escapeMarkdown(plain(text).trim());
}

/** The same with the blanks around it: what follows those of its beginning is escaped, too, since a caller may cut them. @param text one line, made plain */
export const escapeMarkdown = (text: string): string =>
  text.replace(/[\\`*_{}[\]<>~|&@!$#]|:(?=\/\/)|(?<=\bwww)\.|(?<=^\s*)[-+=]|(?<=^\s*\d+)[.)]/gi, '\\$&');
