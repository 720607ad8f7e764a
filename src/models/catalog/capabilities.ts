import { isJsonObject } from '../../base/jsonText.ts';
import type { ModelDetails } from '../../service/models/models.ts';
import { fitsPattern } from '../../service/models/models.ts';
import { limitsOf } from './tokenLimits.ts';

/** A reasoning effort, as it is sent. */
export type Level = string | number | boolean;

/** The capabilities of a model. */
export interface Capabilities {
  readonly toolCalling: boolean;
  readonly imageInput: boolean;
  readonly maxInputTokens: number;
  readonly maxOutputTokens: number;
  /** Whether the context length is a guess: neither the service nor the user gives one. */
  readonly assumed: boolean;
  /** Absent where the model cannot be told how hard to think. */
  readonly thinking?: Thinking;
}

export interface Thinking {
  readonly levels: readonly Level[];
  /** The level of a request that says nothing, where that is known. */
  readonly usual?: Level;
  /** The field of the request that carries the level, by its path: `reasoning_effort`, `reasoning.effort`. */
  readonly field: string;
}

/** The level that leaves it to the service: nothing is sent. */
export const noLevel = 'default';
const usualField = 'reasoning_effort';
const mostLevels = 12;
const mostPatterns = 100;
const fieldPath = /^\w{1,64}(?:\.\w{1,64}){0,3}$/;
/** Fields of the request that cannot carry a level. */
const takenFields = /^(?:model|messages|stream|tools|functions|__proto__|constructor|prototype)$/;

type Json = Readonly<Record<string, unknown>>;

/**
 * The capabilities of a model: as the user sets them by pattern (`parley.models.capabilities`), else as the service's list
 * says, else as far as its name tells. A value of the setting that makes no sense is passed over; the settings editor underlines it.
 */
export function capabilitiesOf(model: string, details: ModelDetails, setting: unknown): Capabilities {
  const said = saidOf(model, setting);
  const limits = limitsOf(details);
  const maxInputTokens = countIn(said, 'maxInputTokens');
  const thinking = thinkingOf(said, details);
  return {
    toolCalling: flagIn(said, 'toolCalling') ?? details.toolCalling ?? true,
    imageInput: flagIn(said, 'imageInput') ?? takesImages(model, details),
    maxInputTokens: maxInputTokens ?? limits.maxInputTokens,
    maxOutputTokens: countIn(said, 'maxOutputTokens') ?? limits.maxOutputTokens,
    assumed: maxInputTokens === undefined && limits.assumed,
    ...(thinking === undefined ? {} : { thinking }),
  };
}

const namesOfModelsThatSee =
  /vision|llava|bakllava|moondream|pixtral|(?:^|[-_/:.\d])vl(?:m|\d|[-_:.]|$)|omni|gpt-4o|gpt-4\.1|gpt-4-turbo|gpt-5|chatgpt|claude-|gemini|gemma-?3(?!n)|gemma-?4|llama-?4|mistral-small-3\.[1-9]|mistral-medium-3|internvl|minicpm-v|phi-?[34](?:\.5)?-(?:multimodal|vision)/i;
const namesOfModelsThatOnlySound = /gemma-?3:?-?(?:1b|270m)|audio|embed/i;

/** Whether a model takes images: as the list says, else as far as its name tells. */
export function takesImages(model: string, { vision }: ModelDetails): boolean {
  return vision ?? (namesOfModelsThatSee.test(model) && !namesOfModelsThatOnlySound.test(model));
}

/** Whether a model calls tools, by the user's setting, else by the service's list; undefined where neither says. */
export function saidToolCalling(model: string, details: ModelDetails, setting: unknown): boolean | undefined {
  return flagIn(saidOf(model, setting), 'toolCalling') ?? details.toolCalling;
}

/** The level's field, as a member of a request; undefined for a level that the model does not have. */
export function levelField({ levels, field }: Thinking, chosen: unknown): Record<string, unknown> | undefined {
  if (chosen === noLevel || !levels.includes(chosen as Level)) return undefined;
  return field.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), chosen) as Record<string, unknown>;
}

/** Merges the settings of all patterns that fit; where two set the same, the later one counts. */
function saidOf(model: string, setting: unknown): Json {
  if (!isJsonObject(setting)) return {};
  const fitting = Object.entries(setting).slice(0, mostPatterns);
  return Object.assign(
    {},
    ...fitting.filter(([pattern, said]) => isJsonObject(said) && fitsPattern(pattern, model)).map(([, said]) => said),
  );
}

function thinkingOf(said: Json, { efforts, defaultEffort }: ModelDetails): Thinking | undefined {
  const named = said['thinkingLevels'];
  const levels = Array.isArray(named) ? [...new Set(named.filter(isLevel))].slice(0, mostLevels) : (efforts ?? []);
  if (levels.length === 0) return undefined;
  const path = said['thinkingField'];
  const isPath =
    typeof path === 'string' && fieldPath.test(path) && !path.split('.').some((name) => takenFields.test(name));
  const usual = Array.isArray(named) ? undefined : defaultEffort;
  return { levels, field: isPath ? path : usualField, ...(usual === undefined ? {} : { usual }) };
}

function isLevel(value: unknown): value is Level {
  if (typeof value === 'string') return value !== '' && value.length <= 64;
  return typeof value === 'boolean' || Number.isFinite(value);
}

function flagIn(said: Json, name: string): boolean | undefined {
  const value = said[name];
  return typeof value === 'boolean' ? value : undefined;
}

function countIn(said: Json, name: string): number | undefined {
  const value = said[name];
  return Number.isSafeInteger(value) && (value as number) > 0 && (value as number) < 1_000_000_000
    ? (value as number)
    : undefined;
}
