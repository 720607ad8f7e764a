import { isJsonObject } from '../../base/jsonText.ts';

/** Details of a model in a list of models. A member is absent where the list does not say. */
export interface ModelDetails {
  /** Tokens the model reads and writes together. */
  readonly contextLength?: number;
  /** Tokens it writes at most. */
  readonly maxOutput?: number;
  /** Whether it takes images. */
  readonly vision?: boolean;
  /** Whether it calls tools. */
  readonly toolCalling?: boolean;
  /** Reasoning efforts it takes, in the service's words, such as `low` and `high`. */
  readonly efforts?: readonly string[];
  /** The effort it uses when none is given. */
  readonly defaultEffort?: string;
  readonly owner?: string;
}

const [longestOwner, mostListed] = [200, 100];

type Json = Readonly<Record<string, unknown>>;

/**
 * Reads an entry of a list of models. The names of the fields are those of vLLM (`max_model_len`), Groq
 * (`context_window`), OpenRouter and Together (`context_length`, `top_provider`, `architecture`), Mistral
 * (`max_context_length`, `capabilities`), LM Studio (`type: vlm`, `tool_use`), llama.cpp (`meta`), LiteLLM and Fireworks
 * (`supports_…`), Novita (`features`) and GitHub (`capabilities.supports`, `capabilities.limits`).
 */
export function readModelDetails(entry: unknown): ModelDetails {
  if (!isJsonObject(entry)) return {};
  const top = objectIn(entry, 'top_provider');
  const meta = objectIn(entry, 'meta');
  const limits = objectIn(objectIn(entry, 'capabilities'), 'limits');
  const contextLength = firstCount(
    entry['context_length'],
    entry['context_window'],
    entry['max_model_len'],
    entry['max_context_length'],
    top['context_length'],
    limits['max_context_window_tokens'],
    meta['n_ctx'],
    meta['n_ctx_train'],
  );
  const maxOutput = firstCount(
    entry['max_completion_tokens'],
    entry['max_output_tokens'],
    top['max_completion_tokens'],
    entry['max_output_length'],
    limits['max_output_tokens'],
  );
  const vision = readVision(entry);
  const toolCalling = readToolCalling(entry);
  const efforts = readEfforts(entry);
  const owner = entry['owned_by'];
  return {
    ...(contextLength === undefined ? {} : { contextLength }),
    ...(maxOutput === undefined ? {} : { maxOutput }),
    ...(vision === undefined ? {} : { vision }),
    ...(toolCalling === undefined ? {} : { toolCalling }),
    ...efforts,
    ...(typeof owner === 'string' && owner !== '' && owner.length <= longestOwner ? { owner } : {}),
  };
}

/** Reads whether a model takes images: a list of inputs settles it; a list of capabilities only ever says yes. */
function readVision(entry: Json): boolean | undefined {
  const architecture = objectIn(entry, 'architecture');
  for (const inputs of [architecture['input_modalities'], entry['input_modalities'], entry['modalities']]) {
    if (Array.isArray(inputs)) return inputs.slice(0, mostListed).includes('image');
  }
  const modality = architecture['modality'];
  if (typeof modality === 'string') return modality.split('->', 1)[0]?.includes('image') ?? false;
  const capabilities = entry['capabilities'];
  if (Array.isArray(capabilities)) return names(capabilities, 'vision', 'image', 'multimodal') || undefined;
  const said = [objectIn(entry, 'capabilities')['vision'], entry['supports_vision'], entry['vision']];
  const flag = said.find((value) => typeof value === 'boolean');
  if (flag !== undefined) return flag;
  return entry['type'] === 'vlm' ? true : undefined;
}

function readToolCalling(entry: Json): boolean | undefined {
  const parameters = entry['supported_parameters'];
  if (Array.isArray(parameters) && parameters.length > 0) return names(parameters, 'tools');
  for (const list of [entry['capabilities'], entry['features'], entry['supported_features']]) {
    const said =
      Array.isArray(list) && names(list, 'tool_use', 'tools', 'tool_calls', 'function_calling', 'function-calling');
    if (said) return true;
  }
  const capabilities = objectIn(entry, 'capabilities');
  const flags = [
    capabilities['function_calling'],
    capabilities['tool_calls'],
    capabilities['tools'],
    capabilities['trained_for_tool_use'],
    objectIn(capabilities, 'supports')['tool_calls'],
    entry['supports_tools'],
    entry['supports_function_calling'],
  ];
  return flags.find((value) => typeof value === 'boolean');
}

/** The most effort levels of a model, and the form of their names. */
const mostEfforts = 12;
const effortName = /^[a-z][a-z0-9_-]{0,31}$/i;

function readEfforts(entry: Json): Pick<ModelDetails, 'efforts' | 'defaultEffort'> {
  const reasoning = objectIn(entry, 'reasoning');
  const capabilities = objectIn(entry, 'capabilities');
  const lists = [
    reasoning['supported_efforts'],
    entry['supported_reasoning_efforts'],
    entry['reasoning_efforts'],
    capabilities['reasoning_effort'],
    objectIn(capabilities, 'supports')['reasoning_effort'],
  ];
  const parameters = entry['supported_parameters'];
  // The model takes the field without naming levels: every service with that field knows these three.
  if (Array.isArray(parameters) && names(parameters, 'reasoning_effort')) lists.push(['low', 'medium', 'high']);
  for (const list of lists) {
    if (!Array.isArray(list)) continue;
    const named = list.filter((each): each is string => typeof each === 'string' && effortName.test(each));
    const efforts = [...new Set(named)].slice(0, mostEfforts);
    if (efforts.length === 0) continue;
    const said = [reasoning['default_effort'], entry['default_reasoning_effort']];
    const defaultEffort = efforts.find((each) => said.includes(each));
    return { efforts, ...(defaultEffort === undefined ? {} : { defaultEffort }) };
  }
  return {};
}

function names(list: readonly unknown[], ...wanted: string[]): boolean {
  return list.slice(0, mostListed).some((item) => typeof item === 'string' && wanted.includes(item));
}

/** Token counts from here on are slips and would mislead: no model reads or writes as many. */
const beyondAnyModel = 1_000_000_000;

function firstCount(...values: unknown[]): number | undefined {
  return values.find(
    (value): value is number =>
      Number.isSafeInteger(value) && (value as number) > 0 && (value as number) < beyondAnyModel,
  );
}

function objectIn(owner: Json, name: string): Json {
  const value = owner[name];
  return isJsonObject(value) ? value : {};
}
