import type { CodeTarget } from '../place/codeTarget.ts';
import { isBlank, normalised, trimBlankLines } from '../place/lines/lineText.ts';
import { placeCode } from '../place/placeCode.ts';
import { isQuoted } from './codeText.ts';
import type { FileDrafts } from './fileDrafts.ts';
import { newLines, oldLines, placeDiff } from './placeDiff.ts';
import { placeReplacement } from './placeReplacement.ts';
import type { AnswerBlock, CodeBlock } from './reading/answerBlocks.ts';
import { cleanCode, cleanLines } from './reading/cleanText.ts';
import type { FileDiff } from './reading/unifiedDiff.ts';
import type { BlockText, EditContext } from './resolution.ts';

/** A block that says, or shows, where it belongs. */
export function placeBlock(
  block: AnswerBlock,
  path: string | 'unclear' | 'skip',
  blocks: readonly AnswerBlock[],
  drafts: FileDrafts,
  context: EditContext,
): unknown {
  if (path === 'skip') return undefined;
  if (path === 'unclear') return drafts.lose(undefined, 'unknown-file', textOf(block));
  const file = context.files.get(path);
  if (block.kind === 'diff') return placeFileDiff(block, path, drafts, context);
  const within = path === context.path ? context.selection : undefined;
  if (block.kind === 'replace') {
    const fresh = block.readings[0]?.replace ?? [];
    if (file === undefined && !drafts.has(path)) return drafts.create(path, cleanLines(fresh, [], path));
    return drafts.place(path, textOf(block), (lines) =>
      placeReplacement(block.readings, lines, path, within, block.times),
    );
  }
  if (file === undefined && !drafts.has(path)) {
    const lines = trimBlankLines(cleanCode(block, [], path).lines);
    return block.isClosed || lines.length > 0 ? drafts.create(path, lines) : drafts.lose(path, 'empty', { lines: [] });
  }
  const own = cleanCode(block, file ?? [], path).lines;
  if (own.every(isBlank)) return file?.every(isBlank) === true ? undefined : drafts.lose(path, 'empty', { lines: [] });
  if (isQuoted(own, file ?? [])) return undefined;
  return drafts.place(path, { lines: own }, (lines) => placeCode(own, targetIn(lines, path, block, blocks, context)));
}

function placeFileDiff(block: FileDiff, path: string, drafts: FileDrafts, context: EditContext): unknown {
  const { files, selection } = context;
  if (block.isDeleted) return files.has(path) ? drafts.remove(path) : drafts.lose(path, 'unknown-file', { lines: [] });
  if (block.renamedTo !== undefined && files.has(path)) drafts.rename(path, block.renamedTo);
  if (block.hunks.length === 0) return undefined;
  if (!files.has(path) && !drafts.has(path)) {
    if (!block.isNew) return drafts.lose(path, 'unknown-file', textOf(block));
    return drafts.create(path, block.hunks.flatMap(newLines));
  }
  const within = path === context.path ? selection : undefined;
  return drafts.place(path, textOf(block), (lines) => {
    const placed = placeDiff(block, lines, within);
    return 'misplaced' in placed ? placed.misplaced : placed;
  });
}

/** The text by which a block is told. */
export function textOf(block: AnswerBlock): BlockText {
  if (block.kind === 'code') return { lines: block.lines };
  if (block.kind === 'diff') return { lines: block.hunks.flatMap(oldLines), fresh: block.hunks.flatMap(newLines) };
  const { search = [], replace = [] } = block.readings[0] ?? {};
  return { lines: search, fresh: replace };
}

export function targetIn(
  file: readonly string[],
  path: string,
  block: AnswerBlock,
  blocks: readonly AnswerBlock[],
  context: EditContext,
): CodeTarget {
  const { syntax, instruction = '', selection, cursor } = context;
  const at = cursor === undefined ? undefined : { first: cursor, last: cursor };
  const near = path === context.path ? (selection ?? at) : undefined;
  const above = block.kind === 'code' ? block.above : '';
  return { file, path, syntax, near, above, instruction, ...movedTo(block, blocks, context) };
}

/**
 * What other blocks of an answer declare for other files, where this one takes them in: it has moved there. A copy of the file
 * declares what this one goes on to declare, too.
 */
function movedTo(
  block: AnswerBlock,
  blocks: readonly AnswerBlock[],
  { syntax, files }: EditContext,
): Pick<CodeTarget, 'moved' | 'copied'> {
  const found = { moved: new Set<string>(), copied: new Set<string>() };
  if (block.kind !== 'code') return found;
  const keysOf = (lines: readonly string[], path: string): string[] =>
    syntax.piece(lines, path).declarations.map(({ key }) => key);
  const others = blocks.filter(
    (each): each is CodeBlock => each.kind === 'code' && each.path !== undefined && each.path !== block.path,
  );
  if (others.length === 0) return found;
  const own = new Set(keysOf(block.lines, block.path ?? ''));
  const file = new Set((files.get(block.path ?? '') ?? []).map(normalised));
  const fresh = block.lines.filter((line) => !file.has(normalised(line)));
  for (const { lines, path = '' } of others) {
    const keys = keysOf(lines, path);
    if (files.has(path) || keys.some((key) => own.has(key))) continue;
    const names = path
      .split(/[\\/]/)
      .slice(-2)
      .map((part) => part.replace(/\..*$/, ''));
    const isTaken = fresh.some(
      (line) => takesIn.test(line) && names.some((name) => line.split(/[^\p{L}\p{N}_-]+/u).includes(name)),
    );
    for (const key of keys) found[isTaken ? 'moved' : 'copied'].add(key);
  }
  return found;
}

/** A line by which a file takes in another, or hands on what is in it. */
const takesIn =
  /^\s*(?:(?:pub(?:\([^)]*\))?|export)\s+)?(?:import|from|use|using|mod|#\s*include|require\w*|@import|@use)\b|^\s*export\b.*\bfrom\b|\brequire\(/;
