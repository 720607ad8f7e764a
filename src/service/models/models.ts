import { ServiceError } from '../../base/errors.ts';
import { isPlainObject } from '../../base/jsonText.ts';
import { nextTurn } from '../../base/nextTurn.ts';
import { readJson } from '../answers/readAnswer.ts';
import type { ServiceAccess } from '../endpoint.ts';
import type { ServiceResponse, Transport } from '../request.ts';
import { type ModelDetails, readModelDetails } from './modelDetails.ts';
import { guessPurpose, type ModelPurpose } from './modelPurpose.ts';

export type { ModelDetails } from './modelDetails.ts';
export { fitsPattern } from './modelPattern.ts';
export { type Purpose, sortForPurpose, suggestModel } from './modelPurpose.ts';

/** A model as a service lists it. */
export interface ListedModel extends ModelDetails {
  readonly id: string;
  readonly purpose: ModelPurpose;
}

/** The models a service offers, sorted by id; empty when it offers no list (the document does not promise one). */
export async function listModels(
  transport: Transport,
  { baseUrl, apiKey }: ServiceAccess,
  signal: AbortSignal,
): Promise<ListedModel[]> {
  try {
    const response = await transport.send({ method: 'GET', url: `${baseUrl}/models`, apiKey }, signal);
    return (await readModelList(response, apiKey?.reveal())) ?? [];
  } catch (error) {
    const noList = error instanceof ServiceError && ['not-found', 'bad-request', 'malformed'].includes(error.kind);
    if (noList || (error instanceof ServiceError && (error.status === 405 || error.status === 501))) return [];
    throw error;
  }
}

/** The models in an answer, as `readModels` finds them. @throws ServiceError for an answer that is no JSON, or an error */
export async function readModelList(
  response: ServiceResponse,
  key: string | undefined,
): Promise<ListedModel[] | undefined> {
  return readModels(await readJson(response, key));
}

/** The most models that are read of a list; the names of others can still be typed. */
const mostModels = 5_000;
/** Models that are read in one turn of the event loop. */
const modelsATurn = 250;
/** The longest model name, in characters; longer ones are left out. */
const longestName = 512;
const isAddress = /^[a-z][a-z\d+.-]*:\/\//i;
const byName = new Intl.Collator(undefined);

/**
 * The models of a list in any of its shapes (`{data: [{id}]}`, `{models: [{id | name | model}]}`, or a bare list; an entry may
 * be a plain string), sorted by id; undefined when the answer is no such list.
 */
export async function readModels(value: unknown): Promise<ListedModel[] | undefined> {
  // Ollama gives null when it has no model.
  if (isPlainObject(value) && value['data'] === null) return [];
  const list = Array.isArray(value) ? value : isPlainObject(value) ? (value['data'] ?? value['models']) : undefined;
  if (!Array.isArray(list)) return undefined;
  const found = new Map<string, ListedModel>();
  // One bad member of a list makes it no other list.
  const entries = list.slice(0, mostModels).filter((entry) => typeof entry === 'string' || isPlainObject(entry));
  if (entries.length === 0 && list.length > 0) return undefined;
  for (const [place, entry] of entries.entries()) {
    if (place % modelsATurn === modelsATurn - 1) await nextTurn();
    const id = modelId(entry);
    if (id === '' || id.length > longestName) continue;
    found.set(id, { id, purpose: guessPurpose(id, entry), ...readModelDetails(entry) });
  }
  return [...found.values()].sort((a, b) => byName.compare(a.id, b.id));
}

function modelId(entry: string | Record<string, unknown>): string {
  if (typeof entry === 'string') return entry;
  const names = [entry['id'], entry['model'], entry['name']].filter(
    (name): name is string => typeof name === 'string' && name !== '',
  );
  // Azure's catalog has addresses in `id`, which no question can name.
  return names.find((name) => !isAddress.test(name)) ?? names[0] ?? '';
}
