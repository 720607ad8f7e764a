import { hasDoubtfulElision } from '../../place/elisions.ts';
import { importLine, insertImports } from '../../place/insertItem.ts';
import type { LineEdit } from '../../place/lineEdit.ts';
import { isBlank, trimBlankLines } from '../../place/lineText.ts';
import { replace } from '../../place/mergeBlock.ts';
import type { Misplaced } from '../../place/misplaced.ts';
import type { CodeBlock } from '../answerBlocks.ts';
import { asReplacement } from '../asReplacement.ts';
import { cleanCode, isQuoted } from '../codeText.ts';
import { placeReplacement } from '../placeReplacement.ts';
import { type EditContext, type Resolution, toResolution, unresolved } from '../resolution.ts';
import { editSelection } from './editSelection.ts';
import { meantBlocks } from './meantBlocks.ts';

/**
 * An answer to a question for new lines of a selection. Blocks that show several parts of it are placed together; where one is left
 * over, or two are for the same lines, nothing is.
 * @param others blocks of the answer that are for other files
 */
export function resolveSelection(
  blocks: readonly CodeBlock[],
  prose: readonly string[],
  context: EditContext,
  others: readonly CodeBlock[] = [],
): Resolution {
  const { files, path = '', selection = { first: 0, last: 0 } } = context;
  const file = files.get(path) ?? [];
  const selected = file.slice(selection.first, selection.last + 1);
  const all = blocks.map((block) => cleanCode(block, file));
  const fresh = all.filter(({ lines }) => !isQuoted(lines, file));
  if (fresh.length === 0) return resolveDeletion(all, prose, context);
  const meant = meantBlocks(fresh, others.length === 0, selected, file, path);
  if (meant === 'ambiguous') return unresolved(meant);
  const place = (block: CodeBlock): readonly LineEdit[] | Misplaced => {
    const before = all[all.indexOf(block) - 1];
    const change = isPart(selected)(before) ? asReplacement(block, before, context) : undefined;
    if (change !== undefined) {
      const { edits, unplaced: lost } = placeReplacement(change, file, selection);
      if (lost.length === 0) return edits;
    }
    // An import beside the code that needs it is none of the selected lines.
    if (meant.length > 1 && block.lines.every((line) => isBlank(line) || importLine.test(line)))
      return insertImports(trimBlankLines(block.lines), file);
    return hasDoubtfulElision(block.lines, selected)
      ? 'ambiguous'
      : editSelection(file, selection, block.lines, path, context.isCode === true);
  };
  return toResolution(
    meant.map((block) => [path, place(block)]),
    files,
  );
}

/** An empty block, or lines of the selection without a word, take its place: the others are to go. */
function resolveDeletion(
  blocks: readonly CodeBlock[],
  prose: readonly string[],
  { files, path = '', selection = { first: 0, last: 0 } }: EditContext,
): Resolution {
  const selected = (files.get(path) ?? []).slice(selection.first, selection.last + 1);
  const words = prose.join(' ');
  const isShort = words.split(/\s+/).filter(Boolean).length <= fewWords;
  const empty = isShort || deletes.test(words) ? blocks.find(({ lines }) => lines.every(isBlank)) : undefined;
  const left = empty ?? (isShort ? blocks.find(isPart(selected)) : undefined);
  if (left === undefined || declines.test(words)) return { kind: 'nothing' };
  const inserted = replace(selected, { first: 0, last: selected.length - 1 }, left.lines);
  if (typeof inserted === 'string') return unresolved('ambiguous');
  const edits = inserted.map((edit) => ({ ...edit, line: edit.line + selection.first }));
  return toResolution([[path, edits]], files);
}

/** The most words around a block that explain nothing. */
const fewWords = 12;
const declines = /\b(?:sorry|apologi[sz]e|can(?:no|['’])t|can not|unable|won['’]t|will not)\b/i;
const deletes = /\b(?:delet|remov)(?:e|es|ed|ing)\b/i;

/** Whether a block is some of the selection's lines, and not all. */
const isPart =
  (selected: readonly string[]) =>
  (block: CodeBlock | undefined): boolean => {
    const count = (each: readonly string[]): number => each.filter((line) => !isBlank(line)).length;
    return block !== undefined && count(block.lines) < count(selected) && isQuoted(block.lines, selected);
  };
