import { findElisions } from '../place/elisions.ts';
import { isBlank } from '../place/lines/lineText.ts';
import { placeCode } from '../place/placeCode.ts';
import { placeSelection } from '../place/placeSelection.ts';
import { asReplacement } from './asReplacement.ts';
import { isQuoted, looksLikeCode } from './codeText.ts';
import { isDeletion } from './deletion.ts';
import { createDrafts, type FileDrafts } from './fileDrafts.ts';
import { meantBlocks } from './meantBlocks.ts';
import { placeBlock, targetIn, textOf } from './placeBlock.ts';
import { type AnswerBlock, type CodeBlock, readAnswer, readCode } from './reading/answerBlocks.ts';
import { cleanCode } from './reading/cleanText.ts';
import { type EditContext, type Resolution, unresolved } from './resolution.ts';
import { targetFile } from './targetFile.ts';

/**
 * Finds out what a model's answer wants changed and where, whatever form it has: search/replace blocks, unified diffs, a whole
 * selection or file, declarations by their names. Each block is placed by itself, in order; one that has no sure place is told.
 */
export function resolveAnswer(text: string, context: EditContext): Resolution {
  const lines = text.split(/\r\n|\r|\n/);
  const { blocks: read, prose, isBroken } = context.isCode ? readCode(lines) : readAnswer(lines);
  const given = read.length === 0 ? bareCode(prose, context) : read;
  const blocks = withTimes(given);
  const isOpen = blocks.some((block) => block.kind === 'code' && !block.isClosed);
  if (isBroken || context.isCut || (context.mayBeCut && isOpen))
    return hasChange(blocks, lines, context) ? unresolved('cut') : { kind: 'nothing' };
  const drafts = createDrafts(context.files, context.syntax);
  const targets = blocks.map((block, at) => {
    const own = asReplacement(block, blocks[at - 1], context) ?? block;
    return { block: own, path: targetFile(own, context) };
  });
  const { path, selection } = context;
  const isOwnCode = (each: (typeof targets)[number]): boolean =>
    selection !== undefined && each.path === path && each.block.kind === 'code';
  const ownCode = targets.filter(isOwnCode).map(({ block }) => block as CodeBlock);
  const rivals = rivalBlocks(targets, context);
  const areAll = ownCode.length === targets.length;
  for (const each of targets) {
    if (each.block === ownCode[0]) placeOwn(ownCode, prose, areAll, blocks, drafts, context);
    else if (isOwnCode(each)) continue;
    else if (rivals.has(each.block)) drafts.lose(each.path, 'ambiguous', textOf(each.block));
    else placeBlock(each.block, each.path, blocks, drafts, context);
  }
  return drafts.resolution(context.isFinal === true);
}

/** Code that has nothing that the file does not have: an empty block, or some of the lines that were selected. The rest may be to go. */
function placeNoNews(
  blocks: readonly CodeBlock[],
  prose: readonly string[],
  selected: readonly string[],
  drafts: FileDrafts,
  { syntax, path = '', selection = { first: 0, last: 0 }, isCode }: EditContext,
): unknown {
  const lasting = syntax.piece(selected, path).declarations.some(({ key }) => !key.startsWith('value:'));
  if (isDeletion(blocks, prose, lasting))
    return drafts.place(path, { lines: selected }, () => [
      { line: selection.first, removed: selected.length, inserted: [], by: 'whole' },
    ]);
  if (blocks.some(({ lines }) => lines.every(isBlank))) return drafts.lose(path, 'empty', { lines: selected });
  // The rest may be meant to go, or nothing.
  const isPart = isCode !== true && blocks.some(({ lines }) => isPartOf(lines, selected));
  return isPart ? drafts.lose(path, 'left-out', { lines: selected }) : undefined;
}

/** Whether lines are some of others, and not all. */
function isPartOf(lines: readonly string[], selected: readonly string[]): boolean {
  const count = (each: readonly string[]): number => each.filter((line) => !isBlank(line)).length;
  return count(lines) < count(selected) && isQuoted(lines, selected);
}

/** Blocks of code that give one declaration in two forms, whole in each: nobody knows which is meant. */
function rivalBlocks(
  targets: readonly { readonly block: AnswerBlock; readonly path: string }[],
  { syntax, files }: EditContext,
): ReadonlySet<AnswerBlock> {
  if (targets.filter(({ block }) => block.kind === 'code').length < 2) return new Set();
  const whole = targets.flatMap(({ block, path }) => {
    const file = files.get(path);
    if (
      block.kind !== 'code' ||
      file === undefined ||
      isQuoted(block.lines, file) ||
      findElisions(block.lines, file).length > 0
    )
      return [];
    const keys = syntax
      .piece(block.lines, path)
      .declarations.flatMap(({ key, parent }) => (parent === -1 ? [key] : []));
    return [{ block, path, keys: new Set(keys.filter((key) => !key.startsWith('value:'))) }];
  });
  return new Set(
    whole.flatMap((one, at) =>
      whole.some(
        (other, index) =>
          index !== at &&
          other.path === one.path &&
          [...other.keys].some((key) => one.keys.has(key)) &&
          !isQuoted(one.block.lines, other.block.lines) &&
          !isQuoted(other.block.lines, one.block.lines),
      )
        ? [one.block]
        : [],
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

/** The blocks, each once, with how often it is given. */
function withTimes(blocks: readonly AnswerBlock[]): AnswerBlock[] {
  const counts = new Map<string, { readonly block: AnswerBlock; times: number }>();
  for (const block of blocks) {
    const key = JSON.stringify(block);
    const known = counts.get(key);
    if (known === undefined) counts.set(key, { block, times: 1 });
    else known.times += 1;
  }
  return [...counts.values()].map(({ block, times }) =>
    block.kind === 'replace' && times > 1 ? { ...block, times } : block,
  );
}

/** An answer without any block: code as it is, or words. */
function bareCode(prose: readonly string[], { path, selection, files }: EditContext): AnswerBlock[] {
  if (path === undefined || selection === undefined || !looksLikeCode(prose, files.get(path) ?? [])) return [];
  return [
    { kind: 'code', path: undefined, language: '', lines: prose, isClosed: true, pathLine: undefined, above: '' },
  ];
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
    placeNoNews(all, prose, selected, drafts, context);
    return;
  }
  const meant = meantBlocks(fresh, areAll, selected, file, path, context.syntax);
  const rivals = rivalBlocks(
    fresh.map((block) => ({ block, path })),
    context,
  );
  if (meant === 'ambiguous' || meant.some((block) => rivals.has(block))) {
    for (const { lines } of fresh) drafts.lose(path, 'ambiguous', { lines });
    return;
  }
  for (const block of meant)
    drafts.place(path, { lines: block.lines }, (lines) => {
      const target = targetIn(lines, path, block, blocks, context);
      return lines === file
        ? placeSelection(block.lines, selection, target, context.isCode === true)
        : placeCode(block.lines, target);
    });
}
