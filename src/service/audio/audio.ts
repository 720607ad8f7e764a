import { basename, extname } from 'node:path';
import { ServiceError } from '../../base/errors.ts';
import { isPlainObject } from '../../base/jsonText.ts';
import type { Adjustment, FieldMemory } from '../compat/fieldMemory.ts';
import { adjustmentFor } from '../compat/refusedField.ts';
import type { Endpoint } from '../endpoint.ts';
import {
  checkFields,
  type FieldChecks,
  invalidField,
  isFilledString,
  isString,
  matches,
  numberFrom,
} from '../fieldChecks.ts';
import type { OnWait, Transport } from '../request.ts';
import { isTranslation, readTranslation, type Translation } from './audioAnswer.ts';
import { type AudioTask, audioServerNamed, audioServerOf } from './audioServers.ts';
import { isNoSpeech } from './noSpeech.ts';

export type { OnWait } from '../request.ts';
export type { Translation } from './audioAnswer.ts';
export type { AudioTask, Untranslated } from './audioServers.ts';
export { gapBetween, joinTexts, unspacedScripts } from './joinTexts.ts';
export { isNoSpeech, withoutSounds } from './noSpeech.ts';
export { hasTranscriptions } from './probeTranscriptions.ts';
export type { Segment } from './segments.ts';
export { type PlacedTime, placeWords, type SpokenTime } from './wordTimes.ts';

export type ResponseFormat = 'json' | 'verbose_json' | 'text';

/** A recording to translate or to transcribe, and how (service-api.md 2.7). */
export interface AudioUpload {
  /** `translate` where it is absent. */
  task?: AudioTask | undefined;
  /** The language that is spoken, in ISO 639-1; absent where the service is to find out. Goes with `transcribe` alone. */
  language?: string | undefined;
  path: string;
  /** MIME type of the bytes, e.g. `audio/mpeg`. */
  contentType: string;
  /** Name of the form field that carries the file; the service's document does not give it. */
  fileField: string;
  prompt: string;
  responseFormat: ResponseFormat;
  /** Sampling temperature, from 0 to 1. */
  temperature: number;
  /**
   * Form fields the document does not know, sent as they are (`parley.audio.extraFields`). They come before what a server
   * is known to need; an empty value leaves a field out. What has a service translate does not go with `transcribe`.
   */
  extraFields?: Readonly<Record<string, string>>;
}

export interface TranslateOptions {
  /** The memory of what a service refused. */
  memory?: FieldMemory | undefined;
  /** Called as the recording goes out, as `Upload.onSent` is. */
  onSent?: ((sent: number, size: number) => void) | undefined;
  onWait?: OnWait | undefined;
  /** Called when a field, or `response_format=verbose_json` and the like, was refused and the recording is sent again. */
  onAdjusted?(adjustment: Adjustment): void;
}

/** Formats to ask for in turn, where a service refuses the one before. A service that refuses all gets no such field. */
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

/**
 * Translates a recording into English text, or transcribes it in the language that is spoken. The file is read from the disk while it is sent. A response format or another
 * optional field that the service refuses by name is not sent again, neither now nor later. A server that turns out to be
 * one that has to be told what to do is told so, now and from then on.
 * @throws ServiceError `invalid-request` before anything is sent
 */
export async function translateAudio(
  transport: Transport,
  endpoint: Endpoint,
  upload: AudioUpload,
  signal: AbortSignal,
  { memory, onAdjusted, onSent, onWait }: TranslateOptions = {},
): Promise<Translation> {
  const { baseUrl, model, apiKey } = endpoint;
  const { task = 'translate', path, contentType, fileField, prompt, responseFormat, temperature } = upload;
  const given = { model, path, contentType, fileField, prompt, response_format: responseFormat, temperature };
  checkFields(given, checks, Object.keys(checks));
  checkExtraFields(upload);
  const refused = new Set(memory?.adjustments(baseUrl, model).map(({ field }) => field));
  // A refusal is remembered only once the service took the rest: it may have refused something else.
  const learned: Adjustment[] = [];
  let server = audioServerNamed(memory?.audioServer(baseUrl, model));
  for (;;) {
    const format = formatsFrom[responseFormat].find((each) => !refused.has(`response_format=${each}`));
    const own = { ...transcriptionFields(upload, format), response_format: format, temperature };
    const given = { ...server?.fields[task], ...extraFieldsFor(upload), prompt: prompt || undefined, ...own };
    const optional = Object.entries(given).filter(
      ([name, value]) => value !== undefined && value !== '' && !refused.has(name),
    );
    const fields = [['model', model] as const, ...optional.flatMap(([name, value]) => fieldsOf(name, value))];
    const file = { field: fileField, path, contentType, name: uploadName(path, contentType) };
    try {
      const url = `${baseUrl}/audio/${paths[task]}`;
      const accept = 'application/json, text/plain';
      const response = await transport.send(
        { method: 'POST', url, apiKey, body: { fields, file, onSent }, accept, onWait },
        signal,
      );
      const { translation, value } = await readTranslation(response, apiKey?.reveal(), task);
      for (const adjustment of learned.splice(0)) memory?.add(baseUrl, model, adjustment);
      const found = audioServerOf(response.headers['server'], value);
      if (found === undefined || found === server) return translation;
      memory?.setAudioServer(baseUrl, model, found.name);
      // The tone of a test, or silence, is not worth a second try.
      if (isNoSpeech(translation.text) || (task === 'translate' && isTranslation(value))) return translation;
      if (isToldEnough(found.fields[task], { ...extraFieldsFor(upload), ...own }, refused)) return translation;
      server = found;
    } catch (error) {
      const field =
        format !== undefined && isAboutFormat(error)
          ? `response_format=${format}`
          : (adjustmentFor(error, Object.fromEntries(optional), [])?.field ?? refusedWords(error, optional));
      if (field === undefined) throw asTooLarge(explain(error, model));
      refused.add(field);
      learned.push({ field });
      onAdjusted?.({ field });
    }
  }
}

