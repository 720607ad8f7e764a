import type { Declaration } from './symbols.ts';

/** A text about a change, without the names that it told, and the files that were changed. */
export interface Change {
  text: string;
  paths: string[];
}

/** Files that tell what changed. They are read for questions, and not indexed. */
export function isChangelog(path: string): boolean {
  const isNamed =
    /(^|\/)(change[-_ ]?logs?|changes|news|history|release[-_]?notes?|releases|whatsnew|what_s_new)([.\-_][^/]*)?$/i.test(
      path,
    );
  return (
    (isNamed && !isCode(path.replace(/\.gz$/, ''))) ||
    /(^|\/)(changelog\.d|changelogs?|releasenotes|newsfragments)\//i.test(path)
  );
}

const isCode = (path: string): boolean =>
  /\.(?!md|txt|rst|markdown|adoc|html?|old|pod|org|xml|ya?ml|json|\d)[a-z]\w*$/i.test(path);

/** The changes that a changelog tells, each with the files of the project that it names by path or by symbol. */
export function changesOf(text: string, paths: readonly string[], symbols: ReadonlyMap<string, Declaration>): Change[] {
  const isGnu = /^\d{4}-\d\d-\d\d {2}\S/m.test(text) || /^\t\* \S+.*:/m.test(text);
  return isGnu ? gnuChanges(text, paths) : listedChanges(text, paths, symbols);
}

/** `* path/file.c (function): What was changed.`, over several lines, as the GNU coding standards have it. */
function gnuChanges(text: string, paths: readonly string[]): Change[] {
  const changes: Change[] = [];
  for (const [, entry = ''] of text.matchAll(/^\s+\* ((?:.+\n?)(?:^(?!\s+\* )[ \t]+\S.*\n?)*)/gm)) {
    const flat = entry.replace(/\s+/g, ' ');
    const head = /^((?:[\w./+-]+\.\w+(?: \([^)]*\)| \[[^\]]*\]| <[^>]*>)*,? ?)+): (.*)$/.exec(flat);
    if (head === null) continue;
    const [, places = '', told = ''] = head;
    const named = places
      .replace(/\([^)]*\)|\[[^\]]*\]|<[^>]*>/g, ' ')
      .split(/[\s,]+/)
      .filter(Boolean);
    const touched = named.map((name) => onlyPath(name, paths));
    if (touched.includes(undefined)) continue;
    const names = [
      ...named,
      ...[...places.matchAll(/\(([^)]*)\)/g)].flatMap(([, inside = '']) => inside.split(/[\s,]+/)),
    ];
    const sentence = withoutNames(told.split(/ \([\w, ]+\): |(?<=[a-z)]\.) /)[0] ?? '', names);
    if (isTelling(sentence)) changes.push({ text: sentence, paths: [...new Set(touched as string[])] });
  }
  return changes;
}

/** An item of a list, or a paragraph, whose names lead to exactly one file. */
function listedChanges(text: string, paths: readonly string[], symbols: ReadonlyMap<string, Declaration>): Change[] {
  const changes: Change[] = [];
  const items = text.split(/<li>|\n(?=\s*(?:[-*+•]|\d+\.|\[[^\]]*\]) )|\n\s*\n|\n(?=[=#-]{2,})/);
  for (const item of items) {
    if (item.length > 600 || /^\s*(#|={3}|-{3})/.test(item)) continue;
    const flat = item
      .replace(/^\s*(?:[-*+•]|\d+\.)\s+/, '')
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(
        /<\/?\w+>|\*\*|<[^>]*>?$|\([0-9a-f]{7,40}\)|,? closes.*$|,? by \w+$|, \w+\)$|\((?:[A-Z][\w.'-]+,? ){1,3}[^)]*\)?$/g,
        ' ',
      )
      .replace(/\(?\[?#\d+\]?\)?|https?:\S+|\(?(?:by|thanks to)? ?@[\w-]+\)?|:(?:\w+:)?\w+:(?=`)|``?/g, ' ')
      .replace(/\s+/g, ' ')
      .trim();
    const first = /^.*?[.!?](?=\s[A-Z])|^.*$/.exec(flat)?.[0] ?? '';
    const named = (first.match(/[A-Za-z_$][\w$./:]*[?!]?/g) ?? []).flatMap(
      (word) => placeOf(word.replace(/[.:]+$/, ''), paths, symbols) ?? [],
    );
    const [target, ...others] = new Set(named.map(({ path }) => path));
    if (target === undefined || others.length > 0) continue;
    const sentence = withoutNames(
      first,
      named.map(({ name }) => name),
    );
    if (isTelling(sentence)) changes.push({ text: sentence, paths: [target] });
  }
  return changes;
}

/** A word that is hardly one of English: with a hump, an underscore, or in capitals with letters of both kinds. */
const isName = (word: string): boolean => /\p{Ll}\p{Lu}|\p{L}_\p{L}|\p{Lu}{2,}\p{Ll}|[?!]$/u.test(word);

/** The file that a word names: by its path, as a module (`Mojo::IOLoop`, `http.client`), or by one of its symbols. */
function placeOf(
  word: string,
  paths: readonly string[],
  symbols: ReadonlyMap<string, Declaration>,
): { name: string; path: string } | undefined {
  const parts = word.split(/::|[./]/).filter(Boolean);
  const isModule = parts.length > 1 && /::|\w\.\w/.test(word);
  const path = /\.\w+$/.test(word) ? onlyPath(word, paths) : undefined;
  const module = isModule
    ? onlyPath(
        parts.join('/'),
        paths.map((path) => path.replace(/\.\w+$/, '')),
      )
    : undefined;
  if (path !== undefined) return { name: word, path };
  if (module !== undefined)
    return { name: word, path: paths.find((path) => path.replace(/\.\w+$/, '') === module) ?? module };
  const symbol = parts.reverse().find((part) => isName(part) && symbols.has(part));
  const found = symbol === undefined ? undefined : symbols.get(symbol);
  return symbol === undefined || found === undefined ? undefined : { name: symbol, path: found.path };
}

/** The one path that ends so. */
function onlyPath(name: string, paths: readonly string[]): string | undefined {
  const ending = `/${name.replace(/^\.?\//, '')}`;
  const found = paths.filter((path) => `/${path}`.endsWith(ending));
  return found.length === 1 ? found[0] : undefined;
}

function withoutNames(text: string, names: readonly string[]): string {
  let left = text;
  for (const name of names) {
    const base = name.replace(/^.*\//, '').replace(/\.\w+$/, '');
    for (const part of [name, base]) if (part.length > 2) left = left.split(part).join(' ');
  }
  return left
    .replace(/[\w.:#]*[.:#](?=\s|$)|\(\s*\)/g, (rest) => (/\w{2,}\.$/.test(rest) ? rest : ' '))
    .replace(/\s+/g, ' ')
    .replace(/^[\s:,;.-]+/, '')
    .trim();
}

/** Whether a text is a sentence of some words, and neither code nor one of the remarks that fit every file. */
function isTelling(sentence: string): boolean {
  const words = sentence.match(/(?<!\w)[A-Za-z]{3,}(?!\w)/g)?.length ?? 0;
  const isCode = /[{};]|[=:]{2}|->| = |^\w+ \w+\(|#(include|define)\b/.test(sentence);
  const isRemark = /^(Likewise|Ditto|Removed?\.|All uses|All callers|Include|Regenerate|Version|Merge)/i.test(sentence);
  return words >= 5 && words <= 40 && !isCode && !isRemark;
}
