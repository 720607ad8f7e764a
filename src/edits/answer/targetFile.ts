import { findLines } from '../place/findLines.ts';
import { isBlank, shareOf } from '../place/lineText.ts';
import { placeCode } from '../place/placeCode.ts';
import type { AnswerBlock, CodeBlock } from './answerBlocks.ts';
import { cleanPath, matchPath } from './namedPath.ts';
import { oldLines } from './placeDiff.ts';
import type { EditContext } from './resolution.ts';

/** The file a block is about: the one it names, the one in the editor, or the only one that has its lines. */
export function fileOf(block: AnswerBlock, context: EditContext): string | 'ambiguous' | 'skip' | undefined {
  const { files, path } = context;
  if (
    block.kind === 'code' &&
    isCommand(block) &&
    !/\.(?:sh|bash|zsh|ps1|cmd|bat|txt|log)$|^[^.]+$/.test(block.path ?? '.')
  )
    return 'skip';
  if (block.path !== undefined) {
    // A new file below a folder is not the one above that has its name.
    if (block.kind === 'diff' && block.isNew && !files.has(block.path)) return cleanPath(block.path);
    const matched = matchPath(block.path, files.keys(), path);
    const named =
      typeof matched === 'string' || matched === undefined
        ? matched
        : matched.filter((each) => knows(files.get(each) ?? [], block));
    if (typeof named === 'string') return named;
    if (named !== undefined) return named.length === 1 ? named[0] : 'ambiguous';
    const edited = path === undefined ? undefined : files.get(path);
    if (edited !== undefined && block.kind === 'code' && isOwnLine(block.pathLine, edited)) return path;
    // What no file has, but shows the lines of the one in the editor, may be meant for either.
    if (edited !== undefined && isMentioned(block, block.path) && knows(edited, block)) return undefined;
    return isNewFile(block) ? cleanPath(block.path) : undefined;
  }
  if (path !== undefined) return path;
  const having = [...files].filter(([, file]) => knows(file, block)).map(([name]) => name);
  if (having.length > 0) return having.length === 1 ? having[0] : 'ambiguous';
  const isExample = block.kind === 'code' && [...files.values()].every((file) => shareOf(block.lines, file) === 0);
  return isExample ? 'skip' : undefined;
}

function isOwnLine(line: string | undefined, file: readonly string[]): boolean {
  return line !== undefined && file.some((each) => each.trim() === line.trim());
}

/** Whether a path stands in a sentence, which may say anything of that file, and not above the block as its name. */
function isMentioned(block: AnswerBlock, path: string): boolean {
  const above = block.kind === 'code' ? block.above : '';
  return above.includes(path) && above.split(/\s+/).length > mostNaming;
}

/** The most words of a line that names the file of a block and says no more. */
const mostNaming = 4;

function isNewFile(block: AnswerBlock): boolean {
  if (block.kind === 'diff') return block.isNew;
  return block.kind === 'code' || block.readings.some(({ search }) => search.every(isBlank));
}

function isCommand({ language }: CodeBlock): boolean {
  return /^(?:sh|shell|bash|zsh|console|powershell|cmd|text|txt|plaintext|output|log|terminal)$/.test(language);
}

/** Whether a file has what a block is about. */
function knows(file: readonly string[], block: AnswerBlock): boolean {
  if (block.kind === 'replace') return block.readings.some(({ search }) => findLines(file, search).length > 0);
  if (block.kind === 'diff') return block.hunks.every((hunk) => findLines(file, oldLines(hunk)).length > 0);
  return typeof placeCode(file, block.lines, 'code') !== 'string' || shareOf(block.lines, file) >= 0.5;
}
