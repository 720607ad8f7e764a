import { keptLines } from '../../diff.ts';
import { commonIndentation, indentationUnit, indentLike, type LinePair } from './indent.ts';
import { columnsOf, indentationOf, isBlank, isTelling, normalised, similarity, trimBlankLines } from './lineText.ts';
import { plainSigns } from './signs.ts';

/** Models begin a block at the margin and indent the rest as in the file. */
export function withFirstIndented(written: readonly string[], inFile: readonly string[]): readonly string[] {
  const [first = '', ...rest] = written;
  const old = trimBlankLines(inFile)[0] ?? '';
  const known = new Set(inFile.filter(isTelling));
  const isRestIndented = commonIndentation(rest).startsWith(indentationOf(old)) && rest.some((line) => known.has(line));
  // A line that opens nothing has none of the others within it.
  const isOld = similarity(first, old) >= leastLikeness || isClosed(first);
  if (indentationOf(first) !== '' || !isRestIndented || !isOld) return written;
  return [indentationOf(old) + first, ...rest];
}

/** Whether a line of code or markup ends what it begins. */
function isClosed(line: string): boolean {
  return /(?:;|<\/[\w-]+>|\/>)\s*$/.test(line);
}

/** How alike the first line and that of the file must be for the one to be the other's new form. */
const leastLikeness = 0.4;

/**
 * Gives written lines the indentation of the run of the file that they are for: as they are, shifted as a whole, or as lines that are
 * in both are indented, whichever makes most of them lines of the file.
 */
export function fitIndentation(written: readonly string[], inFile: readonly string[]): readonly string[] {
  if (beginsInPlace(written, inFile)) return written;
  const known = new Set(inFile.filter(isTelling).map((line) => line.trimEnd()));
  const count = (lines: readonly string[]): number => lines.filter((line) => known.has(line.trimEnd())).length;
  if (count(written) >= mostlyKnown * written.filter(isTelling).length && count(written) > 0) return written;
  const shifted = indentLike(written, shiftOf(written, inFile));
  const isTabbed = indentationUnit(inFile) === '\t' && !written.some((line) => line.startsWith('\t'));
  const pairs = pairLines(written, inFile);
  const learnt = pairs.length > 0 ? indentLike(written, pairs) : shifted;
  // Lines that were moved to another depth say nothing of how those that stay are indented.
  if (staysSomewhere(pairs) && !isMargin(written, inFile)) return written;
  const counts = [count(written), count(shifted), count(learnt)] as const;
  if (Math.max(...counts) === 0) return pairs.length > 0 ? learnt : shifted;
  // What begins at a lesser depth than the lines that it is for lost some of it, though a line within may stand right by chance.
  const isShallow = columnsOf(commonIndentation(written)) < columnsOf(commonIndentation(inFile));
  // Where no line within tells, the file's unit does.
  const isOtherUnit =
    pairs.every(({ written: line }) => indentationOf(line) === '') && shifted.some((line, at) => line !== written[at]);
  if ((isTabbed || isShallow || isOtherUnit) && counts[1] >= Math.max(counts[0], counts[2])) return shifted;
  return counts[0] >= Math.max(counts[1], counts[2]) ? written : counts[1] > counts[2] ? shifted : learnt;
}

/** Whether the first line is at the margin, and that of the file is not. */
function isMargin(written: readonly string[], inFile: readonly string[]): boolean {
  return commonIndentation(written) === '' && commonIndentation(inFile) !== '';
}

/** The share of telling lines that stand in the file as they are, from which on a block has the file's indentation. */
const mostlyKnown = 0.9;

/** Whether the first line is that of the file with its indentation: the others then have theirs, too. */
function beginsInPlace(written: readonly string[], inFile: readonly string[]): boolean {
  const first = written.find((line) => !isBlank(line))?.trimEnd() ?? '';
  return indentationOf(first) !== '' && isTelling(first) && trimBlankLines(inFile)[0]?.trimEnd() === first;
}

/** Whether an indentation that some lines have in the file, too, has become another in other lines. */
function staysSomewhere(pairs: readonly LinePair[]): boolean {
  const kept = new Set(
    pairs
      .filter(({ written, inFile }) => indentationOf(written) === indentationOf(inFile))
      .map(({ written }) => indentationOf(written)),
  );
  return pairs.some(
    ({ written, inFile }) => indentationOf(written) !== indentationOf(inFile) && kept.has(indentationOf(written)),
  );
}

