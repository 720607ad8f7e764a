import type { CodeTarget } from '../place/codeTarget.ts';
import { isBlank, trimBlankLines } from '../place/lineText.ts';
import { placeCode } from '../place/placeCode.ts';
import { placeSelection } from '../place/placeSelection.ts';
import { type AnswerBlock, type CodeBlock, readAnswer, readCode } from './answerBlocks.ts';
import { asReplacement } from './asReplacement.ts';
import { cleanCode, cleanLines } from './cleanText.ts';
import { isQuoted, looksLikeCode } from './codeText.ts';
import { createDrafts, type FileDrafts } from './fileDrafts.ts';
import { meantBlocks } from './meantBlocks.ts';
import { oldLines, placeDiff } from './placeDiff.ts';
import { placeReplacement } from './placeReplacement.ts';
import { type EditContext, type Resolution, unresolved } from './resolution.ts';
import { isDeletion } from './deletion.ts';
import { fileOf } from './targetFile.ts';
import type { FileDiff } from './unifiedDiff.ts';

/**
 * Finds out what a model's answer wants changed and where, whatever form it has: search/replace blocks, unified diffs, a whole
 * selection or file, declarations by their names. Each block is placed by itself, in order; one that has no sure place is told.
 */
export function resolveAnswer(text: string, context: EditContext): Resolution {
  const lines = text.split(/\r\n|\r|\n/);
  const { blocks: read, prose, isBroken } = context.isCode ? readCode(lines) : readAnswer(lines);
  const blocks = read.length === 0 ? bareCode(prose, context) : read;
  const isOpen = blocks.some((block) => block.kind === 'code' && !block.isClosed);
  if (isBroken || context.isCut || (context.mayBeCut && isOpen))
    return hasChange(blocks, lines, context) ? unresolved('cut') : { kind: 'nothing' };
  const drafts = createDrafts(context.files, context.syntax);
  const targets = blocks.map((block, at) => {
    const own = asReplacement(block, blocks[at - 1], context) ?? block;
    return { block: own, path: fileOf(own, context) };
  });
  const { path, selection } = context;
  const isOwnCode = (each: (typeof targets)[number]): boolean =>
    selection !== undefined && each.path === path && each.block.kind === 'code';
  const ownCode = targets.filter(isOwnCode).map(({ block }) => block as CodeBlock);
  const others = targets.filter((each) => !isOwnCode(each));
  for (const each of others) placeBlock(each.block, each.path, blocks, drafts, context);
  if (ownCode.length > 0) placeOwn(ownCode, prose, others.length === 0, blocks, drafts, context);
  return drafts.resolution(context.isFinal === true);
}