const paths: Readonly<Record<AudioTask, string>> = { translate: 'translations', transcribe: 'transcriptions' };

/** The name of the field that asks for times, and the times that are asked for. */
const granularities = 'timestamp_granularities[]';
const wanted = ['segment', 'word'];

/** What goes with `transcribe` alone. Times of words come with `verbose_json` only. */
function transcriptionFields(
  { task, language }: AudioUpload,
  format: ResponseFormat | undefined,
): Readonly<Record<string, string | readonly string[]>> {
  if (task !== 'transcribe') return {};
  return {
    ...(language === undefined ? {} : { language }),
    ...(format === 'verbose_json' ? { [granularities]: wanted } : {}),
  };
}

/** The user's own fields, but for those by which a service is told to translate, where it is not to. */
function extraFieldsFor({ task, extraFields = {} }: AudioUpload): Readonly<Record<string, string>> {
  if (task !== 'transcribe') return extraFields;
  return Object.fromEntries(Object.entries(extraFields).filter(([name]) => name !== 'task' && name !== 'translate'));
}

/** A list is sent as a field for each of its values. */
function fieldsOf(name: string, value: unknown): (readonly [name: string, value: string])[] {
  return (Array.isArray(value) ? value : [value]).map((each) => [name, String(each)] as const);
}

/** The field that asks for times, where a service objects to it by a name without brackets, or to one of its values. */
function refusedWords(error: unknown, sent: readonly (readonly [string, unknown])[]): string | undefined {
  if (!(error instanceof ServiceError) || (error.status !== 400 && error.status !== 422)) return undefined;
  const isSent = sent.some(([name]) => name === granularities);
  return isSent && /timestamp_granularit/i.test(`${error.param ?? ''} ${error.message}`) ? granularities : undefined;
}

/** Extra fields may not repeat a field of the form: most servers would take the second, and some none. */
function checkExtraFields({ extraFields = {}, fileField }: AudioUpload): void {
  const setting = 'parley.audio.extraFields';
  if (!isPlainObject(extraFields)) throw invalidField(setting, 'an object');
  for (const [name, value] of Object.entries(extraFields)) {
    const own = ['model', 'prompt', 'response_format', 'temperature', fileField];
    if (own.includes(name)) throw invalidField(`${setting}.${name}`, 'no value: Parley sets this field');
    if (!/^[\w.[\]-]{1,64}$/.test(name)) throw invalidField(setting, 'names of letters, digits, and . _ - [ ]');
    if (typeof value !== 'string') throw invalidField(`${setting}.${name}`, 'text');
  }
}

/** Whether a retry would bring nothing: what the server needs was sent by the user's wish, or it refused that. */
function isToldEnough(
  fields: Readonly<Record<string, string>>,
  sent: Readonly<Record<string, unknown>>,
  refused: ReadonlySet<string>,
): boolean {
  const names = Object.keys(fields);
  return names.some((name) => Object.hasOwn(sent, name)) || names.every((name) => refused.has(name));
}

function isAboutFormat(error: unknown): boolean {
  if (!(error instanceof ServiceError) || (error.status !== 400 && error.status !== 422)) return false;
  return error.param?.includes('response_format') || /response_format|verbose_json/.test(error.message);
}

/** Marks the refusals of models that only transcribe: small and fast Whisper models do, and say so in many ways. */
function explain(error: unknown, model: string): unknown {
  if (!(error instanceof ServiceError) || !/turbo|distil/i.test(model)) return error;
  const isAboutTask = error.kind === 'bad-request' && /translat|task/i.test(error.message);
  if (error.kind !== 'model-not-found' && !isAboutTask) return error;
  return new ServiceError('model-not-found', { ...error.toJSON(), hint: 'transcribes-only' });
}

/** Words for a recording that is too large, or too long; not its name. */
const tooLargeWords =
  /\b(?:files?|audio|uploads?|recording|media|payload|content|body|entity)\b(?![ _-]?(?:name|path|type|format))[^.]{0,80}\b(?:too (?:large|big|long)|exceed|(?:larger|bigger|longer) than)|\b(?:max(?:imum)?|exceed(?:s|ed)?)\b[^.]{0,40}\b(?:file|upload|content|audio|request|body)[ _-]?(?:size|length|duration)/i;

/** A refusal of the recording for its size, however the service says it: it can be cut. */
function asTooLarge(error: unknown): unknown {
  if (!(error instanceof ServiceError) || (error.kind !== 'bad-request' && error.kind !== 'context-length'))
    return error;
  if (error.status !== 413 && !tooLargeWords.test(error.message)) return error;
  return new ServiceError('too-large', error.toJSON());
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
