import type { Endpoint } from './endpoint.ts';
import { ServiceError } from './errors.ts';
import { readJson } from './json.ts';
import { type ModelDetails, readModelDetails } from './modelDetails.ts';
import { guessPurpose, type ModelPurpose } from './modelPurpose.ts';
import { modelsSchema } from './schemas.ts';
import type { Transport } from './transport.ts';

/** A model as a service lists it. */
export interface ListedModel extends ModelDetails {
  readonly id: string;
  readonly purpose: ModelPurpose;
}

/** The models a service offers, sorted by id; empty when it offers no list (the document does not promise one). */
export async function listModels(
  transport: Transport,
  endpoint: Pick<Endpoint, 'baseUrl' | 'apiKey'>,
  signal: AbortSignal,
): Promise<ListedModel[]> {
  try {
    const response = await transport.send(
      { method: 'GET', url: `${endpoint.baseUrl}/models`, apiKey: endpoint.apiKey },
      signal,
    );
    return readModels(await readJson(response, endpoint.apiKey?.reveal())) ?? [];
  } catch (error) {
    const noList = error instanceof ServiceError && ['not-found', 'bad-request', 'malformed'].includes(error.kind);
    if (noList || (error instanceof ServiceError && (error.status === 405 || error.status === 501))) return [];
    throw error;
  }
}

/** The models of a list in any of its shapes, sorted by id; undefined when the answer is no such list. */
export function readModels(value: unknown): ListedModel[] | undefined {
  // Ollama without a model.
  if (typeof value === 'object' && value !== null && 'data' in value && value.data === null) return [];
  const answer = modelsSchema.safeParse(value);
  if (!answer.success) return undefined;
  const list = Array.isArray(answer.data) ? answer.data : 'data' in answer.data ? answer.data.data : answer.data.models;
  const found = new Map<string, ListedModel>();
  for (const entry of list as unknown[]) {
    const id = modelId(entry);
    if (id !== '') found.set(id, { id, purpose: guessPurpose(id, entry), ...readModelDetails(entry) });
  }
  return [...found.values()].sort((a, b) => a.id.localeCompare(b.id));
}

function modelId(entry: unknown): string {
  if (typeof entry === 'string') return entry;
  const { id, model, name } = entry as { id?: string | null; model?: string | null; name?: string | null };
  return id || model || name || '';
}
