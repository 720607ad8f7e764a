import type { Effort } from './textPattern.ts';

/** What a value is, in the words of JSON Schema. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

/**
 * A value as a text that is the same for equal values, whatever the order of their members. It takes from the effort by its length;
 * where that is spent, the text is of no use.
 */
export function canonicalJson(value: unknown, effort: Effort): string {
  if (effort.steps <= 0) return '';
  if (typeof value !== 'object' || value === null) {
    const text = JSON.stringify(value) ?? '';
    effort.steps = Math.max(0, effort.steps - Math.ceil(text.length / 16));
    return text;
  }
  effort.steps--;
  if (Array.isArray(value)) return `[${value.map((each) => canonicalJson(each, effort)).join(',')}]`;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  effort.steps = Math.max(0, effort.steps - members.length);
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${canonicalJson(each, effort)}`).join(',')}}`;
}

/** The longest list of values that is told, in characters. */
const longestList = 300;

/** Values of a schema for a sentence, as JSON. */
export function wantedList(values: readonly unknown[]): string {
  const texts: string[] = [];
  let length = 0;
  for (const value of values) {
    const text = (JSON.stringify(value) ?? '').slice(0, longestList);
    length += text.length + 2;
    if (length > longestList && texts.length > 0) return `${texts.join(', ')}, …`;
    texts.push(text);
  }
  return texts.join(', ');
}
