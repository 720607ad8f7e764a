import type { Chunk } from '../../../src/search/chunker/chunker.ts';
import { inflected, lastPart, otherUmlauts } from './inflections.ts';
import { type CommentLanguage, commentLanguages } from './packages.ts';
import { type CommentedFile, type CommentQuestion, type QuestionForm, seedOf } from './questions.ts';

/** How many of each form a language is asked, and the most files that have a part of a compound, so that all can be among the first ten. */
const [most, mostWithPart] = [12, 6];

type Change = (word: string) => string | undefined;
const changes: readonly (readonly [CommentLanguage, QuestionForm, least: number, Change])[] = [
  ['Russian', 'one word in another form', 6, (word) => inflected('Russian', word)],
  ['German', 'one word in another form', 7, (word) => inflected('German', word)],
  ['German', 'one part of a compound', 9, lastPart],
  ['German', 'one word with other umlauts', 5, otherUmlauts],
];
const words: Partial<Record<CommentLanguage, RegExp>> = {
  Russian: /[а-яё]{4,}/giu,
  German: /(?<![\p{L}\p{N}_])[A-ZÄÖÜ][a-zäöüß]{3,}(?![\p{L}\p{N}_])/gu,
};
const comment = /^\s*(?:\/\/|\/?\*)/;

/** Questions of one word that stands in one file alone, but in another form, or within a longer word. */
export function wordQuestions(files: readonly CommentedFile[]): CommentQuestion[] {
  const texts = files.map(({ path, language, lines }) => ({ path, language, text: lines.join('\n').toLowerCase() }));
  const isInNone = (text: string): boolean => !texts.some((file) => file.text.includes(text));
  const isAsked = (word: string): boolean =>
    texts.filter((file) => file.text.includes(word.toLowerCase())).length === 1;
  /** Whether the first letters of a word stand in other files, too. */
  const isSharedStem = (word: string, path: string): boolean => {
    const head = word.toLowerCase().slice(0, Math.max(4, word.length - 4));
    return texts.some((file) => file.path !== path && file.text.includes(head));
  };
  return changes.flatMap(([language, form, least, change]) => {
    const found = new Map<string, string>();
    for (const { path, lines } of files.filter((file) => file.language === language)) {
      for (const line of lines.filter((each) => comment.test(each)))
        for (const word of line.match(words[language] ?? /\b\B/) ?? []) found.set(word, path);
    }
    const questions: CommentQuestion[] = [];
    for (const [word, path] of [...found].sort(([a], [b]) => seedOf(a) - seedOf(b))) {
      if (questions.length >= most) break;
      const text = word.length >= least ? change(word) : undefined;
      if (text === undefined) continue;
      const isPart = form === 'one part of a compound';
      const where = texts.filter((file) => file.text.includes((isPart ? text : word).toLowerCase()));
      // A stem that others have, too, would be as right an answer there.
      const isAlone = isPart
        ? where.length <= mostWithPart && isAsked(word)
        : where.length === 1 && isInNone(text.toLowerCase()) && !isSharedStem(word, path);
      if (isAlone) questions.push({ language, form, text, of: word, path });
    }
    return questions;
  });
}

/** Sentences in which one asks for code by its name. */
const sentences: Record<CommentLanguage, (name: string) => string> = {
  Chinese: (name) => `在哪里调用${name}函数？`,
  Japanese: (name) => `${name}関数はどこで定義されていますか`,
  Korean: (name) => `${name}함수는 어디에서 정의되나요`,
  German: (name) => `Wo ist die Funktion ${name} definiert?`,
  Russian: (name) => `Где находится определение функции ${name}?`,
  Thai: (name) => `ฟังก์ชัน${name}ถูกกำหนดไว้ที่ไหน`,
};

/** Questions in each language for a name that chunks of one file alone define, among code with comments in that very language. */
export function nameQuestions(chunks: readonly { path: string; chunk: Chunk }[]): CommentQuestion[] {
  const places = new Map<string, Set<string>>();
  for (const { path, chunk } of chunks)
    for (const name of chunk.names) places.set(name, (places.get(name) ?? new Set()).add(path));
  const names = [...places]
    .filter(([name, paths]) => paths.size === 1 && /^[a-z]+(?:[A-Z][a-z]+)+$/.test(name) && name.length >= 8)
    .map(([name, paths]) => ({ name, path: [...paths][0] ?? '' }))
    .sort((a, b) => seedOf(a.name) - seedOf(b.name));
  return commentLanguages.flatMap((language) =>
    names
      .filter(({ path }) => path.startsWith(`${language}/`))
      .slice(0, most)
      .map(({ name, path }) => ({
        language,
        form: 'a name in a sentence' as const,
        text: sentences[language](name),
        of: name,
        path,
      })),
  );
}
