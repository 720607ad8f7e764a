/**
 * A text inside Markdown, shown as it is. VS Code draws what a tool asks and says as Markdown, and the words in it are a
 * model's: they must not draw a picture or make a link.
 */
export function codeSpan(text: string): string {
  return `\`${text.replace(/\s+/g, ' ').replaceAll('`', "'").trim()}\``;
}
