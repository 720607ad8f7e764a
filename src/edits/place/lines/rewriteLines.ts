import { diffArrays } from 'diff';
import type { FoundLines } from './findLines.ts';
import { indentLike } from './indent.ts';
import { indentationOf, isBlank, normalised, similarity } from './lineText.ts';
import { keepSigns } from './signs.ts';

/** How alike an old line and the new form of it must be. */
const leastLikeness = 0.5;

/**
 * The new form of lines that were found in a file but for white space: the file's own text where old lines stay, its blank lines
 * between them, and its indentation.
 */
export function rewriteLines(
  search: readonly string[],
  next: readonly string[],
  file: readonly string[],
  { start, end, pairs, places }: FoundLines,
): readonly string[] {
  const isSame = end - start === search.length && search.every((line, at) => line === file[start + at]);
  if (isSame) return next;
  const stays = new Set(next.map(normalised));
  const fresh = withSigns(
    isFlat(search, pairs) ? indentFlat(next, pairs) : indentLike(next, pairs),
    pairs.filter(({ written: line }) => !stays.has(normalised(line))),
  );
  const written: string[] = [];
  let [old, at, done, wasKept, gone] = [0, 0, start - 1, false, 0];
  /** Blank lines between old lines that go: they stay above the new form of the line below them. */
  const gaps: { readonly blanks: readonly string[]; readonly above: string }[] = [];
  const trimmed = (lines: readonly string[]): string[] => lines.map((line) => line.trimEnd());
  /** Blank lines that both have, the answer and the file, are there once. */
  const write = (...lines: readonly string[]): void => {
    for (const line of lines) if (!isBlank(line) || !isBlank(written.at(-1) ?? 'x')) written.push(line);
  };
  for (const { value, added, removed } of diffArrays(trimmed(search), trimmed(next))) {
    if (added) {
      for (const line of fresh.slice(at, at + value.length)) {
        const gap = gaps.findIndex(({ above }) => similarity(above, line) >= leastLikeness);
        // Fewer lines need fewer paragraphs.
        if (gap >= 0 && value.length >= gone) write(...(gaps.splice(0, gap + 1).at(-1)?.blanks ?? []));
        write(line);
      }
      at += value.length;
      continue;
    }
    gaps.length = 0;
    gone = value.length;
    for (const _ of value) {
      const place = places[old++];
      if (!removed) at += 1;
      if (place === undefined) continue;
      const between = file.slice(done + 1, place);
      if (between.every(isBlank) && (!removed || wasKept)) write(...between);
      else if (between.every(isBlank) && between.length > 0) gaps.push({ blanks: between, above: file[place] ?? '' });
      if (!removed) write(file[place] ?? '');
      done = place;
      wasKept = !removed;
    }
  }
  return written;
}

/** New lines with the signs of the old ones that they are new forms of, where these are written otherwise than in the file. */
function withSigns(lines: readonly string[], pairs: FoundLines['pairs']): readonly string[] {
  const signed = pairs.filter(
    ({ written, inFile }) => written.trim() !== inFile.trim() && normalised(written) === normalised(inFile),
  );
  if (signed.length === 0) return lines;
  return lines.map((line) => {
    const best = signed.reduce<{ old: string; score: number }>(
      (most, { inFile }) => {
        const score = similarity(inFile, line);
        return score > most.score ? { old: inFile, score } : most;
      },
      { old: '', score: leastLikeness },
    );
    return best.old === '' ? line : keepSigns(line, best.old);
  });
}

/** Whether old lines were written without any indentation, though those of the file have more than one. */
function isFlat(search: readonly string[], pairs: FoundLines['pairs']): boolean {
  const depths = new Set(pairs.filter(({ written }) => !isBlank(written)).map(({ inFile }) => indentationOf(inFile)));
  return depths.size > 1 && search.every((line) => indentationOf(line) === '');
}

/** New lines without indentation get that of the old lines that they are, or are new forms of; others that of the line above. */
function indentFlat(lines: readonly string[], pairs: FoundLines['pairs']): string[] {
  let above = indentationOf(pairs[0]?.inFile ?? '');
  return lines.map((line) => {
    if (isBlank(line) || indentationOf(line) !== '') return line;
    const same = pairs.find(({ written }) => normalised(written) === normalised(line));
    const alike = same ?? pairs.find(({ written }) => similarity(written, line) >= leastLikeness);
    above = alike === undefined ? above : indentationOf(alike.inFile);
    return above + line;
  });
}
