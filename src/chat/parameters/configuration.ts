/**
 * What a conversation has in the place of the settings: model, system prompt, parameters, and which instruction files do not go
 * along. Each is changed by itself, in any window that has the conversation open; of two changes of one thing, the later one holds.
 */
import {
  isParameter,
  type ParameterName,
  type Parameters,
  type ParameterValue,
  parameterNames,
} from './parameterForms.ts';

/** The longest system prompt, in characters. */
export const longestSystemPrompt = 100_000;
/** The longest name of a model. */
export const longestModel = 500;

/** A change of some of it; null takes a thing back to what the settings say. */
export interface ConfigurationChange {
  readonly model?: string | null | undefined;
  /** Empty: none at all. */
  readonly systemPrompt?: string | null | undefined;
  readonly parameters?: { readonly [name in ParameterName]?: ParameterValue | undefined } | undefined;
  /** By the address of each instruction file, whether it goes along. */
  readonly instructions?: Readonly<Record<string, boolean>> | undefined;
}

/** What was changed, by name, each with the time of its last change. */
export type Configured = ReadonlyMap<string, ConfiguredValue>;
export interface ConfiguredValue {
  readonly value: ParameterValue;
  readonly at: number;
}

/** What differs from the settings. */
export interface Configuration {
  readonly model?: string;
  readonly systemPrompt?: string;
  readonly parameters: Parameters;
  /** Addresses of instruction files that do not go along. */
  readonly leftOut: ReadonlySet<string>;
}

/** Takes a change in. @returns false when all of it was overtaken by later ones */
export function takeChange(configured: Map<string, ConfiguredValue>, change: ConfigurationChange, at: number): boolean {
  let isTaken = false;
  for (const [name, value] of entriesOf(change)) {
    const before = configured.get(name);
    if (before !== undefined && !isLater({ value, at }, before)) continue;
    configured.set(name, { value, at });
    isTaken = true;
  }
  return isTaken;
}

/** Of two changes at one time, every window prefers the same one. */
function isLater(one: ConfiguredValue, other: ConfiguredValue): boolean {
  return one.at > other.at || (one.at === other.at && JSON.stringify(one.value) > JSON.stringify(other.value));
}

const parameterPrefix = 'parameter ';
const instructionsPrefix = 'instructions ';

function entriesOf({ model, systemPrompt, parameters = {}, instructions = {} }: ConfigurationChange) {
  const entries: [string, ConfiguredValue['value'] | undefined][] = [
    ['model', model],
    ['systemPrompt', systemPrompt],
    ...parameterNames.map((name) => [parameterPrefix + name, parameters[name]] as [string, ParameterValue | undefined]),
    ...Object.entries(instructions).map(([file, isSent]) => [instructionsPrefix + file, isSent] as [string, boolean]),
  ];
  return entries.filter((entry): entry is [string, ConfiguredValue['value']] => entry[1] !== undefined);
}

/** The changes that come to it, each with its time. */
export function changesOf(configured: Configured): (ConfigurationChange & { readonly at: number })[] {
  return [...configured].map(([name, { value, at }]) => {
    if (name.startsWith(parameterPrefix)) return { parameters: { [name.slice(parameterPrefix.length)]: value }, at };
    if (name.startsWith(instructionsPrefix))
      return { instructions: { [name.slice(instructionsPrefix.length)]: value === true }, at };
    return { [name]: value, at };
  });
}

/** What all changes come to. */
export function configurationOf(configured: Configured): Configuration {
  const model = configured.get('model')?.value;
  const systemPrompt = configured.get('systemPrompt')?.value;
  const parameters = parameterNames.flatMap((name) => {
    const value = configured.get(parameterPrefix + name)?.value;
    // A file may hold what a later version has written.
    return value !== undefined && value !== null && isParameter(name, value) ? [[name, value] as const] : [];
  });
  const leftOut = [...configured].flatMap(([name, { value }]) =>
    value === false && name.startsWith(instructionsPrefix) ? [name.slice(instructionsPrefix.length)] : [],
  );
  return {
    ...(typeof model === 'string' && { model }),
    ...(typeof systemPrompt === 'string' && { systemPrompt }),
    parameters: Object.fromEntries(parameters),
    leftOut: new Set(leftOut),
  };
}

/** The change that takes everything back to what the settings say. */
export function resetOf({ model, systemPrompt, parameters, leftOut }: Configuration): ConfigurationChange {
  return {
    ...(model !== undefined && { model: null }),
    ...(systemPrompt !== undefined && { systemPrompt: null }),
    parameters: Object.fromEntries(Object.keys(parameters).map((name) => [name, null])),
    instructions: Object.fromEntries([...leftOut].map((file) => [file, true])),
  };
}
