import type { Endpoint } from './endpoint.ts';
import { ServiceError } from './errors.ts';
import { readJson } from './json.ts';
import { modelsSchema } from './schemas.ts';
import type { Transport } from './transport.ts';

export type Purpose = 'chat' | 'embeddings' | 'audio';

/** The ids of the models a service offers, sorted; empty when it offers no list (the document does not promise one). */
export async function listModels(
  transport: Transport,
  endpoint: Pick<Endpoint, 'baseUrl' | 'apiKey'>,
  signal: AbortSignal,
): Promise<string[]> {
  try {
    const response = await transport.send(
      { method: 'GET', url: `${endpoint.baseUrl}/models`, apiKey: endpoint.apiKey },
      signal,
    );
    const answer = modelsSchema.safeParse(await readJson(response, endpoint.apiKey?.reveal()));
    if (!answer.success) return [];
    const list = Array.isArray(answer.data)
      ? answer.data
      : 'data' in answer.data
        ? answer.data.data
        : answer.data.models;
    const entries = (list as unknown[]).map(modelId).filter((id) => id !== '');
    return [...new Set(entries)].sort((a, b) => a.localeCompare(b));
  } catch (error) {
    const noList = error instanceof ServiceError && ['not-found', 'bad-request', 'malformed'].includes(error.kind);
    if (noList || (error instanceof ServiceError && (error.status === 405 || error.status === 501))) return [];
    throw error;
  }
}

function modelId(entry: unknown): string {
  if (typeof entry === 'string') return entry;
  const { id, model, name } = entry as { id?: string | null; model?: string | null; name?: string | null };
  return id || model || name || '';
}

const audioNames = /whisper|transcri|translat.*audio|audio|speech|parakeet|canary/i;
const embeddingNames = /embed|bge|gte|e5-|minilm|nomic|jina|voyage|arctic|mxbai|retriev/i;
const otherNames = /rerank|tts|dall|image|moderation|guard|diffusion|flux/i;

/** What a model is for, as far as its name tells. Only a hint for sorting lists: nothing is ever hidden by it. */
export function guessPurpose(model: string): Purpose | 'other' {
  if (audioNames.test(model) && !/tts/i.test(model)) return 'audio';
  if (embeddingNames.test(model)) return 'embeddings';
  return otherNames.test(model) ? 'other' : 'chat';
}

/** The models with those that seem to serve the purpose first. */
export function sortForPurpose(models: readonly string[], purpose: Purpose): string[] {
  const fits = (model: string): number => (guessPurpose(model) === purpose ? 0 : 1);
  return [...models].sort((a, b) => fits(a) - fits(b) || a.localeCompare(b));
}
