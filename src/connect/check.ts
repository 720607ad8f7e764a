import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServiceError } from '../base/errors.ts';
import { fileMode } from '../base/privateFiles.ts';
import type { ServiceClient } from '../service/client.ts';
import type { Endpoint } from '../service/endpoint.ts';
import type { Purpose } from '../service/models/models.ts';
import { createTone } from './tone.ts';

/** Findings of a test call beside the fact that it was answered. */
export interface Findings {
  /** Chat: whether the answer came piece by piece; absent when it was not asked to. */
  streamed?: boolean;
  /** Embeddings: the length of a vector. */
  dimensions?: number;
}

/** The outcome of one test call. */
export interface Check extends Findings {
  purpose: Purpose;
  /** The address that was called. */
  url: string;
  milliseconds: number;
  /** Absent when the service answered as it should. */
  error?: ServiceError;
}

export interface CheckOptions {
  client: ServiceClient;
  stream: boolean;
  /** Name of the form field that carries a recording. */
  fileField: string;
  /** Form fields that go with a recording. */
  extraFields?: Readonly<Record<string, string>>;
  now: () => number;
}

const paths: Record<Purpose, string> = {
  chat: 'chat/completions',
  embeddings: 'embeddings',
  audio: 'audio/translations',
};

/**
 * Makes the smallest real call for a purpose: a completion of a few tokens, the embedding of one word, the translation of
 * a second of tone. Listing the models would cost nothing but prove little: many services list them without a key.
 */
export async function checkEndpoint(
  purpose: Purpose,
  endpoint: Endpoint,
  options: CheckOptions,
  signal: AbortSignal,
): Promise<Check> {
  const url = `${endpoint.baseUrl}/${paths[purpose]}`;
  const started = options.now();
  const calls = { chat: askBriefly, embeddings: embedWord, audio: translateTone };
  try {
    const findings = await calls[purpose](endpoint, options, signal);
    return { purpose, url, milliseconds: options.now() - started, ...findings };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { purpose, url, milliseconds: options.now() - started, error };
  }
}

async function askBriefly(
  endpoint: Endpoint,
  { client, stream }: CheckOptions,
  signal: AbortSignal,
): Promise<Findings> {
  let streamed = false;
  const messages = [{ role: 'user' as const, content: 'Hi' }];
  const onAnswer = (isStreamed: boolean): void => {
    streamed = isStreamed;
  };
  for await (const _event of client.chat(endpoint, { messages, stream, fields: { max_tokens: 8 }, onAnswer }, signal)) {
    // Only the outcome counts.
  }
  return stream ? { streamed } : {};
}

async function embedWord(endpoint: Endpoint, { client }: CheckOptions, signal: AbortSignal): Promise<Findings> {
  const { vectors } = await client.embed(endpoint, ['test'], signal);
  return { dimensions: vectors[0]?.length ?? 0 };
}

async function translateTone(
  endpoint: Endpoint,
  { client, fileField, extraFields = {} }: CheckOptions,
  signal: AbortSignal,
): Promise<Findings> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-tone-'));
  try {
    const path = join(folder, 'tone.wav');
    await writeFile(path, createTone(), { mode: fileMode });
    const upload = { path, contentType: 'audio/wav', fileField, extraFields, prompt: '', temperature: 0 };
    await client.translate(endpoint, { ...upload, responseFormat: 'json' }, signal);
    return {};
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
