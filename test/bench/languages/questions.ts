import { createHash } from 'node:crypto';
import { inflected, isStopWord, lastPart, otherUmlauts } from './inflections.ts';
import { type CommentLanguage, commentLanguages } from './packages.ts';

/** A text of a package. */
export interface CommentedFile {
  path: string;
  language: CommentLanguage;
  lines: readonly string[];
}

/** How a question was made of a sentence: a part as it stands, or with one word in another form. */
export const forms = [
  'as it stands',
  'another form',
  'part of a compound',
  'other umlauts',
  'one word in another form',
  'one part of a compound',
  'one word with other umlauts',
  'a name in a sentence',
] as const;
export type QuestionForm = (typeof forms)[number];

export interface CommentQuestion {
  language: CommentLanguage;
  form: QuestionForm;
  text: string;
  /** What it was made of. */
  of: string;
  /** The one file that has the sentence. */
  path: string;
}

/** How many questions of whole sentences a language is asked, and how many of one file, at most. */
const [mostQuestions, mostOfFile] = [40, 2];
/** Letters of a script that are written without blanks, and of Korean, whose words are short. */
const scripts: Record<CommentLanguage, RegExp> = {
  Chinese: /\p{Script=Han}/u,
  Japanese: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}ー]/u,
  Korean: /[\p{Script=Hangul} ]/u,
  Thai: /[\p{Script=Thai}]/u,
  German: /[A-Za-zÄÖÜäöüß -]/u,
  Russian: /[\p{Script=Cyrillic} -]/u,
};
const leastLetters = 8;
const isGerman = /\b(?:und|nicht|wird|werden|wurde|eine[rnms]?|für|fuer|der|das|ist|oder|wenn|zum|zur|vom)\b/;
const commentMark = /^\s*(?:\/\/+|\/\*+!?|\*+(?!\/)|#+|--+|<!--)\s?/;

/** Questions made by rule, always the same: parts of comments that stand above code in one file alone. */
export function questionsOf(files: readonly CommentedFile[]): CommentQuestion[] {
  const found = files.flatMap((file) => sentencesOf(file).map((sentence) => ({ sentence, file })));
  const places = new Map<string, Set<string>>();
  for (const { sentence, file } of found) {
    places.set(sentence, (places.get(sentence) ?? new Set()).add(file.path));
  }
  const everything = files.map(({ path, lines }) => ({ path, text: lines.join('\n') }));
  return commentLanguages.flatMap((language) => {
    const own = found
      .filter(({ sentence, file }) => file.language === language && places.get(sentence)?.size === 1)
      .map((one) => ({ ...one, seed: seedOf(one.sentence) }))
      .sort((a, b) => a.seed - b.seed);
    const questions: CommentQuestion[] = [];
    const ofFile = new Map<string, number>();
    for (const { sentence, file, seed } of new Map(own.map((one) => [one.sentence, one])).values()) {
      if (questions.length >= mostQuestions) break;
      const count = ofFile.get(file.path) ?? 0;
      if (count >= mostOfFile) continue;
      const made = questionFrom(sentence, language, seed, questions.length);
      if (made === undefined) continue;
      // What other files say, too, does not ask for this one.
      if (everything.some(({ path, text }) => path !== file.path && text.includes(made.part))) continue;
      ofFile.set(file.path, count + 1);
      questions.push({ language, form: made.form, text: made.text, of: sentence, path: file.path });
    }
    return questions;
  });
}

/** A number that is always the same for a text, and else random. */
export const seedOf = (text: string): number => createHash('sha1').update(`parley ${text}`).digest().readUInt32BE();

/** The lines of comments that stand above a line of code, without their marks, as far as they are of the language. */
function sentencesOf({ lines, language }: CommentedFile): string[] {
  const sentences: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    if (!commentMark.test(lines[at] ?? '')) continue;
    let end = at;
    while (end < lines.length && (commentMark.test(lines[end] ?? '') || /^\s*\*+\/\s*$/.test(lines[end] ?? ''))) end++;
    if ((lines[end] ?? '').trim() !== '')
      for (const line of lines.slice(at, end)) {
        const text = line
          .replace(commentMark, '')
          .replace(/\*\/\s*$/, '')
          .trim();
        sentences.push(...runsOf(text, language));
      }
    at = end;
  }
  return sentences;
}

/** The runs of letters of a language in a line that are long enough. */
function runsOf(text: string, language: CommentLanguage): string[] {
  if (language === 'German' && !isGerman.test(text)) return [];
  const isLetter = scripts[language];
  const runs: string[] = [];
  let run = '';
  for (const letter of [...text, '\n']) {
    if (isLetter.test(letter) || (run !== '' && /\p{M}/u.test(letter))) run += letter;
    else {
      runs.push(run.trim());
      run = '';
    }
  }
  const letters = (each: string): number => each.match(/\p{L}/gu)?.length ?? 0;
  // A sentence of Chinese letters alone may be Japanese, and the other way round: the package says which.
  return runs.filter((each) => letters(each) >= leastLetters);
}

type Made = Pick<CommentQuestion, 'text' | 'form'> & {
  /** What stands in the sentence. */
  part: string;
};

function questionFrom(sentence: string, language: CommentLanguage, seed: number, turn: number): Made | undefined {
  if (language === 'German' || language === 'Russian') return wordsFrom(sentence, language, seed, turn);
  if (language === 'Korean') {
    const words = sentence.split(/\s+/);
    const count = Math.min(words.length, 2 + (seed % 2));
    const from = seed % (words.length - count + 1);
    const part = words.slice(from, from + count).join(' ');
    return part.length >= 4 ? { text: part, part, form: 'as it stands' } : undefined;
  }
  const letters = [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(sentence)].map(
    ({ segment }) => segment,
  );
  const count = Math.min(letters.length, 4 + (seed % 5));
  const from = seed % (letters.length - count + 1);
  const part = letters.slice(from, from + count).join('');
  return { text: part, part, form: 'as it stands' };
}

/** Three to five words that tell something; every other question has one of them in another form. */
function wordsFrom(sentence: string, language: 'German' | 'Russian', seed: number, turn: number): Made | undefined {
  const words = sentence.split(/[\s-]+/).filter((word) => word.length > 2 && !isStopWord(language, word));
  if (words.length < 3) return undefined;
  const count = Math.min(words.length, 3 + (seed % 3));
  const from = seed % (words.length - count + 1);
  const asked = words.slice(from, from + count);
  const changes: Partial<Record<QuestionForm, (word: string) => string | undefined>> = {
    'another form': (word) => (word.length >= 5 ? inflected(language, word) : undefined),
    ...(language === 'German' ? { 'part of a compound': lastPart, 'other umlauts': otherUmlauts } : {}),
  };
  const wanted = language === 'German' ? forms[turn % 4] : forms[turn % 2];
  const change = wanted && changes[wanted];
  if (change === undefined || wanted === undefined)
    return { text: asked.join(' '), part: sentence, form: 'as it stands' };
  const at = asked.findIndex((word) => change(word) !== undefined);
  const changed = asked[at] && change(asked[at]);
  if (changed === undefined) return undefined;
  return { text: asked.with(at, changed).join(' '), part: sentence, form: wanted };
}
