import { findLines } from '../place/lines/findLines.ts';
import { isBlank, shareOf } from '../place/lines/lineText.ts';
import { isCommand } from './meantBlocks.ts';
import { oldLines } from './placeDiff.ts';
import type { AnswerBlock, CodeBlock } from './reading/answerBlocks.ts';
import { cleanPath, matchPath } from './reading/namedPath.ts';
import type { EditContext } from './resolution.ts';

/**
 * The file a block is about: the one it names, the one in the editor, or the only one that has its lines. 'skip' for a command and for
 * an example that is about none. A name that nobody understands is never the file in the editor.
 */
export function targetFile(block: AnswerBlock, context: EditContext): string | 'unclear' | 'skip' {
  const { files, path } = context;
  if (block.kind === 'code' && isCommand(block, block.path ?? path ?? '')) return 'skip';
  if (block.path !== undefined) return namedFile(block, block.path, context) ?? 'unclear';
  if (path !== undefined) return path;
  const having = [...files].filter(([name, file]) => knows(name, file, block, context)).map(([name]) => name);
  if (having.length > 0) return having.length === 1 ? (having[0] ?? 'unclear') : 'unclear';
  const isExample = block.kind === 'code' && [...files.values()].every((file) => shareOf(block.lines, file) === 0);
  return isExample ? 'skip' : 'unclear';
}

function namedFile(block: AnswerBlock, named: string, context: EditContext): string | undefined {
  const { files, path } = context;
  // A new file below a folder is not the one above that has its name.
  if (block.kind === 'diff' && block.isNew && !files.has(named)) return cleanPath(named);
  const matched = matchPath(named, files.keys(), path);
  if (typeof matched === 'string') return matched;
  if (matched !== undefined) {
    const having = matched.filter((each) => knows(each, files.get(each) ?? [], block, context));
    return having.length === 1 ? having[0] : undefined;
  }
  const edited = path === undefined ? undefined : files.get(path);
  if (edited !== undefined && block.kind === 'code' && isOwnLine(block.pathLine, edited)) return path;
  // What no file has, but shows the lines of the one in the editor, may be meant for either.
  if (edited !== undefined && isMentioned(block, named) && knows(path ?? '', edited, block, context)) return undefined;
  // With folders before it that nobody knows, a path may still mean the file whose code is shown.
  const ends = [...files].filter(([each]) => each.includes('/') && cleanPath(named).endsWith(`/${each}`));
  const having = ends.filter(([each, file]) => knows(each, file, block, context));
  // Old lines that stand in it say that it does.
  if (having.length === 1 && block.kind !== 'code') return having[0]?.[0];
  if (having.length > 0) return undefined;
  return isNewFile(block) ? cleanPath(named) : undefined;
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

/** Whether a file has what a block is about. */
function knows(path: string, file: readonly string[], block: AnswerBlock, { syntax }: EditContext): boolean {
  if (block.kind === 'replace') return block.readings.some(({ search }) => findLines(file, search).length > 0);
  if (block.kind === 'diff') return block.hunks.every((hunk) => findLines(file, oldLines(hunk)).length > 0);
  return declares(path, file, block, syntax) || shareOf(block.lines, file) >= 0.5;
}

/** Whether a file declares all that code declares at its top. */
function declares(path: string, file: readonly string[], { lines }: CodeBlock, syntax: EditContext['syntax']): boolean {
  const keys = new Set(syntax.file(file, path).declarations.map(({ key }) => key));
  const tops = syntax.piece(lines, path).declarations.filter(({ parent }) => parent === -1);
  return tops.length > 0 && tops.every(({ key }) => keys.has(key));
}
