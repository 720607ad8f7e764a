import { splitFences } from '../../shared/markdownFences.ts';

/** `[1]: https://…`, but no footnote. */
const definition = /^ {0,3}\[(?!\^)([^\][]{1,200})\]:[ \t]*\S/;
/** The most definitions that are looked for, each in all text before it. */
const most = 200;

/**
 * The definitions of links that stand behind their use, as models write them at the end of an answer: blocks before them were drawn
 * without. Empty where there are none.
 */
export function lateDefinitions(text: string): string {
  if (!text.includes(']:')) return '';
  const before = text.toLowerCase();
  const lines = splitFences(text.split('\n')).flatMap((piece) => (piece.kind === 'prose' ? piece.lines : []));
  return lines
    .filter((line) => definition.test(line))
    .slice(0, most)
    .filter((line) => {
      const label = definition.exec(line)?.[1]?.toLowerCase();
      const used = before.indexOf(`[${label}]`);
      return used >= 0 && used < before.indexOf(line.toLowerCase());
    })
    .join('\n');
}
