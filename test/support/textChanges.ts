import type { TextChange } from '../../src/base/lines.ts';

/** Changes a text as an editor does: all positions are those of the text before. */
export function applyChanges(text: string, ending: string, changes: readonly TextChange[]): string {
  const starts = [0];
  for (const each of text.split(ending)) starts.push((starts.at(-1) ?? 0) + each.length + ending.length);
  const offset = ({ line: at, character }: { line: number; character: number }) => (starts[at] ?? 0) + character;
  return changes.reduceRight(
    (changed, change) => changed.slice(0, offset(change.start)) + change.text + changed.slice(offset(change.end)),
    text,
  );
}
