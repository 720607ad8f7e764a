import { dialectOf } from '../place/declarations.ts';
import { hasDoubtfulElision } from '../place/elisions.ts';
import { isBlank, trimBlankLines } from '../place/lineText.ts';
import { replace } from '../place/mergeBlock.ts';
import { placeCode } from '../place/placeCode.ts';
import { type AnswerBlock, type CodeBlock, readAnswer, readCode } from './answerBlocks.ts';
import { asReplacement } from './asReplacement.ts';
import { cleanCode, isQuoted, looksLikeCode } from './codeText.ts';
import { isMovedOut } from './movedOut.ts';
import { placeDiff } from './placeDiff.ts';
import { placeReplacement } from './placeReplacement.ts';
import { type EditContext, joined, type Placed, type Resolution, toResolution, unresolved } from './resolution.ts';
import { resolveSelection } from './selection/resolveSelection.ts';
import { fileOf } from './targetFile.ts';

/**
 * Finds out what a model's answer wants changed and where, whatever form it has: one fence or several, the original quoted first,
 * whole files, an elided rest, search/replace blocks, unified diffs. Never guesses: what fits two places fits none.
 */
export function resolveAnswer(text: string, context: EditContext): Resolution {
  const lines = text.split(/\r\n|\r|\n/);
  const { blocks, prose, isBroken } = context.isCode ? readCode(lines) : readAnswer(lines);
  const isOpen = blocks.some((block) => block.kind === 'code' && !block.isClosed);
  if (isBroken || context.isCut || (context.mayBeCut && isOpen))
    return hasChange(blocks, lines, context) ? unresolved('cut') : { kind: 'nothing' };
  if (blocks.length === 0) return resolveBare(prose, context);
  const code = blocks.filter((block) => block.kind === 'code');
  if (context.selection === undefined || code.length < blocks.length) return resolveBlocks(blocks, context);
  const isElsewhere = (block: CodeBlock): boolean =>
    block.path !== undefined && fileOf({ ...block, language: '' }, context) !== context.path;
  const others = code.filter(isElsewhere);
  const own = code.filter((block) => !isElsewhere(block));
  if (others.length === 0) return resolveSelection(own, prose, context);
  return joined([resolveSelection(own, prose, context, others), resolveBlocks(others, context)]);
}

function hasChange(blocks: readonly AnswerBlock[], lines: readonly string[], context: EditContext): boolean {
  return (
    blocks.length > 0 ||
    context.isCode === true ||
    lines.some((line) => /^\s*(?:`{3}|<{5}|@@)/.test(line)) ||
    looksLikeCode(lines, targetOf(context))
  );
}

function targetOf({ files, path }: EditContext): readonly string[] {
  return (path === undefined ? undefined : files.get(path)) ?? [];
}

/** An answer without any block: code as it is, or words. */
function resolveBare(prose: readonly string[], context: EditContext): Resolution {
  const { path, selection } = context;
  if (path === undefined || selection === undefined || !looksLikeCode(prose, targetOf(context)))
    return { kind: 'nothing' };
  const block: CodeBlock = {
    kind: 'code',
    path: undefined,
    language: '',
    lines: prose,
    isClosed: true,
    pathLine: undefined,
    above: '',
  };
  return resolveSelection([block], [], context);
}

/** An answer whose blocks say, or show, where they belong. */
function resolveBlocks(blocks: readonly AnswerBlock[], context: EditContext): Resolution {
  const { files } = context;
  const found: [string, Placed][] = [];
  for (const [at, each] of blocks.entries()) {
    const block = asReplacement(each, blocks[at - 1], context) ?? each;
    const target = fileOf(block, context);
    if (target === 'skip') continue;
    if (target === 'ambiguous' || target === undefined) return unresolved('unknown-file');
    const file = files.get(target);
    const placed = file === undefined ? newFile(block) : placeAmong(block, blocks, file, target, context);
    if (placed === 'quoted') continue;
    found.push([target, placed]);
  }
  return toResolution(found, files);
}

function placeAmong(
  block: AnswerBlock,
  blocks: readonly AnswerBlock[],
  file: readonly string[],
  path: string,
  context: EditContext,
): Placed | 'quoted' {
  const isMoved = isMovedOut(block, file, blocks);
  if (isMoved === 'ambiguous') return 'ambiguous';
  if (isMoved && block.kind === 'code') return replace(file, { first: 0, last: file.length - 1 }, block.lines);
  return placeBlock(block, file, path, context);
}

/** The text of a file that is not there yet. */
export function newFile(block: AnswerBlock): Placed {
  if (block.kind === 'replace') return { newFile: block.readings[0]?.replace ?? [] };
  if (block.kind === 'diff')
    return {
      newFile: block.hunks.flatMap(({ lines }) =>
        lines.filter(({ kind }) => kind !== 'removed').map(({ text }) => text),
      ),
    };
  return block.isClosed || block.lines.length > 0 ? { newFile: trimBlankLines(block.lines) } : 'empty';
}

function placeBlock(
  block: AnswerBlock,
  file: readonly string[],
  path: string,
  { selection, path: target }: EditContext,
): Placed | 'quoted' {
  const within = path === target ? selection : undefined;
  if (block.kind === 'replace') return placeReplacement(block, file, within);
  if (block.kind === 'diff') return placeDiff(block, file, within);
  const own = cleanCode(block, file);
  if (own.lines.every(isBlank)) return file.every(isBlank) ? 'quoted' : 'empty';
  if (isQuoted(own.lines, file)) return 'quoted';
  return hasDoubtfulElision(own.lines, file) ? 'ambiguous' : placeCode(file, own.lines, dialectOf(path));
}
