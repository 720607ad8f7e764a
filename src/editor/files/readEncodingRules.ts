import { type Disposable, extensions, Uri, workspace } from 'vscode';
import type { EncodingSetting } from '../../base/encoding/decode.ts';
import { type EncodingRules, encodingSetting, type NamedEncoding } from '../../base/encoding/encodingRules.ts';

/** Values of a list that are read: it is a text that anybody may have written. */
const most = 500;

/** Settings that say in which encoding a file is. */
const settingIds: readonly string[] = [
  'files.encoding',
  'files.autoGuessEncoding',
  'files.candidateGuessEncodings',
  'files.associations',
];

/**
 * VS Code's settings on the encodings of the files in a folder, with those of its languages; undefined where all are VS Code's defaults:
 * UTF-8, and no guess. For who reads many files, or has only bytes.
 */
export function readEncodingRules(root: Uri): EncodingRules | undefined {
  const settings = workspace.getConfiguration('files', root);
  const base = settingOf(settings);
  const keys = ['encoding', 'autoGuessEncoding', 'candidateGuessEncodings'];
  const languages = [...new Set(keys.flatMap((key) => settings.inspect(key)?.languageIds ?? []))].slice(0, most);
  const byLanguage = new Map(
    languages.map((languageId) => [
      languageId,
      settingOf(workspace.getConfiguration('files', { uri: root, languageId })),
    ]),
  );
  if (byLanguage.size > 0) return { ...base, byName: namesOf(byLanguage, base, settings.get('associations')) };
  return base.encoding === 'utf8' && base.guess === false ? undefined : base;
}

/** The setting for one file. */
export function readEncodingSetting(uri: Uri): EncodingSetting {
  return encodingSetting(readEncodingRules(uri), uri.path);
}

export function onEncodingChange(listener: () => void): Disposable {
  return workspace.onDidChangeConfiguration((change) => {
    if (settingIds.some((id) => change.affectsConfiguration(id))) listener();
  });
}

/** The rules of each folder that has any, by its path. */
export function readAllEncodingRules(roots: readonly string[]): Record<string, EncodingRules> {
  const all: Record<string, EncodingRules> = {};
  for (const root of roots) {
    const rules = readEncodingRules(Uri.file(root));
    if (rules !== undefined) all[root] = rules;
  }
  return all;
}

type Settings = ReturnType<typeof workspace.getConfiguration>;

/** Values of a settings file may be anything. */
function settingOf(settings: Settings): EncodingSetting {
  const encoding: unknown = settings.get('encoding');
  const candidates: unknown = settings.get('candidateGuessEncodings');
  const names = Array.isArray(candidates) ? candidates.slice(0, most).filter((name) => typeof name === 'string') : [];
  return {
    encoding: typeof encoding === 'string' ? encoding.slice(0, 100) : 'utf8',
    guess: settings.get('autoGuessEncoding') === true,
    ...(names.length > 0 && { candidates: names }),
  };
}

/** How the names of files end that are of a language with a setting: by the user's associations first, then by what extensions say. */
function namesOf(
  byLanguage: ReadonlyMap<string, EncodingSetting>,
  base: EncodingSetting,
  associations: unknown,
): NamedEncoding[] {
  const own = Object.entries(typeof associations === 'object' && associations !== null ? associations : {})
    .slice(0, most)
    .map(([pattern, language]) => ({ end: endOf(pattern), setting: byLanguage.get(String(language)) ?? base }))
    .filter((name): name is NamedEncoding => name.end !== undefined);
  const contributed = extensions.all
    .flatMap(({ packageJSON }) => packageJSON?.contributes?.languages ?? [])
    .flatMap((language: { id?: unknown; extensions?: unknown; filenames?: unknown }) => {
      const setting = byLanguage.get(String(language?.id));
      if (setting === undefined) return [];
      const ends = [...textsOf(language.extensions), ...textsOf(language.filenames).map((name) => `/${name}`)];
      return ends.map((end) => ({ end: end.toLowerCase(), setting }));
    });
  // Of two endings that fit, the longer one says more.
  const longestFirst = (names: readonly NamedEncoding[]): NamedEncoding[] =>
    names.toSorted((a, b) => b.end.length - a.end.length);
  return [...longestFirst(own), ...longestFirst(contributed)];
}

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((text) => typeof text === 'string' && text !== '') : [];

/** `*.inc` and `Makefile` say how a name ends; other patterns are not read. */
function endOf(pattern: string): string | undefined {
  const name = pattern.toLowerCase().replace(/^\*\*\//, '');
  if (/^\*[^*?[\]{}/]+$/.test(name)) return name.slice(1);
  return /^[^*?[\]{}/]+$/.test(name) ? `/${name}` : undefined;
}
