import type { Attachment } from '../conversation/attachment.ts';

/** What stands between braces in a prompt: `{{selection}}`. */
export const variableNames = ['selection', 'file', 'language', 'problems', 'input'] as const;
export type VariableName = (typeof variableNames)[number];

/** What stands behind a variable: words, or code that goes along with its place; undefined where there is nothing. */
export type Values = { readonly [Name in VariableName]: () => string | Attachment | undefined };

/** A prompt with its variables filled in. */
export interface Expanded {
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /** Names between braces that are no variables, each once: they stay as they are. */
  readonly unknown: readonly string[];
  /** Variables with nothing behind them, each once. The prompt cannot be sent then. */
  readonly missing: readonly VariableName[];
  /** Whether it is longer than a question may be; its text is not whole then. */
  readonly isTooLong: boolean;
}

const variable = /\{\{[ \t]*([A-Za-z][\w-]{0,63})[ \t]*\}\}/g;

/** Characters of a prompt that is filled in: as many as a question may have. */
export const longestExpanded = 1_000_000;

/**
 * Fills in the variables of a prompt. Code goes along as an attachment, and its place stands in the text, unless that is its
 * end, which the code follows anyway. What is filled in is never read for variables. Words that a prompt has no place for stand
 * at its end.
 */
export function expandPrompt(template: string, values: Values): Expanded {
  const found = new Map<VariableName, string | Attachment | undefined>();
  const unknown = new Set<string>();
  let length = template.length;

  function fill(written: string, name: string): string {
    const known = variableNames.find((each) => each === name.toLowerCase());
    if (known === undefined) {
      unknown.add(name);
      return written;
    }
    if (!found.has(known)) found.set(known, values[known]());
    const value = found.get(known) ?? '';
    const words = typeof value === 'string' ? value : placeOf(value);
    length += words.length;
    return length > longestExpanded ? '' : words;
  }

  const [body, end] = splitEnd(template);
  const text = body.replace(variable, fill).trim();
  for (const [written, name = ''] of end.matchAll(variable)) fill(written, name);
  const rest = found.has('input') ? '' : String(values.input() ?? '');
  const attachments = [...found.values()].filter((value) => typeof value === 'object');
  return {
    text: [text, rest].filter((part) => part !== '').join('\n\n'),
    attachments,
    unknown: [...unknown],
    missing: [...found].flatMap(([name, value]) => (value === undefined || value === '' ? [name] : [])),
    isTooLong: length + rest.length > longestExpanded,
  };
}

/** The variables for code at the end of a template, which are read by the code alone. */
function splitEnd(template: string): [body: string, end: string] {
  let end = template.length;
  for (;;) {
    const [found] =
      /\{\{[ \t]*(?:selection|file)[ \t]*\}\}\s*$/i.exec(template.slice(Math.max(0, end - 200), end)) ?? [];
    if (found === undefined) break;
    end -= found.length;
  }
  // In the middle of a sentence, the place is one of its words.
  const stands = end === 0 || /\n[ \t]*$/.test(template.slice(0, end));
  return stands ? [template.slice(0, end), template.slice(end)] : [template, ''];
}

/** The place of code within a sentence. */
function placeOf({ path, range: { startLine, endLine } }: Attachment): string {
  return `${path}, ${startLine === endLine ? `line ${startLine}` : `lines ${startLine} to ${endLine}`}`;
}
