import { estimateTokens } from '../../base/tokens.ts';
import type { MessagePart, RequestMessage } from './messages.ts';

/** Tokens of a message's frame, roughly: its role and its borders. */
const frameTokens = 4;
/** Tokens of an image in full detail, about, for most models. */
const imageTokens = 1_000;

/** Roughly how many tokens a text or a message is. */
export function countTokens(text: string | RequestMessage): number {
  if (typeof text === 'string') return estimateTokens(text);
  return text.parts.reduce((sum, part) => sum + countPart(part), frameTokens);
}

function countPart(part: MessagePart): number {
  switch (part.kind) {
    case 'text':
    case 'thought':
      return estimateTokens(part.text);
    case 'other':
      return frameTokens;
    case 'image':
      return imageTokens;
    case 'tool-call':
      return frameTokens + estimateTokens(part.name + JSON.stringify(part.input));
    case 'tool-result':
      return part.parts.reduce((sum, each) => sum + countPart(each), frameTokens);
  }
}
