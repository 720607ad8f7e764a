import type { Endpoint } from './endpoint.ts';
import { ServiceError } from './errors.ts';
import { readJson } from './json.ts';
import { translationSchema } from './schemas.ts';
import { readText, type Transport, type Upload } from './transport.ts';

/** A recording to translate, and how (service-api.md 2.7). */
export interface AudioUpload {
  path: string;
  /** MIME type of the bytes, e.g. `audio/mpeg`. */
  contentType: string;
  /** Name of the form field that carries the file; the service's document does not give it. */
  fileField: string;
  prompt: string;
  responseFormat: 'json' | 'verbose_json' | 'text';
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

/** Translates a recording into English text. The file is read from the disk while it is sent. */
export async function translateAudio(
  transport: Transport,
  endpoint: Endpoint,
  upload: AudioUpload,
  signal: AbortSignal,
): Promise<Translation> {
  const response = await transport.send(
    {
      method: 'POST',
      url: `${endpoint.baseUrl}/audio/translations`,
      apiKey: endpoint.apiKey,
      body: createForm(upload, endpoint.model),
      accept: 'application/json, text/plain',
    },
    signal,
  );
  // Asked for text, or a server that answers with text whatever it was asked for.
  if (!response.headers['content-type']?.includes('json')) {
    const text = await readText(response.body, 64 * 1024 * 1024);
    if (!text.trimStart().startsWith('{')) return fromText(text, response.url);
    return fromJson(parseJson(text), response.url);
  }
  return fromJson(await readJson(response, endpoint.apiKey?.reveal()), response.url);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fromText(text: string, url: string): Translation {
  if (text.trimStart().startsWith('<')) throw new ServiceError('login-page', { url });
  return { text: text.trim(), segments: undefined };
}

function fromJson(value: unknown, url: string): Translation {
  const answer = translationSchema.safeParse(value);
  if (!answer.success) throw new ServiceError('malformed', { url });
  const { text, segments } = answer.data;
  return {
    text: text.trim(),
    segments: segments?.map((part) => ({ start: part.start, end: part.end, text: part.text.trim() })),
  };
}

function createForm(upload: AudioUpload, model: string): Upload {
  const { prompt, responseFormat, temperature, fileField, path, contentType } = upload;
  return {
    fields: [
      ['model', model],
      ...(prompt === '' ? [] : ([['prompt', prompt]] as const)),
      ['response_format', responseFormat],
      ['temperature', String(temperature)],
    ],
    file: { field: fileField, path, contentType },
  };
}
