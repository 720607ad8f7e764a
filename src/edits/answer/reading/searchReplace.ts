import { indexFrom } from '../../../base/lines.ts';
import { pathInInfo } from './namedPath.ts';

/** One block of the form `<<<<<<< SEARCH`, old lines, `=======`, new lines, `>>>>>>> REPLACE`. */
export interface SearchReplaceBlock {
  readonly kind: 'replace';
  /** How often the answer has it: as often as its old lines stand in the file, each of these is meant. */
  readonly times?: number;
  /** The file that is named above the block. */
  readonly path: string | undefined;
  /**
   * The old and the new lines. More than one reading where the lines hold what looks like the divider, such as an underlined
   * heading: the one whose old lines are in the file is meant.
   */
  readonly readings: readonly { readonly search: readonly string[]; readonly replace: readonly string[] }[];
}

const startLine = /^\s*(?:<{5,9}|-{5,9})\s*(?:SEARCH|ORIGINAL|OLD|BEFORE|FIND)\b[\s>:]*(.*)$/i;
/** As a conflict of git begins; it is one of these blocks where it ends as they do. */
const conflictLine = /^\s*<{5,9}\s*(?:HEAD|CURRENT)\b[\s>:]*$/i;
const endLine = /^\s*(?:>{5,9}|\+{5,9})\s*(?:REPLACE|UPDATED?|NEW|AFTER|MODIFIED)\b[\s<>:]*$/i;
const dividerLine = /^\s*={5,9}\s*$/;

/** What an answer holds of such blocks, with the lines that each of them takes. */
export interface FoundBlock {
  readonly first: number;
  /** The line after its end. */
  readonly next: number;
  /** Undefined for a block that never ends. */
  readonly block: Omit<SearchReplaceBlock, 'path'> | undefined;
  /** The file that is named behind the first mark. */
  readonly path?: string | undefined;
}

/** Finds the blocks of an answer. */
export function findSearchReplace(lines: readonly string[]): FoundBlock[] {
  const found: FoundBlock[] = [];
  const endless = new Set<string>();
  for (let at = 0; at < lines.length; at++) {
    const tagged = readTags(lines, at, endless);
    if (tagged !== undefined) {
      found.push(tagged);
      at = tagged.next - 1;
      continue;
    }
    const path = pathAtStart(lines[at] ?? '');
    const isConflict = conflictLine.test(lines[at] ?? '');
    if (path === false && !isConflict) continue;
    const end = indexFrom(lines, at + 1, (line) => endLine.test(line) || pathAtStart(line) !== false);
    const isEnded = end >= 0 && endLine.test(lines[end] ?? '');
    if (isConflict && !isEnded) continue;
    const next = end < 0 ? lines.length : isEnded ? end + 1 : end;
    const block = isEnded ? readBlock(lines.slice(at + 1, end), markerLength(lines[at] ?? '')) : undefined;
    found.push({ first: at, next, block, ...(path === false ? {} : { path }) });
    at = next - 1;
  }
  return found;
}

/** The file that the first mark of a block names; undefined where it names none, false where a line is no such mark. */
function pathAtStart(line: string): string | undefined | false {
  const rest = startLine.exec(line)?.[1];
  if (rest === undefined) return false;
  return rest === '' ? undefined : (pathInInfo(rest) ?? false);
}

const oldTag = /^\s*<(search|old|original|find)>\s*$/i;
const newTag = /^\s*<(replace|new|updated|replacement)>\s*$/i;

/** A block in tags: `<search>`, old lines, `</search>`, `<replace>`, new lines, `</replace>`. @param endless see `tagEnd` */
function readTags(lines: readonly string[], first: number, endless: Set<string>): FoundBlock | undefined {
  const old = tagEnd(lines, first, oldTag, endless);
  if (old === undefined) return undefined;
  const start = indexFrom(lines, old + 1, (line) => line.trim() !== '');
  const end = start < 0 ? undefined : tagEnd(lines, start, newTag, endless);
  if (end === undefined) return { first, next: lines.length, block: undefined };
  const reading = { search: lines.slice(first + 1, old), replace: lines.slice(start + 1, end) };
  return { first, next: end + 1, block: { kind: 'replace', readings: [reading] } };
}

/** @param endless tags that end nowhere from here on, which are not looked for again */
function tagEnd(lines: readonly string[], first: number, tag: RegExp, endless: Set<string>): number | undefined {
  const name = tag.exec(lines[first] ?? '')?.[1]?.toLowerCase();
  if (name === undefined || endless.has(name)) return undefined;
  const end = indexFrom(lines, first + 1, (line) => line.trim().toLowerCase() === `</${name}>`);
  if (end >= 0) return end;
  endless.add(name);
  return undefined;
}

function markerLength(line: string): number {
  return /[<-]{5,9}/.exec(line)?.[0].length ?? 7;
}

/** @param usual how many signs the block's first line has; the divider most likely has as many */
function readBlock(lines: readonly string[], usual: number): Omit<SearchReplaceBlock, 'path'> | undefined {
  const dividers = lines.flatMap((line, at) => (dividerLine.test(line) ? [at] : []));
  if (dividers.length === 0) return undefined;
  const likely = dividers.filter((at) => lines[at]?.trim().length === usual);
  const readings = (likely.length > 0 ? likely : dividers).map((at) => ({
    search: lines.slice(0, at),
    replace: lines.slice(at + 1),
  }));
  return { kind: 'replace', readings };
}