function hasChange(blocks: readonly AnswerBlock[], lines: readonly string[], context: EditContext): boolean {
  const file = context.files.get(context.path ?? '') ?? [];
  return (
    blocks.length > 0 ||
    context.isCode === true ||
    lines.some((line) => /^\s*(?:`{3}|<{5}|@@)/.test(line)) ||
    looksLikeCode(lines, file)
  );
}

/** An answer without any block: code as it is, or words. */
function bareCode(prose: readonly string[], { path, selection, files }: EditContext): AnswerBlock[] {
  if (path === undefined || selection === undefined || !looksLikeCode(prose, files.get(path) ?? [])) return [];
  return [{ kind: 'code', path: undefined, language: '', lines: prose, isClosed: true, pathLine: undefined, above: '' }];
}

/** A block that says, or shows, where it belongs. */
function placeBlock(
  block: AnswerBlock,
  path: string | 'unclear' | 'skip',
  blocks: readonly AnswerBlock[],
  drafts: FileDrafts,
  context: EditContext,
): void {
  if (path === 'skip') return;
  if (path === 'unclear') return drafts.lose(undefined, 'unknown-file', linesOf(block));
  const file = context.files.get(path);
  if (block.kind === 'diff') return placeFileDiff(block, path, drafts, context);
  const within = path === context.path ? context.selection : undefined;
  if (block.kind === 'replace') {
    const fresh = block.readings[0]?.replace ?? [];
    if (file === undefined && !drafts.has(path)) return drafts.create(path, cleanLines(fresh, [], path));
    return drafts.place(path, linesOf(block), (lines) => placeReplacement(block.readings, lines, path, within));
  }
  if (file === undefined && !drafts.has(path)) {
    const lines = trimBlankLines(cleanCode(block, [], path).lines);
    return block.isClosed || lines.length > 0 ? drafts.create(path, lines) : drafts.lose(path, 'empty', []);
  }
  const own = cleanCode(block, file ?? [], path).lines;
  if (own.every(isBlank)) return file?.every(isBlank) === true ? undefined : drafts.lose(path, 'empty', []);
  if (isQuoted(own, file ?? [])) return;
  drafts.place(path, own, (lines) => placeCode(own, targetIn(lines, path, block, blocks, context)));
}

function placeFileDiff(block: FileDiff, path: string, drafts: FileDrafts, context: EditContext): void {
  const { files, selection } = context;
  if (block.isDeleted) return files.has(path) ? drafts.remove(path) : drafts.lose(path, 'unknown-file', []);
  if (block.renamedTo !== undefined && files.has(path)) drafts.rename(path, block.renamedTo);
  if (block.hunks.length === 0) return;
  if (!files.has(path) && !drafts.has(path)) {
    if (!block.isNew) return drafts.lose(path, 'unknown-file', linesOf(block));
    const kept = block.hunks.flatMap(({ lines }) => lines.filter(({ kind }) => kind !== 'removed').map(({ text }) => text));
    return drafts.create(path, kept);
  }
  const within = path === context.path ? selection : undefined;
  let lost: readonly string[] | undefined;
  drafts.place(path, linesOf(block), (lines) => {
    const placed = placeDiff(block, lines, within);
    if (!('misplaced' in placed)) return placed;
    lost = placed.lines;
    return placed.misplaced;
  });
  void lost;
}

/** The lines by which a block is told. */
function linesOf(block: AnswerBlock): readonly string[] {
  if (block.kind === 'replace') return block.readings[0]?.search ?? [];
  return block.kind === 'diff' ? block.hunks.flatMap(oldLines) : block.lines;
}

function targetIn(
  file: readonly string[],
  path: string,
  block: AnswerBlock,
  blocks: readonly AnswerBlock[],
  context: EditContext,
): CodeTarget {
  const { syntax, instruction = '', selection, cursor } = context;
  const at = cursor === undefined ? undefined : { first: cursor, last: cursor };
  const near = path === context.path ? (selection ?? at) : undefined;
  return { file, path, syntax, near, instruction, moved: movedTo(block, blocks, context) };
}

/** What the other blocks of an answer declare for other files: it may have moved there. */
function movedTo(block: AnswerBlock, blocks: readonly AnswerBlock[], { syntax }: EditContext): ReadonlySet<string> {
  const others = blocks.filter((each): each is CodeBlock => each.kind === 'code' && each.path !== undefined && each.path !== block.path);
  return new Set(others.flatMap(({ lines, path = '' }) => syntax.piece(lines, path).declarations.map(({ key }) => key)));
}

/** Code for what was selected: those of several blocks that are meant. */
function placeOwn(
  own: readonly CodeBlock[],
  prose: readonly string[],
  areAll: boolean,
  blocks: readonly AnswerBlock[],
  drafts: FileDrafts,
  context: EditContext,
): void {
  const { files, path = '', selection = { first: 0, last: 0 } } = context;
  const file = files.get(path) ?? [];
  const selected = file.slice(selection.first, selection.last + 1);
  const all = own.map((block) => cleanCode(block, file, path));
  const fresh = all.filter(({ lines }) => !isQuoted(lines, file));
  if (fresh.length === 0) {
    const left = isDeletion(all, prose, selected);
    if (left !== undefined)
      drafts.place(path, left, () => [{ line: selection.first, removed: selected.length, inserted: left, by: 'whole' }]);
    return;
  }
  const meant = meantBlocks(fresh, areAll, selected, file, path, context.syntax);
  if (meant === 'ambiguous') {
    for (const { lines } of fresh) drafts.lose(path, 'ambiguous', lines);
    return;
  }
  for (const block of meant)
    drafts.place(path, block.lines, (lines) => {
      const target = targetIn(lines, path, block, blocks, context);
      return lines === file ? placeSelection(block.lines, selection, target, context.isCode === true) : placeCode(block.lines, target);
    });
}
