import type { CodeTarget } from '../place/codeTarget.ts';
import { isBlank, normalised, trimBlankLines } from '../place/lineText.ts';
import { findElisions } from '../place/elisions.ts';
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
  const rivals = rivalBlocks(targets, context);
  for (const each of others)
    if (rivals.has(each.block)) drafts.lose(each.path, 'ambiguous', linesOf(each.block));
    else placeBlock(each.block, each.path, blocks, drafts, context);
  if (ownCode.length > 0) placeOwn(ownCode, prose, others.length === 0, blocks, drafts, context);
  return drafts.resolution(context.isFinal === true);
}

/** Blocks of code that give one declaration in two forms, whole in each: nobody knows which is meant. */
function rivalBlocks(
  targets: readonly { readonly block: AnswerBlock; readonly path: string }[],
  { syntax, files }: EditContext,
): ReadonlySet<AnswerBlock> {
  const whole = targets.flatMap(({ block, path }) => {
    const file = files.get(path);
    if (block.kind !== 'code' || file === undefined || isQuoted(block.lines, file) || findElisions(block.lines, file).length > 0) return [];
    const keys = syntax.piece(block.lines, path).declarations.flatMap(({ key, parent }) => (parent === -1 ? [key] : []));
    return [{ block, path, keys: new Set(keys.filter((key) => !key.startsWith('value:'))) }];
  });
  return new Set(
    whole.flatMap((one, at) =>
      whole.some((other, index) => index !== at && other.path === one.path && [...other.keys].some((key) => one.keys.has(key)) && !isQuoted(one.block.lines, other.block.lines) && !isQuoted(other.block.lines, one.block.lines)) ? [one.block] : [],
    ),
  );
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
  drafts.place(path, linesOf(block), (lines) => {
    const placed = placeDiff(block, lines, within);
    return 'misplaced' in placed ? placed.misplaced : placed;
  });
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
  return { file, path, syntax, near, instruction, ...movedTo(block, blocks, context) };
}

/**
 * What other blocks of an answer declare for other files, where this one takes them in: it has moved there. A copy of the file
 * declares what this one goes on to declare, too.
 */
function movedTo(block: AnswerBlock, blocks: readonly AnswerBlock[], { syntax, files }: EditContext): Pick<CodeTarget, 'moved' | 'copied'> {
  const found = { moved: new Set<string>(), copied: new Set<string>() };
  if (block.kind !== 'code') return found;
  const keysOf = (lines: readonly string[], path: string): string[] =>
    syntax.piece(lines, path).declarations.map(({ key }) => key);
  const own = new Set(keysOf(block.lines, block.path ?? ''));
  const others = blocks.filter(
    (each): each is CodeBlock => each.kind === 'code' && each.path !== undefined && each.path !== block.path,
  );
  const file = new Set((files.get(block.path ?? '') ?? []).map(normalised));
  const fresh = block.lines.filter((line) => !file.has(normalised(line)));
  for (const { lines, path = '' } of others) {
    const keys = keysOf(lines, path);
    if (files.has(path) || keys.some((key) => own.has(key))) continue;
    const names = path.split(/[\\/]/).slice(-2).map((part) => part.replace(/\..*$/, ''));
    const isTaken = fresh.some((line) => takesIn.test(line) && names.some((name) => line.split(/[^\p{L}\p{N}_-]+/u).includes(name)));
    for (const key of keys) found[isTaken ? 'moved' : 'copied'].add(key);
  }
  return found;
}

/** A line by which a file takes in another, or hands on what is in it. */
const takesIn =
  /^\s*(?:(?:pub(?:\([^)]*\))?|export)\s+)?(?:import|from|use|using|mod|#\s*include|require\w*|@import|@use)\b|^\s*export\b.*\bfrom\b|\brequire\(/;

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
    const lasting = context.syntax.piece(selected, path).declarations.some(({ key }) => !key.startsWith('value:'));
    if (isDeletion(all, prose, lasting))
      drafts.place(path, selected, () => [{ line: selection.first, removed: selected.length, inserted: [], by: 'whole' }]);
    else if (all.some(({ lines }) => lines.every(isBlank))) drafts.lose(path, 'empty', selected);
    return;
  }
  const meant = meantBlocks(fresh, areAll, selected, file, path, context.syntax);
  const rivals = rivalBlocks(fresh.map((block) => ({ block, path })), context);
  if (meant === 'ambiguous' || (meant !== undefined && meant.some((block) => rivals.has(block)))) {
    for (const { lines } of fresh) drafts.lose(path, 'ambiguous', lines);
    return;
  }
  for (const block of meant)
    drafts.place(path, block.lines, (lines) => {
      const target = targetIn(lines, path, block, blocks, context);
      return lines === file ? placeSelection(block.lines, selection, target, context.isCode === true) : placeCode(block.lines, target);
    });
}
