import { withoutThoughts } from '../../service/chat/completion.ts';
import { withoutIntroduction } from './introduction.ts';

/** The most characters of an answer that are waited for, thoughts and all, and those of a message: a model that writes more has lost its way. */
export const longestAnswer = 400_000;
const longestMessage = 10_000;

/**
 * The commit message in what a model wrote: without thoughts, words around it, fence, quotation marks, and white space at the ends
 * of lines.
 * @param isEnded false while there is more to come: then whatever may turn out to be no part of the message is left out
 * @param clean takes out what must not be shown; given no more than a message
 */
export function readCommitMessage(
  answer: string,
  isEnded: boolean,
  clean: (text: string) => string = (text) => text,
): string {
  const text = answer.replace(/\r\n?/g, '\n');
  const spoken = clean(withoutThoughts(text, isEnded).slice(0, longestMessage));
  const message = withoutFence(withoutIntroduction(spoken, isEnded), isEnded);
  return tidy(withoutQuotes(message, isEnded));
}

/** What stands in the fence that a text begins with; what comes after it is no part of the message. */
function withoutFence(text: string, isEnded: boolean): string {
  const start = text.trimStart();
  if (!isEnded && /^(?:`{1,2}|~{1,2}|(?:```|~~~)[^\n]*)$/.test(start)) return '';
  const fence = /^(`{3,}(?!`)|~{3,}(?!~))[^\n`]*\n/.exec(start);
  if (fence === null) return start;
  const mark = fence[1] ?? '';
  const inner = start.slice(fence[0].length);
  const closing = new RegExp(`^[ \\t]*${mark[0]}{${mark.length},}[ \\t]*$`, 'm').exec(inner);
  if (closing !== null) return inner.slice(0, closing.index);
  return isEnded ? inner : inner.replace(/(?:^|\n)[ \t]*[`~]*$/, '');
}

const quotes: Readonly<Record<string, string>> = {
  '"': '"',
  '“': '”',
  '„': '“',
  '«': '»',
  '`': '`',
  "'": "'",
  '**': '**',
};

/** Marks around the whole message, or around its first line, are no part of it. Nor are those of a heading. */
function withoutQuotes(text: string, isEnded: boolean): string {
  const start = text.trimStart().replace(/^#{1,6}[ \t]+/, '');
  if (!isEnded && /^(?:#{1,6}[ \t]*|\*)$/.test(start)) return '';
  const mark = Object.keys(quotes).find((each) => start.startsWith(each));
  if (mark === undefined) return start;
  const end = quotes[mark] ?? mark;
  const [first = ''] = start.split('\n', 1);
  const rest = start.slice(first.length);
  if (isWrapped(start.trimEnd(), mark, end)) return start.trimEnd().slice(mark.length, -end.length);
  if (isWrapped(first.trimEnd(), mark, end)) return first.trimEnd().slice(mark.length, -end.length) + rest;
  // The mark that ends it may come yet, or may have come in part.
  if (!isEnded && !start.slice(mark.length, -end.length).includes(end)) {
    return start.slice(mark.length).replace(new RegExp(`[ \\n${end.replaceAll('*', '\\*')}]+$`), '');
  }
  return start;
}

/** Whether a text stands between two marks, and no other mark ends what the first began. */
function isWrapped(text: string, mark: string, end: string): boolean {
  const inner = text.slice(mark.length, -end.length);
  // An apostrophe looks like the mark.
  const marks = end === "'" ? inner.replace(/\b'\b/g, '') : inner;
  return text.length > mark.length + end.length && text.endsWith(end) && !marks.includes(end);
}

/** Without white space around and at the ends of lines, and with one empty line at most between two others. */
function tidy(text: string): string {
  return text
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** Whether a message is none: the model says in its own words that it will not write one. */
export function isRefusal(message: string): boolean {
  return /^(?:(?:i['’]m|i am) (?:sorry|unable|not able)|sorry,|i (?:can['’]t|cannot|can not|won['’]t) )/i.test(message);
}
