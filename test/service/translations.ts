import { existsSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { type Part, parseMultipart } from './multipart.ts';
import type { Exchange, KnownTranslation } from './options.ts';
import { badField, Refusal, sendJson, sendText } from './replies.ts';
import { answerAsWhisperCpp } from './whisperCpp.ts';

const FIELDS = ['model', 'prompt', 'response_format', 'temperature'];
const FORMATS = ['json', 'verbose_json', 'text'];
const EXTENSIONS = ['.flac', '.mp3', '.mp4', '.mpeg', '.mpga', '.m4a', '.ogg', '.wav', '.webm'];

/** Puts the parts into the record; the model tells which fault is asked for. */
export function readTranslationForm(exchange: Exchange): Part[] {
  const parts = parseMultipart(exchange.request.headers['content-type'], exchange.body);
  exchange.record.parts = parts.map(({ content: _, ...part }) => part);
  return parts;
}

/** Sections 2.7 and 2.8. */
export function answerTranslation(exchange: Exchange, parts: Part[]): void {
  const known = findKnown(exchange, parts);
  if (exchange.settings.audioServer === 'whisper.cpp') {
    answerAsWhisperCpp(exchange, parts, known);
    return;
  }
  const format = parts.find((part) => part.name === 'response_format')?.value ?? 'json';
  if (format === 'text') sendText(exchange, 200, 'text/plain; charset=utf-8', `${known.text}\n`);
  else if (format === 'verbose_json') sendJson(exchange, 200, describeVerbosely(known, fileOf(parts).length));
  else sendJson(exchange, 200, { text: known.text });
}

/** What is known of the recording of a form. @param more fields that the form may have besides */
export function findKnown(
  { settings: { audioServer, fileField, maxUploadBytes, translations } }: Exchange,
  parts: Part[],
  more: readonly string[] = [],
): KnownTranslation {
  const file = audioServer === 'openai' ? checkParts(parts, fileField, more) : fileOf(parts);
  if (file.length > maxUploadBytes) {
    throw new Refusal(413, `The file has ${file.length} bytes; the limit is ${maxUploadBytes}.`, {
      param: fileField,
      code: 'request_too_large',
    });
  }
  return (
    translations.get(file.sha256) ?? {
      text: `An unknown recording named ${file.filename}, ${file.length} bytes, SHA-256 ${file.sha256.slice(0, 8)}.`,
    }
  );
}

/** What a server takes that reads the fields it knows and no others. */
function fileOf(parts: Part[]): Part {
  const file = parts.find((part) => part.filename !== undefined);
  if (file === undefined) throw badField('file', "no 'file' field in the request");
  return file;
}

function checkParts(parts: Part[], fileField: string, more: readonly string[]): Part {
  for (const part of parts) {
    if (part.filename === undefined) checkField(part, fileField, more);
    else if (part.name !== fileField) throw badField(part.name, `The file must be in the field '${fileField}'.`);
    if (!part.name.endsWith('[]') && parts.filter((other) => other.name === part.name).length > 1) {
      throw badField(part.name, `Field '${part.name}' is there more than once.`);
    }
  }
  const missing = ['model', fileField].find((name) => !parts.some((part) => part.name === name));
  if (missing) throw badField(missing, `Missing required field '${missing}'.`, 'missing_required_parameter');
  const file = parts.at(-1);
  if (file?.name !== fileField) throw badField(fileField, `The field '${fileField}' must be the last one.`);
  if (file.length === 0) throw badField(fileField, 'The audio file is empty.', 'empty_file');
  if (!EXTENSIONS.includes(extname(file.filename ?? '').toLowerCase())) {
    throw badField(fileField, `Unknown kind of audio: '${file.filename}'.`, 'unsupported_file');
  }
  return file;
}

function checkField(part: Part, fileField: string, more: readonly string[]): void {
  const { name, value = '' } = part;
  if (name === fileField) throw badField(name, `Field '${name}' must be a file with a filename.`, 'invalid_type');
  if (!FIELDS.includes(name) && !more.includes(name))
    throw badField(name, `Unknown field '${name}'.`, 'unknown_parameter');
  if (name === 'model' && value.trim() === '') throw badField(name, "Field 'model' must not be empty.");
  if (name === 'response_format' && !FORMATS.includes(value)) {
    throw badField(name, `Field 'response_format' must be one of ${FORMATS.join(', ')}.`);
  }
  if (name === 'temperature' && !(/^\d+(?:\.\d+)?$/.test(value) && Number(value) <= 1)) {
    throw badField(name, "Field 'temperature' must be a number from 0 to 1.", 'invalid_type');
  }
}

/** The members other services of this shape give; the document itself only knows `text`. */
export function describeVerbosely(known: KnownTranslation, bytes: number) {
  // 16 kHz, 16 bit, one channel: a guess, for recordings that nobody has put into the table.
  const duration = known.segments?.at(-1)?.end ?? Math.round(bytes / 320) / 100;
  const segments = known.segments ?? [{ start: 0, end: duration, text: known.text }];
  return {
    task: 'translate',
    language: 'english',
    duration,
    text: known.text,
    segments: segments.map((segment, id) => ({
      id,
      seek: 0,
      ...segment,
      tokens: [],
      temperature: 0,
      avg_logprob: -0.2,
      compression_ratio: 1.2,
      no_speech_prob: 0.01,
    })),
  };
}

/** Reads the table of known recordings: an array of {file, sha256, text, segments}. No file, no entries. */
export function loadTranslations(path: string | undefined): Map<string, KnownTranslation> {
  if (path === undefined || !existsSync(path)) return new Map();
  const entries = JSON.parse(readFileSync(path, 'utf8')) as (KnownTranslation & { sha256: string })[];
  return new Map(entries.map(({ sha256, ...known }) => [sha256, known]));
}
