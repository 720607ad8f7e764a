import { basename, extname } from 'node:path';
import type { Endpoint } from './endpoint.ts';
import { isHtml } from './errorBody.ts';
import { ServiceError } from './errors.ts';
import { checkFields, type FieldChecks, isFilledString, isString, matches, numberFrom } from './fieldChecks.ts';
import type { Adjustment, FieldMemory } from './fieldMemory.ts';
import { failUnread, notJson, parseJson } from './json.ts';
import { adjustmentFor } from './refusedField.ts';
import { translationSchema } from './schemas.ts';
import { readText, type ServiceResponse, type Transport } from './transport.ts';

export type ResponseFormat = 'json' | 'verbose_json' | 'text';

/** A recording to translate, and how (service-api.md 2.7). */
export interface AudioUpload {
  path: string;
  /** MIME type of the bytes, e.g. `audio/mpeg`. */
  contentType: string;
  /** Name of the form field that carries the file; the service's document does not give it. */
  fileField: string;
  prompt: string;
  responseFormat: ResponseFormat;
  /** From 0 to 1. */
  temperature: number;
}

/** A piece of the text with its place in the recording, in seconds. */
export interface Segment {
  start: number;
  end: number;
  text: string;
}

export interface Translation {
  text: string;
  /** Present when the service gives times (`verbose_json`). */
  segments: Segment[] | undefined;
}

export interface TranslateOptions {
  /** Where what a service refused is remembered. */
  memory?: FieldMemory | undefined;
  /** Called when a field, or `response_format=verbose_json` and the like, was refused and the recording is sent again. */
  onAdjusted?(adjustment: Adjustment): void;
}

/** What is asked for when a service does not have the first. One that has none of them is not asked for any. */
const formatsFrom: Readonly<Record<ResponseFormat, readonly ResponseFormat[]>> = {
  verbose_json: ['verbose_json', 'json', 'text'],
  json: ['json', 'text'],
  text: ['text', 'json'],
};

const checks: FieldChecks = {
  model: isFilledString,
  path: isFilledString,
  contentType: isFilledString,
  fileField: isFilledString,
  prompt: isString,
  response_format: matches(/^(json|verbose_json|text)$/, 'json, verbose_json or text'),
  temperature: numberFrom(0, 1),
};

/** The largest text that is read: days of speech. */
const bodyLimit = 64 * 1024 * 1024;

/**
 * Translates a recording into English text. The file is read from the disk while it is sent. A response format or another
 * optional field that the service refuses by name is not sent again, neither now nor later.
 * @throws ServiceError `invalid-request` before anything is sent
 */
export async function translateAudio(
  transport: Transport,
  endpoint: Endpoint,
  upload: AudioUpload,
  signal: AbortSignal,
  { memory, onAdjusted }: TranslateOptions = {},
): Promise<Translation> {
  const { baseUrl, model, apiKey } = endpoint;
  const { path, contentType, fileField, prompt, responseFormat, temperature } = upload;
  const given = { model, path, contentType, fileField, prompt, response_format: responseFormat, temperature };
  checkFields(given, checks, Object.keys(checks));
  const refused = new Set(memory?.adjustments(baseUrl, model).map(({ field }) => field));
  for (;;) {
    const format = formatsFrom[responseFormat].find((each) => !refused.has(`response_format=${each}`));
    const optional = Object.entries({ prompt: prompt || undefined, response_format: format, temperature }).filter(
      ([name, value]) => value !== undefined && !refused.has(name),
    );
    const fields = [['model', model] as const, ...optional.map(([name, value]) => [name, String(value)] as const)];
    const file = { field: fileField, path, contentType, name: uploadName(path, contentType) };
    try {
      const url = `${baseUrl}/audio/translations`;
      const accept = 'application/json, text/plain';
      const response = await transport.send({ method: 'POST', url, apiKey, body: { fields, file }, accept }, signal);
      return await readTranslation(response, apiKey?.reveal());
    } catch (error) {
      const field =
        format !== undefined && isAboutFormat(error)
          ? `response_format=${format}`
          : adjustmentFor(error, Object.fromEntries(optional), [])?.field;
      if (field === undefined) throw explain(error, model);
      refused.add(field);
      memory?.add(baseUrl, model, { field });
      onAdjusted?.({ field });
    }
  }
}

function isAboutFormat(error: unknown): boolean {
  if (!(error instanceof ServiceError) || (error.status !== 400 && error.status !== 422)) return false;
  return error.param?.includes('response_format') || /response_format|verbose_json/.test(error.message);
}

/** Small and fast models of the kind only transcribe, and say so in many ways. */
function explain(error: unknown, model: string): unknown {
  if (!(error instanceof ServiceError) || !/turbo|distil/i.test(model)) return error;
  const isAboutTask = error.kind === 'bad-request' && /translat|task/i.test(error.message);
  if (error.kind !== 'model-not-found' && !isAboutTask) return error;
  return new ServiceError('model-not-found', { ...error.toJSON(), hint: 'transcribes-only' });
}

/** Services send text for JSON and the other way round, and name it wrongly: the body tells. */
async function readTranslation(response: ServiceResponse, key: string | undefined): Promise<Translation> {
  const body = await readText(response.body, bodyLimit);
  const isJson = response.headers['content-type']?.includes('json') ?? false;
  if (/^\s*[{["]/.test(body)) {
    try {
      return fromJson(parseJson(body, response, key), response, key);
    } catch (error) {
      // A sentence may begin like this, too.
      if (isJson || !(error instanceof ServiceError) || error.hint !== notJson) throw error;
    }
  }
  // Noise, or nothing, in the place of JSON is no translation.
  if (isHtml(body) || (isJson && !/^(\s|[^\p{Cc}\ufffd])+$/u.test(body))) parseJson(body, response, key);
  return { text: body.trim(), segments: undefined };
}

function fromJson(value: unknown, response: ServiceResponse, key: string | undefined): Translation {
  if (typeof value === 'string') return { text: value.trim(), segments: undefined };
  const answer = translationSchema.safeParse(value);
  if (!answer.success) return failUnread(value, response, key, 'no text');
  const { text, segments } = answer.data;
  return {
    text: text.trim(),
    segments: segments?.map((part) => ({ start: part.start, end: part.end, text: part.text.trim() })),
  };
}

/** File name endings that services take for each kind of bytes; the first is for a file whose name has another. */
const endings: Readonly<Record<string, readonly string[]>> = {
  'audio/flac': ['flac'],
  'audio/wav': ['wav'],
  'audio/ogg': ['ogg'],
  'audio/webm': ['webm'],
  'audio/mp4': ['m4a', 'mp4'],
  'audio/mpeg': ['mp3', 'mpga', 'mpeg'],
  'video/mpeg': ['mpeg', 'mpga', 'mp3'],
};

/** The file's name, with an ending that fits its bytes: services judge a recording by it. */
function uploadName(path: string, contentType: string): string {
  const name = basename(path);
  const fitting = endings[contentType];
  const ending = extname(name).slice(1).toLowerCase();
  return fitting === undefined || fitting.includes(ending)
    ? name
    : `${name.replace(/\.[a-z0-9]{1,5}$/i, '')}.${fitting[0]}`;
}
