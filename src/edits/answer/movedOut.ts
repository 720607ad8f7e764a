import { findElisions } from '../place/elisions.ts';
import { isTelling, normalised, shareOf } from '../place/lineText.ts';
import type { AnswerBlock, CodeBlock } from './answerBlocks.ts';

/** The least share of the lines that a block does not show which other files of the answer have, where they were moved there. */
const mostlyMoved = 0.8;

/** A line by which a file takes in another, or hands on what is in it. */
const takesIn =
  /^(?:(?:pub(?:\([^)]*\))?|export)\s+)?(?:import|from|use|using|mod|#\s*include|require\w*|@import|@use)\b|^export\b.*\bfrom\b|\brequire\(/;

/**
 * Whether code is a whole file of which a part went to other files of the answer: it begins and ends as the file does, or takes in
 * one of them. A part of the file beside a copy of the rest looks alike, but is shown in the copy, too. 'ambiguous' where nothing
 * tells whether the rest is to stay.
 */
export function isMovedOut(
  block: AnswerBlock,
  file: readonly string[],
  blocks: readonly AnswerBlock[],
): boolean | 'ambiguous' {
  if (block.kind !== 'code' || findElisions(block.lines, file).length > 0) return false;
  const others = blocks.filter(
    (each): each is CodeBlock => each.kind === 'code' && each.path !== undefined && each.path !== block.path,
  );
  const own = new Set(block.lines.map(normalised));
  const telling = file.filter(isTelling);
  const [kept, gone] = [
    telling.filter((line) => own.has(normalised(line))),
    telling.filter((line) => !own.has(normalised(line))),
  ];
  const moved = others.flatMap(({ lines }) => lines);
  if (gone.length <= 2 || shareOf(gone, moved) < mostlyMoved) return false;
  if (shareOf(kept, moved) >= 0.5) return false;
  const isFramed = [0, -1].every((at) => own.has(normalised(telling.at(at) ?? '')));
  if (isFramed || others.some(({ path = '' }) => namesFile(block.lines, path, file))) return true;
  return kept.length > 0 ? 'ambiguous' : false;
}

/** Whether a new line takes in a file, by its name or, for `index.ts` and the like, by that of its folder. */
function namesFile(lines: readonly string[], path: string, file: readonly string[]): boolean {
  const known = new Set(file.map(normalised));
  const names = path
    .split(/[\\/]/)
    .slice(-2)
    .map((part) => part.replace(/\..*$/, ''));
  return lines.some(
    (line) =>
      takesIn.test(line) && !known.has(normalised(line)) && names.some((name) => line.split(/\W+/).includes(name)),
  );
}
