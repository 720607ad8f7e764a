import { diffArrays } from 'diff';
import type { TextChange } from '../../base/lines.ts';

/** The largest difference, in lines, that is found line by line; a larger one is one change. */
const maxDistance = 1_000;

/** The changes of whole lines that make a new text of an old one, from the bottom to the top: each holds for what those before it left. */
export function lineChanges(oldLines: readonly string[], newLines: readonly string[]): TextChange[] {
  const most = Math.min(oldLines.length, newLines.length);
  let [top, bottom] = [0, 0];
  while (top < most && oldLines[top] === newLines[top]) top++;
  while (bottom < most - top && oldLines.at(-1 - bottom) === newLines.at(-1 - bottom)) bottom++;
  const old = oldLines.slice(top, oldLines.length - bottom);
  const fresh = newLines.slice(top, newLines.length - bottom);
  const runs = diffArrays(old, fresh, { maxEditLength: maxDistance });
  if (runs === undefined) return [changeOf(top, old.length, fresh.length)];
  const changes: TextChange[] = [];
  let line = top;
  let [removed, added] = [0, 0];
  const close = (): void => {
    if (removed + added > 0) changes.push(changeOf(line - removed, removed, added));
    [removed, added] = [0, 0];
  };
  for (const run of runs) {
    if (run.added) added += run.count;
    else if (!run.removed) close();
    if (run.removed) removed += run.count;
    if (!run.added) line += run.count;
  }
  close();
  return changes.reverse();
}

/** The texts of the lines say nothing of where others move. */
function changeOf(line: number, removed: number, added: number): TextChange {
  return { start: { line, character: 0 }, end: { line: line + removed, character: 0 }, text: '-\n'.repeat(added) };
}
