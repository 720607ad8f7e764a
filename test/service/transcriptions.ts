import type { Part } from './multipart.ts';
import type { Exchange, KnownTranslation } from './options.ts';
import { badField, sendJson, sendText } from './replies.ts';
import { describeVerbosely, findKnown } from './translations.ts';
import { answerAsWhisperCpp } from './whisperCpp.ts';

const GRANULARITIES = 'timestamp_granularities[]';

/** The path beside translations that others of this shape have: what is said, in the language that is spoken. */
export function answerTranscription(exchange: Exchange, parts: Part[]): void {
  const { audioServer, transcriptions } = exchange.settings;
  const known = findKnown(exchange, parts, ['language', ...(transcriptions === 'plain' ? [] : [GRANULARITIES])]);
  if (audioServer === 'whisper.cpp') {
    answerAsWhisperCpp(exchange, parts, known);
    return;
  }
  const field = (name: string): string | undefined => parts.find((part) => part.name === name)?.value;
  const language = field('language');
  if (language !== undefined && !/^[a-z]{2,3}$/.test(language)) throw badField('language', 'No such language.');
  const said = spokenOf(known);
  const format = field('response_format') ?? 'json';
  if (format === 'text') sendText(exchange, 200, 'text/plain; charset=utf-8', `${said.text}\n`);
  else if (format !== 'verbose_json') sendJson(exchange, 200, { text: said.text });
  else {
    const wanted = parts.filter(({ name }) => name === GRANULARITIES).map(({ value }) => value);
    const all = { ...describeVerbosely(said, 1), task: 'transcribe', language: said.language };
    sendJson(exchange, 200, wanted.includes('word') ? { ...all, words: wordsOf(said) } : all);
  }
}

/** What is said: where the table does not know, it is German, each part of the English after a few words. */
function spokenOf({ text, segments, spoken }: KnownTranslation): KnownTranslation & { language: string } {
  if (spoken !== undefined) return spoken;
  const inGerman = (words: string): string => `Gesagt wird: ${words}`;
  const parts = segments?.map((segment) => ({ ...segment, text: inGerman(segment.text) }));
  return {
    language: 'german',
    text: parts?.map((part) => part.text).join(' ') ?? inGerman(text),
    ...(parts && { segments: parts }),
  };
}

/** Words as OpenAI writes them: without punctuation, and in a list of their own. */
function wordsOf({ segments = [] }: KnownTranslation): object[] {
  return segments.flatMap(({ start, end, text }) => {
    const words = text.split(/\s+/);
    const step = (end - start) / words.length;
    return words.map((word, place) => ({
      word: word.replace(/[.,!?]/g, ''),
      start: start + place * step,
      end: start + (place + 1) * step,
    }));
  });
}
