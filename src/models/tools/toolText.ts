import type { SearchHit, TranslatedFile } from '../../editor/api.ts';

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

/** A transcript in lines: each segment after the second it starts at, or the text alone. */
export function transcriptLines({ text, segments = [] }: Pick<TranslatedFile, 'text' | 'segments'>): string[] {
  if (segments.length === 0) return text === '' ? [] : text.split('\n');
  return segments.map((segment) => `[${segment.start.toFixed(1)} s] ${segment.text.trim()}`);
}