/** The step from the least indentation of one text to that of another, in the other's unit. */
function shiftOf(written: readonly string[], inFile: readonly string[]): LinePair[] {
  const [common, wanted] = [commonIndentation(written), commonIndentation(inFile)];
  const [unit, fileUnit] = [indentationUnit(written), indentationUnit(inFile)];
  const pairs = [{ written: `${common}.`, inFile: `${wanted}.` }];
  // Lines that go on are set in by more than a unit.
  if (unit === undefined || fileUnit === undefined || unit === fileUnit || unit.length > 4) return pairs;
  return [...pairs, { written: `${common}${unit}.`, inFile: `${wanted}${fileUnit}.` }];
}

/** Telling lines that are in both, but for white space. */
function pairLines(written: readonly string[], inFile: readonly string[]): LinePair[] {
  const pairs = keptLines(written.map(normalised), inFile.map(normalised)).map(([row, line]) => ({
    written: written[row] ?? '',
    inFile: inFile[line] ?? '',
  }));
  return agreeing(pairs.filter((pair) => isTelling(pair.written)));
}

/** The pairs that agree on how the indentation differs: by so many columns, or by a factor. A line that was moved does not. */
function agreeing(pairs: LinePair[]): LinePair[] {
  const base = pairs.reduce<LinePair | undefined>(
    (least, each) => (least === undefined || columnsOf(each.written) < columnsOf(least.written) ? each : least),
    undefined,
  );
  const isBase = ({ written }: LinePair): boolean =>
    base === undefined || columnsOf(written) === columnsOf(base.written);
  const groups = new Map<string, LinePair[]>();
  const add = (key: string, pair: LinePair): void => {
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [pair]);
    else group.push(pair);
  };
  for (const pair of pairs) {
    const [from, to] = [columnsOf(pair.written), columnsOf(pair.inFile)];
    add(`shift ${to - from}`, pair);
    // The least indented lines agree with any factor.
    if (base === undefined || isBase(pair)) continue;
    const [step, inFile] = [from - columnsOf(base.written), to - columnsOf(base.inFile)];
    for (const factor of factors) if (inFile === step * factor) add(`factor ${factor}`, pair);
  }
  const [key, most] = [...groups].reduce<[string, LinePair[]]>(
    (best, each) => (each[1].length > best[1].length ? each : best),
    ['', []],
  );
  return key.startsWith('factor') ? [...pairs.filter(isBase), ...most] : most;
}

/** Two spaces for four, four for two, eight for four. */
const factors = [2, 0.5, 1.5, 0.75];

/** Blank lines at the borders stay as they are in the file. */
export function withBorders(lines: readonly string[], inFile: readonly string[]): readonly string[] {
  const inner = trimBlankLines(inFile);
  if (inner.length === 0) return lines;
  const start = inFile.findIndex((line) => !isBlank(line));
  return [...inFile.slice(0, start), ...trimBlankLines(lines), ...inFile.slice(start + inner.length)];
}

/** The file's own lines where new ones differ in nothing but signs and white space that mean nothing, and its signs in changed ones. */
export function keepFileText(lines: readonly string[], inFile: readonly string[]): readonly string[] {
  const keys = inFile.map(meaningOf);
  if (isWrittenAlike(lines, inFile, new Set(keys))) return lines;
  const kept = [...lines];
  for (const [row, line] of keptLines(lines.map(meaningOf), keys)) kept[row] = inFile[line] ?? '';
  return kept;
}

/** What of a line means something: how deep it stands, and its text. */
function meaningOf(line: string): string {
  return isBlank(line) ? '' : `${columnsOf(line)}:${plainSigns(line.trim())}`;
}

/** Whether no line could be one of the file's that is written in another way: a long file is not compared for that then. */
function isWrittenAlike(lines: readonly string[], inFile: readonly string[], keys: ReadonlySet<string>): boolean {
  const own = new Set(inFile);
  return own.size === keys.size && lines.every((line) => own.has(line) || !keys.has(meaningOf(line)));
}
