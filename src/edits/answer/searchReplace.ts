/** One block of the form `<<<<<<< SEARCH`, old lines, `=======`, new lines, `>>>>>>> REPLACE`. */
export interface SearchReplaceBlock {
  readonly kind: 'replace';
  /** The file that is named above the block. */
  readonly path: string | undefined;
  /**
   * The old and the new lines. More than one reading where the lines hold what looks like the divider, such as an underlined
   * heading: the one whose old lines are in the file is meant.
   */
  readonly readings: readonly { readonly search: readonly string[]; readonly replace: readonly string[] }[];
}

const startLine = /^\s*(?:<{5,9}|-{5,9})\s*(?:SEARCH|ORIGINAL|OLD|BEFORE|FIND)\b[\s>:]*$/i;
const endLine = /^\s*(?:>{5,9}|\+{5,9})\s*(?:REPLACE|UPDATED?|NEW|AFTER|MODIFIED)\b[\s<:]*$/i;
const dividerLine = /^\s*={5,9}\s*$/;

/** What an answer holds of such blocks, with the lines that each of them takes. */
export interface FoundBlock {
  readonly first: number;
  /** The line after its end. */
  readonly next: number;
  /** Undefined for a block that never ends. */
  readonly block: Omit<SearchReplaceBlock, 'path'> | undefined;
}

/** Finds the blocks of an answer. */
export function findSearchReplace(lines: readonly string[]): FoundBlock[] {
  const found: FoundBlock[] = [];
  for (let at = 0; at < lines.length; at++) {
    if (!startLine.test(lines[at] ?? '')) continue;
    const end = lines.findIndex((line, index) => index > at && (endLine.test(line) || startLine.test(line)));
    const isEnded = end >= 0 && endLine.test(lines[end] ?? '');
    const next = end < 0 ? lines.length : isEnded ? end + 1 : end;
    const block = isEnded ? readBlock(lines.slice(at + 1, end), markerLength(lines[at] ?? '')) : undefined;
    found.push({ first: at, next, block });
    at = next - 1;
  }
  return found;
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
