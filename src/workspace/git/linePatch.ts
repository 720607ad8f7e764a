import { createTwoFilesPatch, FILE_HEADERS_ONLY, formatPatch } from 'diff';
import { nextTurn } from '../../base/nextTurn.ts';

/**
 * The most lines by which two texts may differ to be compared exactly: at once, and with a turn given back for each line. The time
 * that it takes grows with the square of that.
 */
const mostDiffering = { atOnce: 200, inTurns: 2_000 } as const;

/** The differing lines that all comparisons in turns may still take together: a millisecond each. */
export interface TurnBudget {
  lines: number;
}

const context = 3;

/**
 * Two texts as a unified diff. It gives others their turn: texts that differ in more lines than are compared exactly, or than the
 * budget has left, are one change, from the first line that differs to the last.
 */
export async function linePatch(
  [from, to]: readonly [from: string, to: string],
  before: string,
  after: string,
  budget: TurnBudget,
): Promise<string> {
  const middle = findMiddle(linesOf(before), linesOf(after));
  if (middle.removed.length === 0 || middle.added.length === 0) return replaced(from, to, middle);
  // Each comparison cuts long texts into lines first.
  await nextTurn();
  const options = { context, headerOptions: FILE_HEADERS_ONLY };
  const quick = { ...options, maxEditLength: mostDiffering.atOnce };
  const small = createTwoFilesPatch(from, to, before, after, undefined, undefined, quick);
  if (small !== undefined) return small;
  await nextTurn();
  const maxEditLength = Math.min(mostDiffering.inTurns, budget.lines);
  const found = await new Promise<string | undefined>((callback) => {
    createTwoFilesPatch(from, to, before, after, undefined, undefined, { ...options, maxEditLength, callback });
  });
  budget.lines -= found?.match(/^[-+](?!--|\+\+)/gm)?.length ?? maxEditLength;
  return found ?? replaced(from, to, middle);
}

/** What differs between the lines that two texts have in common at the beginning and at the end, with some of these. */
interface Middle {
  /** How many lines stand before `lead`. */
  readonly start: number;
  readonly lead: readonly string[];
  readonly removed: readonly string[];
  readonly added: readonly string[];
  readonly tail: readonly string[];
}

/** Lines with their ends; the last may have none. */
const linesOf = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+/g) ?? [];

function findMiddle(before: readonly string[], after: readonly string[]): Middle {
  const most = Math.min(before.length, after.length);
  let [first, same] = [0, 0];
  while (first < most && before[first] === after[first]) first++;
  while (same < most - first && before.at(-1 - same) === after.at(-1 - same)) same++;
  const start = Math.max(0, first - context);
  const end = before.length - same;
  return {
    start,
    lead: before.slice(start, first),
    removed: before.slice(first, end),
    added: after.slice(first, after.length - same),
    tail: before.slice(end, end + context),
  };
}

function replaced(oldFileName: string, newFileName: string, { start, lead, removed, added, tail }: Middle): string {
  const kept = lead.length + tail.length;
  const hunk = {
    oldStart: start + 1,
    newStart: start + 1,
    oldLines: kept + removed.length,
    newLines: kept + added.length,
    lines: [...marked(' ', lead), ...marked('-', removed), ...marked('+', added), ...marked(' ', tail)],
  };
  const [oldHeader, newHeader] = [undefined, undefined];
  return formatPatch({ oldFileName, newFileName, oldHeader, newHeader, hunks: [hunk] }, FILE_HEADERS_ONLY);
}

const marked = (mark: string, lines: readonly string[]): string[] =>
  lines.flatMap((line) =>
    line.endsWith('\n') ? [mark + line.slice(0, -1)] : [mark + line, '\\ No newline at end of file'],
  );
