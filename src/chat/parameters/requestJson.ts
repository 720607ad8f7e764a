import { isJsonObject } from '../../base/jsonText.ts';
import { type Configuration, type ConfigurationChange, longestModel } from './configuration.ts';
import { isParameterName, parameterNames, parameterProblem } from './parameterForms.ts';

/** What is wrong with a request that somebody wrote as JSON. `takes` is an English phrase. */
export type RequestProblem =
  | { readonly kind: 'json' }
  | { readonly kind: 'unknown'; readonly param: string }
  | { readonly kind: 'value'; readonly param: string; readonly takes: string };

/** The longest name of a preset. */
const longestName = 64;

/** The name of a preset by that of its file; undefined for any other file. Letters of every language may be in it. */
export function presetName(fileName: string): string | undefined {
  const [, name = ''] = /^(.+)\.json$/iu.exec(fileName.normalize('NFC')) ?? [];
  const isName = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._-]*$/u.test(name) && !/[ .]$/.test(name);
  return isName && name.length <= longestName ? name : undefined;
}

/** What a conversation is asked with, as the members of a request have it. */
export function writeRequest({ parameters }: Pick<Configuration, 'parameters'>, model: string): string {
  return `${JSON.stringify({ model, ...parameters }, null, 2)}\n`;
}

/**
 * The change that makes a conversation ask what the text says; members that it has not are as in the settings.
 * @param model the one that the conversation has without one of its own
 */
export function readRequest(
  text: string,
  { parameters, model: own }: Pick<Configuration, 'parameters' | 'model'>,
  model: string,
): { readonly change: ConfigurationChange } | { readonly problem: RequestProblem } {
  const written = parse(text);
  if (written === undefined) return { problem: { kind: 'json' } };
  for (const [name, value] of Object.entries(written)) {
    const problem = name === 'model' ? modelProblem(value) : memberProblem(name, value);
    if (problem !== undefined) return { problem };
  }
  const isOther = (name: keyof typeof parameters): boolean =>
    JSON.stringify(written[name] ?? undefined) !== JSON.stringify(parameters[name]);
  const changed = parameterNames.filter(isOther).map((name) => [name, written[name] ?? null]);
  const wanted = written['model'] === model || written['model'] === undefined ? undefined : String(written['model']);
  return {
    change: {
      ...(changed.length > 0 && { parameters: Object.fromEntries(changed) }),
      ...(wanted !== own && { model: wanted ?? null }),
    },
  };
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function modelProblem(value: unknown): RequestProblem | undefined {
  const isModel = typeof value === 'string' && value.trim() !== '' && value.length <= longestModel;
  return isModel ? undefined : { kind: 'value', param: 'model', takes: 'the name of a model' };
}

function memberProblem(name: string, value: unknown): RequestProblem | undefined {
  if (!isParameterName(name)) return { kind: 'unknown', param: name.slice(0, 100) };
  // Null is how the document writes that a field is not set.
  const problem = value === null ? undefined : parameterProblem(name, value);
  return problem && { kind: 'value', ...problem };
}
