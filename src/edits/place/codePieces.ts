import type { Declaration } from '../../syntax/declaration.ts';
import { isComment } from '../../syntax/textLines.ts';
import { findElisions, speaksOfRest } from './elisions.ts';
import { isBlank, isTelling, lineIndexOf, normalised } from './lines/lineText.ts';

/** A part of written code at one level: a declaration with what leads it, or lines that are none. */
export interface CodePiece {
  readonly kind: 'declaration' | 'import' | 'elision' | 'remark' | 'known' | 'statement';
  readonly lines: readonly string[];
  /** The index of the declaration in those of the code. */
  readonly index: number;
  /** Whether a blank line stands above it. */
  readonly isApart: boolean;
}

/** A line by which a file takes in another. */
const importLine =
  /^\s*(?:import\b(?!\s*\()|from\s+\S+\s+import\b|use\s+[\w\\]|using\s+(?!\()[\w.=\s]+;|#\s*include\b|require(?:_once|_relative)?\b|(?:const|let|var)\s.*=\s*require\(|package\s|@import|@use|alias\s+[A-Z])/;

export function isImport(line: string): boolean {
  return importLine.test(line);
}

/**
 * Takes code apart at one level. A remark that stands for lines is an elision; lines that the file has are known.
 * @param range the lines of the level: all, or those of a body
 * @param members the declarations of the level, by their places in those of the code
 */
export function piecesOf(
  code: readonly string[],
  range: { readonly first: number; readonly end: number },
  members: readonly (readonly [index: number, declaration: Declaration])[],
  file: readonly string[],
  isDeclared: (declaration: Declaration) => boolean,
): CodePiece[] {
  const known = lineIndexOf(file);
  const said = new Set(findElisions(code, file));
  const elisions = new Set(
    code.flatMap((line, at) =>
      said.has(at) || (speaksOfRest(line) && known.placesOf(normalised(line)).length === 0) ? [at] : [],
    ),
  );
  const pieces: CodePiece[] = [];
  let open: string[] = [];
  let isApart = false;
  const add = (kind: CodePiece['kind'], lines: readonly string[], index = -1): void => {
    pieces.push({ kind, lines, index, isApart });
    isApart = false;
  };
  const close = (): void => {
    if (open.length > 0) add(kindOf(open, known), open);
    open = [];
  };
  const starts = new Map(members.toReversed().map(([index, each]) => [each.lead, [index, each] as const]));
  for (let at = range.first; at < range.end; ) {
    const line = code[at] ?? '';
    const [index, declaration] = starts.get(at) ?? [-1, undefined];
    const group = declaration === undefined ? importGroup(code, at) : undefined;
    if (group !== undefined) {
      close();
      add('import', code.slice(at, group));
      at = group;
      continue;
    }
    const isOther =
      declaration !== undefined || elisions.has(at) || isBlank(line) || isImport(line) !== isImport(open[0] ?? line);
    if (isOther) close();
    if (declaration !== undefined && elisions.has(at) && at < declaration.head) {
      // What reads as the remark of a declaration stands for those that are left out before it.
      add('elision', [line]);
      let lead = at + 1;
      while (elisions.has(lead) && lead < declaration.head) lead += 1;
      add('declaration', code.slice(lead, declaration.end), index);
    } else if (declaration !== undefined) {
      const own = code.slice(at, declaration.end);
      const isKnown = !isDeclared(declaration) && kindOf(own, known) === 'known';
      add(isImport(line) ? 'import' : isKnown ? 'known' : 'declaration', own, index);
    } else if (elisions.has(at)) add('elision', [line]);
    else if (isBlank(line)) isApart = true;
    else open.push(line);
    at = Math.max(declaration?.end ?? 0, at + 1);
  }
  close();
  return pieces;
}

/** The line after a group of imports that begins here: `import (` of Go. */
export function importGroup(code: readonly string[], at: number): number | undefined {
  if (!/^\s*import\s*\($/.test(code[at] ?? '')) return undefined;
  const end = code.indexOf(')', at);
  return end < 0 ? undefined : end + 1;
}

function kindOf(lines: readonly string[], { placesOf }: ReturnType<typeof lineIndexOf>): CodePiece['kind'] {
  if (lines.every(isImport)) return 'import';
  if (lines.every((line) => isComment(line) && placesOf(normalised(line)).length === 0)) return 'remark';
  const isKnown = lines.every((line) => !isTelling(line) || placesOf(normalised(line)).length > 0);
  return isKnown ? 'known' : 'statement';
}
