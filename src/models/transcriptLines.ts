/** A transcript in lines: each segment after the second it starts at, or the text alone. */
export function transcriptLines({
  text,
  segments = [],
}: {
  text: string;
  segments?: readonly { start: number; text: string }[];
}): string[] {
  if (segments.length === 0) return text.split('\n');
  return segments.map((segment) => `[${segment.start.toFixed(1)} s] ${segment.text.trim()}`);
}
