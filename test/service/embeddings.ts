import { embedText } from './features.ts';
import { aFilledString, aString, checkFields, either, type Fields, integer, type Json, oneOf } from './fields.ts';
import type { Exchange } from './options.ts';
import { badField, Refusal, sendJson } from './replies.ts';
import { countTokens } from './tokens.ts';

const FIELDS: Fields = {
  input: either(aString, (v) => (Array.isArray(v) ? undefined : 'an array of strings')),
  model: aFilledString,
  encoding_format: oneOf('float', 'base64'),
  user: aString,
  // Not in the document; common enough to be accepted.
  dimensions: integer(1, 4096),
};
const MAX_INPUTS = 2048;
const DEFAULT_DIMENSIONS = 256;

/** Sections 2.9 and 2.10, with the faults that only embeddings can have. */
export function answerEmbeddings(exchange: Exchange, request: Json): void {
  const inputs = readInputs(request);
  const { fault } = exchange;
  const most = Number(/^embeddings-batch-(\d+)$/.exec(fault ?? '')?.[1] ?? MAX_INPUTS);
  if (inputs.length > most) {
    throw badField('input', `Too many inputs: at most ${most} per request.`, 'batch_too_large');
  }
  // One text makes the model give no numbers, which the server then cannot write as JSON.
  if (fault === 'embeddings-nan-text' && inputs.some((input) => String(input).includes('nan text'))) {
    throw new Refusal(500, 'failed to encode response: json: unsupported value: NaN');
  }
  const asked = typeof request.dimensions === 'number' ? request.dimensions : DEFAULT_DIMENSIONS;
  const dimensions = fault === 'embeddings-longer' ? asked * 2 : asked;
  let data = inputs.map((input, index) => {
    const vector = fault === 'embeddings-zero' ? new Float32Array(dimensions) : embedText(input, dimensions);
    // JSON has no such number: `null` stands for it.
    if (fault === 'embeddings-nan') vector.fill(Number.NaN);
    const embedding = request.encoding_format === 'base64' ? encodeBase64(vector) : [...vector];
    return { object: 'embedding', index, embedding };
  });
  // Half a turn: no vector stands where its input stood, and `index` alone tells which is whose.
  if (fault === 'embeddings-shuffled') {
    const half = Math.ceil(data.length / 2);
    data = [...data.slice(half), ...data.slice(0, half)];
  }
  if (fault === 'embeddings-short') data = data.slice(0, -1);
  const tokens = inputs.reduce((sum, input) => sum + countTokens(input), 0);
  const usage = { prompt_tokens: tokens, total_tokens: tokens };
  sendJson(exchange, 200, { object: 'list', model: request.model, data, usage });
}

function readInputs(request: Json): string[] {
  checkFields(request, FIELDS, ['input', 'model']);
  const list: unknown[] = Array.isArray(request.input) ? request.input : [request.input];
  if (list.length === 0) throw badField('input', "Field 'input' must not be an empty array.");
  if (list.length > MAX_INPUTS) throw badField('input', `Field 'input' has more than ${MAX_INPUTS} strings.`);
  return list.map((item, index) => {
    const at = Array.isArray(request.input) ? `input[${index}]` : 'input';
    if (typeof item !== 'string') throw badField(at, `Field '${at}' must be a string.`, 'invalid_type');
    if (item === '') throw badField(at, `Field '${at}' must not be an empty string.`);
    return item;
  });
}

/** Little-endian float32 whatever the machine. */
function encodeBase64(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * 4);
  vector.forEach((value, index) => {
    bytes.writeFloatLE(value, index * 4);
  });
  return bytes.toString('base64');
}
