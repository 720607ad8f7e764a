import { isBlank } from '../place/lines/lineText.ts';
import type { CodeBlock } from './reading/answerBlocks.ts';

/** The most words around a block that explain nothing. */
const fewWords = 12;
const declines = /\b(?:sorry|apologi[sz]e|can(?:no|['’])t|can not|unable|won['’]t|will not)\b/i;

/**
 * Whether an answer wants all that was selected to go: its block is empty. Where declarations would go with it, nothing else may be
 * said.
 */
export function isDeletion(blocks: readonly CodeBlock[], prose: readonly string[], hasDeclarations: boolean): boolean {
  const words = prose.join(' ');
  if (declines.test(words) || !blocks.some(({ lines }) => lines.every(isBlank))) return false;
  return !hasDeclarations || words.split(/\s+/).filter(Boolean).length <= fewWords;
}
