/** A tag around thoughts, in the names that models and their prompts use; some put the maker's name before it (`seed:think`). */
const tag =
  '(?:[a-z]{1,12}[:_])?(?:antthinking|think|thinking|thoughts?|reasoning|reflection|(?:reasoning_)?scratchpad|inner_monologue)';

/** Marks around thoughts that are no such tags: of Magistral, Kimi, Sky-T1, Command A, Gemma 4, MedGemma, Granite. */
const pairs: readonly (readonly [open: string, close: string])[] = [
  ['[THINK]', '[/THINK]'],
  ['◁think▷', '◁/think▷'],
  ['<|think|>', '<|/think|>'],
  ['<|begin_of_thought|>', '<|end_of_thought|>'],
  ['<|START_THINKING|>', '<|END_THINKING|>'],
  ['<|channel>thought', '<channel|>'],
  ['<unused94>thought', '<unused95>'],
  ['Here is my thought process:', 'Here is my response:'],
];

/** Marks around the answer, which some models set when their thoughts are over. */
const wrappers: readonly (readonly [open: string, close: string])[] = [
  ['<answer>', '</answer>'],
  ['<response>', '</response>'],
  ['<|begin_of_solution|>', '<|end_of_solution|>'],
  ['<|START_RESPONSE|>', '<|END_RESPONSE|>'],
  ['[BEGIN FINAL RESPONSE]', '[END FINAL RESPONSE]'],
];

/** The channels of gpt-oss, from whose first mark on the whole answer is in messages. Servers leave out some of the marks. */
const channelStarts = [
  '<|channel|>',
  '<|start|>',
  '<|message|>',
  'analysis<|',
  'commentary<|',
  'final<|',
  'assistant<|',
];

/** A text as a regular expression reads it. */
export const escaped = (text: string): string => text.replace(/[|[\]\\]/g, '\\$&');
const anyOf = (texts: readonly string[]): string => texts.map(escaped).join('|');

const opening = new RegExp(`^<(${tag})>`, 'i');
/** Pairs whose marks no sentence holds by chance. */
const sure = pairs.filter(([open]) => /^\W/.test(open));
const closing = new RegExp(`^(?:</${tag}>|${anyOf(sure.map(([, close]) => close))})`, 'i');
const aboutTags = `</?${tag}>|${anyOf(sure.flat())}`;
/** A mark of thoughts within a text, or the next channel of gpt-oss. */
export const markWithin = new RegExp(
  `${aboutTags}|(?:<\\|end\\|>\\s{0,4})?(?:<\\|start\\|>)?(?:assistant)?<\\|channel\\|>(?=final|commentary|analysis)`,
  'i',
);
/** What may become such a mark, at the end of a text. */
export const partOfMark =
  /(?:<\|end\|>\s{0,4}(?:<\|start\|>)?(?:assistant)?)?(?:<\/?[a-z:_]{0,24}|<\|?[a-z|_]{0,22}>?|<\|channel\|>[a-z]{0,10}|<\|start\|>[a-z]{0,9}|\[\/?[a-z]{0,5}|◁\/?[a-z]{0,5})$|<\|end\|>\s{0,4}(?:<\|start\|>)?[a-z]{0,9}$/i;

/** Whether a mark within a text ends thoughts: none begins them there, and the next channel of gpt-oss ends the one before. */
export function isEndMark(mark: string): boolean {
  return closing.test(mark) || mark.toLowerCase().endsWith('<|channel|>');
}

/** What a text begins with: thoughts, with the mark that ends them; the end of thoughts; the channels of gpt-oss; or a mark of the answer. */
export type Beginning =
  | { readonly kind: 'thoughts'; readonly length: number; readonly close: string }
  | { readonly kind: 'wrapper'; readonly length: number; readonly close: string }
  | { readonly kind: 'end'; readonly length: number }
  | { readonly kind: 'channels'; readonly length: number };

/** @param isAfterThoughts whether thoughts came before: only then is the answer in marks of its own */
export function beginningOf(text: string, isAfterThoughts: boolean): Beginning | undefined {
  const lower = text.slice(0, 64).toLowerCase();
  const opened = opening.exec(lower);
  if (opened !== null) return { kind: 'thoughts', length: opened[0].length, close: `</${opened[1]}>` };
  const pair = pairs.find(([open]) => lower.startsWith(open.toLowerCase()));
  if (pair !== undefined) return { kind: 'thoughts', length: pair[0].length, close: pair[1].toLowerCase() };
  const ended = closing.exec(lower);
  if (ended !== null) return { kind: 'end', length: ended[0].length };
  if (channelStarts.some((start) => lower.startsWith(start))) return { kind: 'channels', length: 0 };
  const wrapper = isAfterThoughts ? wrappers.find(([open]) => lower.startsWith(open.toLowerCase())) : undefined;
  return wrapper && { kind: 'wrapper', length: wrapper[0].length, close: wrapper[1].toLowerCase() };
}

const partOfTag = /^<\/?[a-z:_]{0,24}$/i;
const beginnings = [...pairs.flat(), ...wrappers.map(([open]) => open), ...channelStarts].map((mark) =>
  mark.toLowerCase(),
);

/** Whether a text may still come to begin with a mark. */
export function mayBegin(text: string): boolean {
  const lower = text.toLowerCase();
  return partOfTag.test(text) || (lower.length < 32 && beginnings.some((mark) => mark.startsWith(lower)));
}

/**
 * Whether a mark that ends thoughts ends them though nothing has begun them: chat templates hold the first mark of some models.
 * Text about such marks has them in code, in quotation marks, or as a word of a sentence.
 * @param before all text before the mark
 * @param after what comes after the mark: at least one character, unless nothing comes
 */
export function endsThoughts(before: string, after: string): boolean {
  const line = before.slice(before.lastIndexOf('\n') + 1);
  const next = after.slice(0, 64);
  if (isInCode(before, line)) return false;
  if (line.trim() === '') return true;
  const isAlone = /^[ \t]*(?:\r?\n|$)/.test(next);
  if (/^\s*(?:\d{1,3}[.)]|[-*+>|#])\s*$/.test(line)) return false;
  if (/\s$/.test(line)) return isAlone && /[.!?…。！？]\s*$/.test(line);
  const isQuoted = /["'“„«‘`(（「『*_]$/.test(line) && /^["'”“»’`)）」』*_]/.test(next);
  return !isQuoted && (isAlone || !/^[ \t]*[,.;:!?)）、。，]/.test(next));
}

function isInCode(before: string, line: string): boolean {
  const fences = before.match(/^[ \t]{0,3}(?:`{3,}|~{3,})/gm)?.length ?? 0;
  const ticks = line.match(/`/g)?.length ?? 0;
  return fences % 2 === 1 || (ticks % 2 === 1 && !/^[ \t]*`{3,}/.test(line));
}
