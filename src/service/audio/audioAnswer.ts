import { readCharset } from '../../base/encoding/charset.ts';
import { ServiceError } from '../../base/errors.ts';
import { isPlainObject } from '../../base/jsonText.ts';
import type { JsonBounds } from '../answers/jsonBuilder.ts';
import { createJsonBody, failUnread, notJson, tooLarge } from '../answers/readAnswer.ts';
import { isHtml } from '../errors/htmlPage.ts';
import type { ServiceResponse } from '../request.ts';
import { type Untranslated, untranslatedBy } from './audioServers.ts';
import { isNoSpeech } from './noSpeech.ts';
import { readSegments, type Segment } from './segments.ts';

export interface Translation {
  text: string;
  /** Present when the service gives times (`verbose_json`). */
  segments: Segment[] | undefined;
  /** Present when the service says that the text is not a translation. */
  untranslated?: Untranslated;
}

/** Bounds for a day of speech, with the times and measures of its segments; most other members are not kept. */
const bounds: JsonBounds = {
  text: 24 * 1024 * 1024,
  weight: 44 * 1024 * 1024,
  without: new Set(['tokens', 'words', 'id', 'seek', 'temperature']),
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
export async function readTranslation(response: ServiceResponse, key: string | undefined): Promise<AudioAnswer> {
  const isJson = response.headers['content-type']?.includes('json') ?? false;
  const decoder = new TextDecoder(readCharset(response.headers['content-type']));
  const json = createJsonBody(response, key, bounds);
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
    if (length > (isObject && goesOn ? bounds.text : longestText)) {
      throw new ServiceError('malformed', { url: response.url, hint: tooLarge });
    }
  }
  take(decoder.decode());
  const body = pieces.join('').trim();
  if (isObject || /^[["]/.test(body)) {
    try {
      const value = json.end();
      return { translation: await fromJson(value, response, key), value };
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

async function fromJson(value: unknown, response: ServiceResponse, key: string | undefined): Promise<Translation> {
  if (typeof value === 'string') return { text: value.trim(), segments: undefined };
  if (!isPlainObject(value) || typeof value['text'] !== 'string') return failUnread(value, response, key, 'no text');
  const { text, segments, task, language } = value;
  // What has no words needs no translation.
  const untranslated = isNoSpeech(text) ? undefined : untranslatedBy(textOf(task), textOf(language));
  return {
    text: text.trim(),
    segments: Array.isArray(segments) ? await readSegments(segments, response.url) : undefined,
    ...(untranslated === undefined ? {} : { untranslated }),
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
