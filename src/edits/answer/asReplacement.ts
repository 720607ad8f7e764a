import { trimBlankLines } from '../place/lines/lineText.ts';
import { isQuoted } from './codeText.ts';
import type { AnswerBlock } from './reading/answerBlocks.ts';
import type { SearchReplaceBlock } from './reading/searchReplace.ts';
import type { EditContext } from './resolution.ts';

const becomes =
  /^(?:(?:after|now|new(?: code| version)?)\W*|(?:to|with|by|into|becomes|(?:and )?(?:replace|change) (?:it|that|this|them) (?:to|with|by|into))\b[^.]{0,30})$/i;

/** “Change” a block that quotes lines of a file “to” another: the second takes the place of the first. */
export function asReplacement(
  block: AnswerBlock,
  before: AnswerBlock | undefined,
  { files }: EditContext,
): SearchReplaceBlock | undefined {
  if (block.kind !== 'code' || before?.kind !== 'code' || !becomes.test(block.above.replace(/[*_#>\s]+/g, ' ').trim()))
    return undefined;
  const search = trimBlankLines(before.lines);
  const isThere = [...files.values()].some((file) => isQuoted(search, file));
  if (!isThere || search.length === 0) return undefined;
  return {
    kind: 'replace',
    path: block.path ?? before.path,
    readings: [{ search, replace: trimBlankLines(block.lines) }],
  };
}
