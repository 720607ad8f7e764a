import { createHash } from 'node:crypto';
import { changesOf } from './changes.ts';
import { type Documented, documentedBodies } from './documentation.ts';
import { byName } from './languages.ts';
import type { Project } from './projects.ts';
import { inWords, type SourceFile, symbolsOf } from './symbols.ts';

/** Kinds of questions, and how many of each a project is asked at most. */
export const most = { documentation: 50, change: 40, symbol: 25, 'symbol in words': 25 } as const;
export type Kind = keyof typeof most;
export const kinds = Object.keys(most) as Kind[];

/** A question, made by rule, and where its answer is. */
export interface Question {
  kind: Kind;
  text: string;
  /** The files that answer it. */
  paths: string[];
  /** Lines of the first file that answer it, from 1, both ends included; absent where only files are known. */
  lines?: { start: number; end: number };
}

export interface Questions {
  questions: Question[];
  /** The texts of files whose documentation became a question, without it. */
  changed: Map<string, string>;
}

/** Name of a symbol that has to occur in this many other files to be worth a question. */
const leastUses = 2;

/**
 * Questions about a project, always the same ones. What a text says elsewhere, too, does not ask for a place: a sentence
 * that stands in the project twice is left out.
 * @param files all texts that are indexed
 * @param changelogs texts that tell what changed
 */
export function questionsOf(project: Project, files: readonly SourceFile[], changelogs: readonly string[]): Questions {
  const language = byName[project.language];
  const own = files.filter(({ path }) => language.files.test(path) && !isAside(path));
  const ownPaths = own.map(({ path }) => path);
  const everything = files.map(({ lines }) => plain(lines.join('\n'))).join('\n');
  const isOnce = (sentence: string): boolean => {
    const text = plain(sentence);
    const at = everything.indexOf(text);
    return everything.indexOf(text, at + 1) < 0;
  };

  const documented = own.flatMap(({ path, lines }) =>
    documentedBodies(lines, language).map((found) => ({ path, ...found })),
  );
  const asked = take(
    documented,
    ({ sentence }) => sentence,
    most.documentation,
    ({ sentence }) => isOnce(sentence),
  );
  const cuts = new Map<string, Documented[]>();
  for (const found of asked) cuts.set(found.path, [...(cuts.get(found.path) ?? []), found]);
  const changed = new Map<string, string>();
  const after = files.map((file) => {
    const cut = cuts.get(file.path);
    if (cut === undefined) return file;
    const lines = file.lines.filter(
      (_, line) => !cut.some(({ comment }) => line >= comment.start && line < comment.end),
    );
    changed.set(file.path, lines.join('\n'));
    return { path: file.path, lines };
  });
  const questions: Question[] = asked.map(({ path, sentence, body }) => {
    const above = (line: number): number =>
      (cuts.get(path) ?? []).reduce(
        (sum, { comment }) => sum + Math.max(0, Math.min(comment.end, line) - comment.start),
        0,
      );
    const lines = { start: body.start - above(body.start) + 1, end: body.end - above(body.end) };
    return { kind: 'documentation', text: sentence, paths: [path], lines };
  });

  const symbols = symbolsOf(after, language);
  const changes = changelogs.flatMap((text) => changesOf(text, ownPaths, symbols));
  for (const { text, paths } of take(changes, ({ text }) => text, most.change)) {
    questions.push({ kind: 'change', text, paths });
  }

  const used = [...symbols.values()].filter(
    ({ name, path, uses }) => uses >= leastUses && isTelling(name) && !isAside(path),
  );
  const bySymbol = (kind: Kind, text: string, path: string, line: number): Question => ({
    kind,
    text,
    paths: [path],
    lines: { start: line + 1, end: line + 1 },
  });
  for (const { name, path, line } of take(used, ({ name }) => `verbatim ${name}`, most.symbol)) {
    questions.push(bySymbol('symbol', name, path, line));
  }
  const spoken = used.filter(({ name }) => inWords(name) !== undefined);
  for (const { name, path, line } of take(spoken, ({ name }) => `words ${name}`, most['symbol in words'])) {
    questions.push(bySymbol('symbol in words', inWords(name) ?? name, path, line));
  }
  return { questions, changed };
}

/** Whether a file is a test or an example: who asks for one of these says so, as these questions do not. */
const isAside = (path: string): boolean =>
  /(?:^|\/)(?:[\w.-]*tests?|testing|specs?|t|e2e|examples?|samples?|benchmarks?)\/|(?:^|[/_.-])tests?[_.-]|[a-z]Tests?\.\w+$/i.test(
    path,
  );

/** Whether a name is more than a short word of English, which asks for nothing. */
const isTelling = (name: string): boolean => name.length >= 7 || inWords(name) !== undefined || /^\p{Lu}/u.test(name);

/** Some of a list, drawn by the hash of a text, each text once. */
function take<T>(
  all: readonly T[],
  textOf: (one: T) => string,
  count: number,
  isFit: (one: T) => boolean = () => true,
): T[] {
  const once = [...new Map(all.map((one) => [textOf(one), one])).entries()];
  const ordered = once
    .map(([text, one]) => ({ one, order: createHash('sha1').update(`parley ${text}`).digest('hex') }))
    .sort((a, b) => (a.order < b.order ? -1 : 1));
  const taken: T[] = [];
  for (const { one } of ordered) {
    if (taken.length >= count) break;
    if (isFit(one)) taken.push(one);
  }
  return taken;
}

/** The letters and digits of a text: comments break their lines and mark them in many ways. */
const plain = (text: string): string => text.replace(/[^A-Za-z0-9]+/g, '').toLowerCase();
