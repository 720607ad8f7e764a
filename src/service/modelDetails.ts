/** What a list of models tells about one of them. A member is absent where the list does not say. */
export interface ModelDetails {
  /** How many tokens the model reads and writes together. */
  readonly contextLength?: number;
  /** How many of them it writes at most. */
  readonly maxOutput?: number;
  /** Whether it takes images. */
  readonly vision?: boolean;
  readonly owner?: string;
}

type Json = Readonly<Record<string, unknown>>;

/**
 * Reads an entry of a list of models. The names of the fields are those of vLLM (`max_model_len`), Groq
 * (`context_window`), OpenRouter and Together (`context_length`, `top_provider`, `architecture`), Mistral
 * (`max_context_length`, `capabilities.vision`), LM Studio (`type: vlm`) and llama.cpp (`meta`).
 */
export function readModelDetails(entry: unknown): ModelDetails {
  if (!isObject(entry)) return {};
  const top = objectIn(entry, 'top_provider');
  const meta = objectIn(entry, 'meta');
  const contextLength = firstCount(
    entry['context_length'],
    entry['context_window'],
    entry['max_model_len'],
    entry['max_context_length'],
    top['context_length'],
    meta['n_ctx'],
    meta['n_ctx_train'],
  );
  const maxOutput = firstCount(
    entry['max_completion_tokens'],
    entry['max_output_tokens'],
    top['max_completion_tokens'],
    entry['max_output_length'],
  );
  const vision = readVision(entry);
  const owner = entry['owned_by'];
  return {
    ...(contextLength === undefined ? {} : { contextLength }),
    ...(maxOutput === undefined ? {} : { maxOutput }),
    ...(vision === undefined ? {} : { vision }),
    ...(typeof owner === 'string' && owner !== '' ? { owner } : {}),
  };
}

/** A list of what goes in settles it; a list of capabilities says yes where it names it, and else nothing. */
function readVision(entry: Json): boolean | undefined {
  const architecture = objectIn(entry, 'architecture');
  for (const inputs of [architecture['input_modalities'], entry['input_modalities'], entry['modalities']]) {
    if (Array.isArray(inputs)) return inputs.includes('image');
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

function names(list: readonly unknown[], ...wanted: string[]): boolean {
  return list.some((item) => typeof item === 'string' && wanted.includes(item));
}

function firstCount(...values: unknown[]): number | undefined {
  return values.find((value): value is number => Number.isSafeInteger(value) && (value as number) > 0);
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function objectIn(owner: Json, name: string): Json {
  const value = owner[name];
  return isObject(value) ? value : {};
}
