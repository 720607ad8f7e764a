import { ServiceError } from '../../base/errors.ts';
import { failUnread } from '../answers/readAnswer.ts';
import { embeddingsSchema } from '../answers/schemas.ts';
import type { Adjustment, FieldMemory } from '../compat/fieldMemory.ts';
import { adjustmentFor } from '../compat/refusedField.ts';
import type { Endpoint } from '../endpoint.ts';
import {
  checkFields,
  type FieldChecks,
  integerFrom,
  invalidField,
  isFilledString,
  isString,
  matches,
} from '../fieldChecks.ts';
import type { OnWait, Transport } from '../request.ts';
import { type EachEmbedding, type Embeddings, isVector, readEmbeddings } from './embeddingAnswer.ts';
import { readEmbeddingBody } from './embeddingBody.ts';

export type { EachEmbedding, Embeddings, NoVector } from './embeddingAnswer.ts';

/** The optional fields of an embeddings request (service-api.md 2.9), and `dimensions`, which many services know. */
export interface EmbeddingFields {
  /** Default `float`. An answer in the other form is understood as well. */
  encoding_format?: 'float' | 'base64';
  user?: string;
  /** The length that vectors are to have. */
  dimensions?: number;
}

export interface EmbedOptions {
  fields?: EmbeddingFields;
  /** The memory of fields that a service refused. */
  memory?: FieldMemory;
  /** Called when a field was refused and the request is sent again. */
  onAdjusted?(adjustment: Adjustment): void;
  onWait?: OnWait;
}

/** The most texts of one request; no known service takes more. */
const mostInputs = 2048;

/**
 * Embeds texts in one request. `float` is asked for, as some services send zeros for base64. An optional field that the
 * service refuses by name is left out once, and from then on.
 * A text without a usable vector keeps those of the others back from nobody.
 * @throws ServiceError `invalid-request` before anything is sent; `malformed` for an answer that does not hold
 */
export async function embedEach(
  transport: Transport,
  endpoint: Endpoint,
  inputs: readonly string[],
  signal: AbortSignal,
  { fields = {}, memory, onAdjusted, onWait }: EmbedOptions = {},
): Promise<EachEmbedding> {
  checkRequest(endpoint.model, inputs, fields);
  const { baseUrl, model, apiKey } = endpoint;
  const optional = new Map<string, unknown>(Object.entries({ encoding_format: 'float', ...fields }));
  for (const { field } of memory?.adjustments(baseUrl, model) ?? []) optional.delete(field);
  const url = `${baseUrl}/embeddings`;
  const input = inputs.length === 1 ? inputs[0] : inputs;
  // A refusal is remembered only once the service took the rest: it may have refused something else.
  const learned: Adjustment[] = [];
  for (;;) {
    try {
      const body = JSON.stringify({ model, input, ...Object.fromEntries(optional) });
      const response = await transport.send({ method: 'POST', url, apiKey, body, onWait }, signal);
      const value = await readEmbeddingBody(response, apiKey?.reveal(), inputs.length);
      const answer = embeddingsSchema.safeParse(value);
      if (!answer.success) return failUnread(value, response, apiKey?.reveal(), 'no list of vectors');
      const dimensions = optional.has('dimensions') ? fields.dimensions : undefined;
      const embeddings = readEmbeddings(answer.data, inputs.length, dimensions, response.url);
      for (const adjustment of learned) memory?.add(baseUrl, model, adjustment);
      return embeddings;
    } catch (error) {
      const refused = adjustmentFor(error, Object.fromEntries(optional), []);
      if (refused === undefined) throw error;
      optional.delete(refused.field);
      learned.push(refused);
      onAdjusted?.(refused);
    }
  }
}

/** The same where each text needs its vector. @throws ServiceError as `embedEach`, and `malformed` where one has none */
export async function embed(...asked: Parameters<typeof embedEach>): Promise<Embeddings> {
  const { vectors: given, ...answer } = await embedEach(...asked);
  const vectors = given.map((vector, place) => {
    if (isVector(vector)) return vector;
    throw new ServiceError('malformed', { url: `${asked[1].baseUrl}/embeddings`, hint: `${vector.fault}: ${place}` });
  });
  return { ...answer, vectors };
}

const checks: FieldChecks = {
  model: isFilledString,
  encoding_format: matches(/^(float|base64)$/, 'float or base64'),
  user: isString,
  dimensions: integerFrom(1),
};

function checkRequest(model: string, inputs: readonly string[], fields: EmbeddingFields): void {
  checkFields({ model, ...fields }, checks, ['model']);
  if (!Array.isArray(inputs) || inputs.length === 0) throw invalidField('input', 'at least one text');
  if (inputs.length > mostInputs) throw invalidField('input', `at most ${mostInputs} texts`);
  const empty = inputs.findIndex((input) => typeof input !== 'string' || input === '');
  if (empty !== -1) throw invalidField(`input[${empty}]`, 'a text that is not empty');
}
