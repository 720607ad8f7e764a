import { readCharset } from '../../base/encoding/charset.ts';
import { ServiceError } from '../../base/errors.ts';
import { isPlainObject } from '../../base/jsonText.ts';
import type { JsonBounds } from '../answers/jsonBuilder.ts';
import { createJsonBody, failUnread, notJson, tooLarge } from '../answers/readAnswer.ts';
import { isHtml } from '../errors/htmlPage.ts';
import type { ServiceResponse } from '../request.ts';
import { type AudioTask, spokenLanguage, type Untranslated, untranslatedBy } from './audioServers.ts';
import { giveWords, segmentsOfWords, withPlacedWords } from './giveWords.ts';
import { isNoSpeech } from './noSpeech.ts';
import { readSegments, type Segment } from './segments.ts';
import { readWords } from './wordTimes.ts';

/** The text of a recording: in English, or for the task `transcribe` in the language that is spoken. */
export interface Translation {
  text: string;
  /** Present when the service gives times (`verbose_json`). */
  segments: Segment[] | undefined;
  /** Present when the service says that the text is not a translation. */
  untranslated?: Untranslated;
  /** The language of a text that was transcribed, where the service says it: `de`, or `german`. */
  language?: string;
  /** Present when it was to be transcribed, and the service says that it is a translation. */
  isTranslated?: true;
}

/** Members that are of no use. */
const unused = ['tokens', 'id', 'seek', 'temperature'];
/** Bounds for a day of speech, with the times and measures of its segments; most other members are not kept. */
const bounds: JsonBounds = {
  text: 24 * 1024 * 1024,
  weight: 44 * 1024 * 1024,
  without: new Set([...unused, 'words']),
};
/** The same with the times of its words. */
const wordBounds: JsonBounds = {
  text: 64 * 1024 * 1024,
  weight: 160 * 1024 * 1024,
  without: new Set([...unused, 'probability', 'score', 'confidence', 'speaker']),
};
/** The longest answer without times, in characters: weeks of speech. */
const longestText = 8 * 1024 * 1024;
/** Length, in characters, from which an unbroken JSON text is taken to be JSON: its text is no longer kept. */
const sureLength = 256 * 1024;
/** Characters that are looked at to tell noise. */
const noiseLength = 64 * 1024;

/** An answer, with the JSON it stood in. */
export interface AudioAnswer {
  translation: Translation;
  value?: unknown;
}

/**
 * Reads a translation as it arrives. Services send text for JSON and the other way round, and name it wrongly: the body
 * tells.
 * @throws ServiceError
 */
export async function readTranslation(
  response: ServiceResponse,
  key: string | undefined,
  task: AudioTask = 'translate',
): Promise<AudioAnswer> {
  const limits = task === 'transcribe' ? wordBounds : bounds;
  const isJson = response.headers['content-type']?.includes('json') ?? false;
  const decoder = new TextDecoder(readCharset(response.headers['content-type']));
  const json = createJsonBody(response, key, limits);
  let pieces: string[] = [];
  let length = 0;
  let isObject: boolean | undefined;
  let goesOn = true;
  const take = (text: string): void => {
    length += text.length;
    goesOn = json.take(text) && goesOn;
    isObject ??= text.trim() === '' ? undefined : text.trimStart().startsWith('{');
    if (isObject && goesOn && length > sureLength) pieces = [];
    else pieces.push(text);
  };
  for await (const bytes of response.body) {
    take(decoder.decode(bytes, { stream: true }));
    if (length > (isObject && goesOn ? limits.text : longestText)) {
      throw new ServiceError('malformed', { url: response.url, hint: tooLarge });
    }
  }
  take(decoder.decode());
  const body = pieces.join('').trim();
  if (isObject || /^[["]/.test(body)) {
    try {
      const value = json.end();
      return { translation: await fromJson(value, response, key, task), value };
    } catch (error) {
      // A sentence of plain text may begin like JSON.
      if (isJson || !(error instanceof ServiceError) || error.hint !== notJson) throw error;
    }
  }
  // A body of noise, or an empty one, in the place of JSON is no translation.
  const isNoise = body === '' || /(?!\s)[\p{Cc}\ufffd]/u.test(body.slice(0, noiseLength));
  if (isHtml(body) || (isJson && isNoise)) json.end();
  return { translation: { text: body, segments: undefined } };
}

async function fromJson(
  value: unknown,
  response: ServiceResponse,
  key: string | undefined,
  task: AudioTask,
): Promise<Translation> {
  if (typeof value === 'string') return { text: value.trim(), segments: undefined };
  if (!isPlainObject(value) || typeof value['text'] !== 'string') return failUnread(value, response, key, 'no text');
  const text = value['text'].trim();
  const segments = Array.isArray(value['segments']) ? await readSegments(value['segments'], response.url) : undefined;
  if (task === 'transcribe') return transcribed(value, text, segments);
  // What has no words needs no translation.
  const untranslated = isNoSpeech(text) ? undefined : untranslatedBy(textOf(value['task']), textOf(value['language']));
  return { text, segments, ...(untranslated === undefined ? {} : { untranslated }) };
}

/** A text in the language that is spoken, with the times of its words, which stand in the segments or beside them. */
async function transcribed(
  value: Readonly<Record<string, unknown>>,
  text: string,
  segments: Segment[] | undefined,
): Promise<Translation> {
  const language = spokenLanguage(value['detected_language']) ?? spokenLanguage(value['language']);
  const isTranslated = isTranslation(value) && !isNoSpeech(text);
  return {
    text,
    segments: await withWords(text, segments, value['words']),
    ...(language === undefined ? {} : { language }),
    ...(isTranslated ? { isTranslated } : {}),
  };
}

async function withWords(
  text: string,
  segments: readonly Segment[] | undefined,
  beside: unknown,
): Promise<Segment[] | undefined> {
  if (segments?.some(({ words }) => words !== undefined)) return segments.map(withPlacedWords);
  const words = readWords(beside);
  if (segments !== undefined && segments.length > 0) return giveWords(segments, words);
  return words.length === 0 ? segments && [...segments] : segmentsOfWords(text, words);
}

/** Whether an answer says that it is a translation. */
export function isTranslation(value: unknown): boolean {
  return isPlainObject(value) && /^translat/i.test(textOf(value['task'])?.trim() ?? '');
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
