import { isDefinition } from '../../syntax/lines/definedNames.ts';
import { blank, midLine, type Units } from './units.ts';

/** Cost of a border that separates what belongs together, in the measure of `textCosts`. */
export const splitCost = 50;

/**
 * Cost of the start of each unit as a border, by indentation and blank lines alone: 0 before a top-level definition,
 * and more the deeper it is and the closer to the line before.
 */
export function textCosts(text: string, { count, starts, indents }: Units): Float32Array {
  const costs = new Float32Array(count);
  let before = blank;
  let wasComment = false;
  for (let index = 0; index < count; index++) {
    const indent = indents[index] as number;
    if (indent < 0) {
      costs[index] = indent === midLine ? splitCost - 5 : 30;
      if (indent === blank) before = blank;
      wasComment = false;
      continue;
    }
    const start = starts[index] as number;
    const isRemark = isComment(text, start);
    const deep = Math.min(indent, 24) / 2;
    if (wasComment) costs[index] = splitCost;
    else if (isCloser(text, start)) costs[index] = 26;
    else if (before === blank) costs[index] = indent === 0 ? 0 : 4 + deep;
    else if (indent === 0 && isDefinition(text.slice(start, Math.min(starts[index + 1] as number, start + 200)))) {
      costs[index] = 0;
    } else if (isRemark) costs[index] = indent === 0 ? 2 : 8 + deep;
    else costs[index] = (before > indent ? 12 : 16) + deep;
    before = indent;
    wasComment = isRemark;
  }
  return costs;
}

function firstAt(text: string, start: number): number {
  let at = start;
  while (text.charCodeAt(at) <= 32) at++;
  return at;
}

/** Whether a line closes a block, or opens one that the line before announced. */
export function isCloser(text: string, start: number): boolean {
  return (
    '{})]'.includes(text.charAt(firstAt(text, start))) ||
    /^\s*(end|fi|done|esac|else|elif|elsif|then|do)\b/.test(text.slice(start, start + 40))
  );
}

/** Whether a line is a comment or an attribute, which stays with the line after it. */
function isComment(text: string, start: number): boolean {
  const at = firstAt(text, start);
  const next = text.charAt(at + 1);
  switch (text.charAt(at)) {
    case '/':
      return next === '/' || next === '*';
    case '*':
      return next === ' ' || next === '/' || next === '\n';
    case '#':
      // `#include` and other directives are not comments.
      return !/[a-z]/.test(next);
    case '-':
      return next === '-';
    case '@':
      return true;
    case '[':
      return /[A-Za-z]/.test(next);
    default:
      return false;
  }
}
