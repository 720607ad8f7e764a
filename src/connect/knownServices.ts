/** A service that many use, with the base URL its own documentation gives. */
export interface KnownService {
  readonly name: string;
  /** What stands for the user’s own part of it is in `ownPart`. */
  readonly baseUrl: string;
}

/** Stands in a base URL where each user has a name of their own. */
export const ownPart = 'your-resource';

export const knownServices: readonly KnownService[] = [
  { name: 'Anthropic', baseUrl: 'https://api.anthropic.com/v1' },
  { name: 'Azure OpenAI', baseUrl: `https://${ownPart}.openai.azure.com/openai/v1` },
  { name: 'Cerebras', baseUrl: 'https://api.cerebras.ai/v1' },
  { name: 'DeepSeek', baseUrl: 'https://api.deepseek.com/v1' },
  { name: 'Fireworks', baseUrl: 'https://api.fireworks.ai/inference/v1' },
  { name: 'Gemini', baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai' },
  { name: 'GitHub Models', baseUrl: 'https://models.github.ai/inference' },
  { name: 'Groq', baseUrl: 'https://api.groq.com/openai/v1' },
  { name: 'Mistral', baseUrl: 'https://api.mistral.ai/v1' },
  { name: 'OpenAI', baseUrl: 'https://api.openai.com/v1' },
  { name: 'OpenRouter', baseUrl: 'https://openrouter.ai/api/v1' },
  { name: 'Together', baseUrl: 'https://api.together.xyz/v1' },
  { name: 'xAI', baseUrl: 'https://api.x.ai/v1' },
];
