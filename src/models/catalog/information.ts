import type { ModelDetails } from '../../service/models/models.ts';

/** The context length that is assumed where the list does not say: most models of today read at least this much. */
const assumedContext = 131_072;
const assumedOutput = 16_384;

export interface TokenLimits {
  maxInputTokens: number;
  maxOutputTokens: number;
  /** Whether the context length is a guess: the service does not give it. */
  assumed: boolean;
}

/**
 * The limits of a model's input and output. The input leaves room for an answer, at most a quarter of the whole: services
 * often give the whole context as the longest answer, too.
 */
export function limitsOf({ contextLength, maxOutput }: ModelDetails): TokenLimits {
  const context = contextLength ?? assumedContext;
  const quarter = Math.floor(context / 4);
  const maxOutputTokens = Math.min(maxOutput ?? Math.min(assumedOutput, quarter), context);
  return {
    maxInputTokens: context - Math.min(maxOutputTokens, quarter),
    maxOutputTokens,
    assumed: contextLength === undefined,
  };
}

const namesOfModelsThatSee =
  /vision|llava|bakllava|moondream|pixtral|(?:^|[-_/:.\d])vl(?:m|\d|[-_:.]|$)|omni|gpt-4o|gpt-4\.1|gpt-4-turbo|gpt-5|chatgpt|claude-|gemini|gemma-?3(?!n)|gemma-?4|llama-?4|mistral-small-3\.[1-9]|mistral-medium-3|internvl|minicpm-v|phi-?[34](?:\.5)?-(?:multimodal|vision)/i;
const namesOfModelsThatOnlySound = /gemma-?3:?-?(?:1b|270m)|audio|embed/i;

/** Whether a model takes images: as the list says, else as far as its name tells. */
export function takesImages(model: string, { vision }: ModelDetails): boolean {
  return vision ?? (namesOfModelsThatSee.test(model) && !namesOfModelsThatOnlySound.test(model));
}

/** `meta-llama/Llama-3.3-70B:free` is version `free` of the family `Llama-3.3-70B`; a date at the end is a version, too. */
export function familyAndVersion(model: string): { family: string; version: string } {
  const name = model.slice(model.lastIndexOf('/') + 1) || model;
  const [, family, tag, date] = /^(.+?)(?::(.+)|-(\d{4}-\d{2}-\d{2}|\d{8}))?$/s.exec(name) ?? [];
  return { family: family ?? name, version: tag ?? date ?? 'latest' };
}

/**
 * Unique for an address and a model. VS Code's editor of language models draws it as trusted Markdown, so characters that could be
 * more than a letter there are percent-encoded.
 */
export function modelIdentifier(baseUrl: string, model: string): string {
  const escaped = model.replace(/[^\w./:@+~-]/gu, (letter) =>
    [...Buffer.from(letter)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  );
  return `${baseUrl}#${escaped}`;
}
