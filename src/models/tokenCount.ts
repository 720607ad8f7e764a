import { estimateTokens } from '../service/tokens.ts';
import type { Message, Part } from './messages.ts';

/** What the frame of a message costs, roughly: its role and its borders. */
const frameTokens = 4;
/** An image in full detail costs most models about this. */
const imageTokens = 1_000;

/** Roughly how many tokens a text or a message is. */
export function countTokens(text: string | Message): number {
  if (typeof text === 'string') return estimateTokens(text);
  return text.parts.reduce((sum, part) => sum + countPart(part), frameTokens);
}

function countPart(part: Part): number {
  switch (part.kind) {
    case 'text':
      return estimateTokens(part.text);
    case 'image':
      return imageTokens;
    case 'tool-call':
      return frameTokens + estimateTokens(part.name + JSON.stringify(part.input));
    case 'tool-result':
      return part.parts.reduce((sum, each) => sum + countPart(each), frameTokens);
  }
}
