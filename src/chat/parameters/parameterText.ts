import { readDecimal } from './decimalText.ts';
import {
  type ParameterForm,
  type ParameterName,
  type ParameterValue,
  parameterForms,
  parameterProblem,
} from './parameterForms.ts';

/** What a person wrote for a field. `value` is null where nothing is written: it is as in the settings. */
export type ReadParameter =
  | { readonly value: ParameterValue | null }
  /** It is not even JSON, or no number. */
  | { readonly problem: 'number' | 'json' }
  /** The field does not take it. `takes` is an English phrase. */
  | { readonly problem: 'value'; readonly param: string; readonly takes: string };

/** Reads what a person wrote for a field. */
export function readParameter(name: ParameterName, text: string): ReadParameter {
  if (text.trim() === '' && (parameterForms[name].kind !== 'lines' || !/[^\n]/.test(text))) return { value: null };
  const read = readText(name, text);
  if (!('value' in read) || read.value === null) return read;
  const problem = parameterProblem(name, read.value);
  return problem === undefined ? read : { problem: 'value', ...problem };
}

function readText(name: ParameterName, text: string): ReadParameter {
  const { kind, isInteger }: ParameterForm = parameterForms[name];
  switch (kind) {
    case 'number':
      return readNumber(text, isInteger);
    case 'switch':
      return { value: text.trim() === 'true' ? true : text.trim() === 'false' ? false : text };
    case 'text':
      return { value: text };
    case 'lines':
      return { value: readLines(text) };
    case 'json':
      return readJson(text);
    case 'word':
      return /^\s*[{[]/.test(text) ? readJson(text) : { value: ofWord(name, text.trim()) };
  }
}

function readNumber(text: string, isInteger: boolean | undefined): ReadParameter {
  const value = readDecimal(text, isInteger);
  return value === undefined ? { problem: 'number' } : { value };
}

function readJson(text: string): ReadParameter {
  try {
    return { value: JSON.parse(text) as ParameterValue };
  } catch {
    return { problem: 'json' };
  }
}

/** The format of an answer is an object, of which the type is enough; other words are sent as they are. */
function ofWord(name: ParameterName, word: string): ParameterValue {
  return name === 'response_format' ? { type: word } : word;
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '\\': '\\' };

/** One text is sent as such, several as a list. */
function readLines(text: string): ParameterValue {
  const lines = text
    .split(/\r?\n/)
    .filter((line) => line !== '')
    .map((line) => line.replace(/\\([nrt\\])/g, (_, letter: string) => escapes[letter] ?? letter));
  return lines.length === 1 ? (lines[0] ?? '') : lines;
}

/** A value as a person would write it: `readParameter` gives it back. */
export function writeParameter(name: ParameterName, value: ParameterValue): string {
  const { kind }: ParameterForm = parameterForms[name];
  if (kind === 'lines') return (Array.isArray(value) ? value : [value]).map(writeLine).join('\n');
  if (typeof value === 'string') return value;
  if (name === 'response_format' && isTypeAlone(value)) return value.type;
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value);
}

function writeLine(line: ParameterValue): string {
  return String(line).replace(/[\\\n\r\t]/g, (letter) => {
    const [name = ''] = Object.entries(escapes).find(([, meant]) => meant === letter) ?? [];
    return `\\${name}`;
  });
}

function isTypeAlone(value: ParameterValue): value is { readonly type: string } {
  if (typeof value !== 'object' || value === null || !('type' in value)) return false;
  return typeof value.type === 'string' && /^\w+$/.test(value.type) && Object.keys(value).length === 1;
}
