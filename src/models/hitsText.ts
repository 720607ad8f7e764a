import type { SearchHit } from '../editor/api.ts';

/** A hit as a model reads it: its place, and its lines between fences, which are longer than any inside. */
export function hitText(
  path: string,
  { startLine, endLine, text }: Pick<SearchHit, 'startLine' | 'endLine' | 'text'>,
): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  const language = /\.(\w+)$/.exec(path)?.[1] ?? '';
  return `${path}:${startLine}-${endLine}\n${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`;
}
