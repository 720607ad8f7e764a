import type { Part } from './multipart.ts';
import type { Exchange, KnownTranslation } from './options.ts';
import { sendJson, sendText } from './replies.ts';

/**
 * Answers as the server of whisper.cpp does (examples/server/server.cpp): one path for everything, so the form field
 * `translate` decides; the language is English unless the form says another, or `auto`; text is called HTML. What is taken
 * for English comes out as noise.
 */
export function answerAsWhisperCpp(exchange: Exchange, parts: readonly Part[], known: KnownTranslation): void {
  const field = (name: string): string | undefined => parts.find((part) => part.name === name)?.value;
  const translates = field('translate') === 'true';
  const spoken = known.spoken ?? { language: 'german', text: `Auf Deutsch gesagt: ${known.text}` };
  const isAuto = field('language') === 'auto';
  const said = translates ? (isAuto ? known.text : `(mumbling) ${known.text}`) : spoken.text;
  const format = field('response_format') ?? 'json';
  if (format === 'text') sendText(exchange, 200, 'text/html; charset=utf-8', `${said}\n`);
  else if (format !== 'verbose_json') sendJson(exchange, 200, { text: ` ${said}\n` });
  else {
    sendJson(exchange, 200, {
      task: translates ? 'translate' : 'transcribe',
      // What it heard, also when it translates.
      language: spoken.language,
      duration: known.segments?.at(-1)?.end ?? 1,
      text: ` ${said}\n`,
      segments: (known.segments ?? []).map(({ start, end, text }, id) =>
        describe(id, start, end, translates ? text : said),
      ),
      detected_language: spoken.language,
      detected_language_probability: 0.98,
      language_probabilities: { de: 0.98, en: 0.01 },
    });
  }
}

/** A segment as `format_verbose_json` writes it (examples/server-common.cpp): a word for each token, and no `compression_ratio`. */
function describe(id: number, start: number, end: number, text: string): object {
  const words = text.split(/\s+/).map((word) => ({ word: ` ${word}`, start, end, probability: 0.9 }));
  const tokens = words.map((_, place) => 50_364 + place);
  const measures = { temperature: 0, avg_logprob: Math.log(0.9), no_speech_prob: 0.01 };
  return { id, text: ` ${text}`, start, end, words, tokens, ...measures };
}
