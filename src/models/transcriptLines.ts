import type { TranslatedFile } from '../editor/api.ts';

/** A transcript in lines: each segment after the second it starts at, or the text alone. */
export function transcriptLines({ text, segments = [] }: Pick<TranslatedFile, 'text' | 'segments'>): string[] {
  if (segments.length === 0) return text.split('\n');
  return segments.map((segment) => `[${segment.start.toFixed(1)} s] ${segment.text.trim()}`);
}
