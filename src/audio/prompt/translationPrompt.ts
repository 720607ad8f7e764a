import { bytesWithin, estimateTokens } from '../../base/tokens.ts';
import { isNoSpeech, type Translation } from '../../service/audio/audio.ts';
import { isDoubtful } from '../quality/qualityFlags.ts';
import { isLoop } from '../quality/repetition.ts';

/**
 * Tokens of a prompt that Whisper looks at: half of what its decoder holds, the last ones where there are more (openai/whisper,
 * whisper/decoding.py: `n_ctx // 2`; the services' documents say 224).
 */
export const mostTokens = 224;
/** Bytes of white space and punctuation between the parts of a prompt. */
const gap = 2;

/** What a prompt is made of. */
export interface PromptSources {
  /** The user's own words (`parley.audio.prompt`); sent whole, however long. */
  instruction: string;
  /** Terms as the glossary has them; those that come first go first. */
  glossary: readonly string[];
  /** The translation of the piece before, where its end is to be carried over. */
  before?: Pick<Translation, 'text' | 'segments' | 'untranslated'> | undefined;
}

/** A prompt, and how much of what a model looks at it takes. */
export interface TranslationPrompt {
  prompt: string;
  /** Estimated; more than `mostTokens` only where the user's own words are. */
  tokens: number;
  mostTokens: number;
  /** Terms of the glossary that had room, of how many. */
  terms: number;
  ofTerms: number;
  /** Whether the end of the text before is in it. */
  isCarried: boolean;
}

/**
 * The prompt for a piece of a recording: the user's own words, the terms of the glossary that have room, and of the text before as much of
 * its end as has room after them. A text before that is not English, repeats itself, or that the model was not sure of, is left out:
 * the model would go on like it.
 */
export function buildTranslationPrompt({ instruction, glossary, before }: PromptSources): TranslationPrompt {
  const own = instruction.trim();
  let room = bytesWithin(mostTokens) - Buffer.byteLength(own) - gap;
  const terms = glossary.filter((term) => {
    const size = Buffer.byteLength(term) + gap;
    if (size > room) return false;
    room -= size;
    return true;
  });
  const carried = before === undefined ? '' : soundEnd(before, room);
  const prompt = [own, terms.length > 0 ? `${terms.join(', ')}.` : '', carried].filter((part) => part !== '').join(' ');
  return {
    prompt,
    tokens: estimateTokens(prompt),
    mostTokens,
    terms: terms.length,
    ofTerms: glossary.length,
    isCarried: carried !== '',
  };
}

/** The last words of a text that have room, in bytes; none where there is anything wrong with them. */
function soundEnd({ text, segments, untranslated }: NonNullable<PromptSources['before']>, room: number): string {
  if (untranslated !== undefined || room <= 0 || isNoSpeech(text)) return '';
  const end = lastBytes(text.trim(), room);
  if (isLoop(end)) return '';
  let length = 0;
  for (const segment of segments?.toReversed() ?? []) {
    if (length >= end.length) break;
    if (isDoubtful(segment)) return '';
    length += segment.text.length + 1;
  }
  return end;
}

/** The last words of a text in no more than so many bytes. */
function lastBytes(text: string, most: number): string {
  // A character takes a byte or more.
  const tail = text.slice(-most);
  if (tail === text && Buffer.byteLength(text) <= most) return text;
  const starts = [...tail.matchAll(/(?<=\s)\S/gu)].map(({ index }) => index);
  const start = starts.find((place) => Buffer.byteLength(tail.slice(place)) <= most);
  return start === undefined ? '' : tail.slice(start);
}
