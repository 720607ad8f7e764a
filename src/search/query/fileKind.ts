import { stem } from '../store/stem.ts';
import type { QueryTerms } from './queryTerms.ts';

/** What a file is for, by its path: the code of a project, or what stands beside it. */
export type FileKind = 'code' | 'test' | 'example' | 'old' | 'declaration' | 'prose' | 'output' | 'build';

/** The first that fits counts. */
const patterns: readonly (readonly [FileKind, RegExp])[] = [
  [
    'test',
    /(?:^|\/)(?:tests?[._-][^/]*|conftest\.py|[^/]*[._-](?:tests?|spec|bench|mock)\.[^/]+|[^/]*[a-z](?:Tests?|TestCase|Benchmark)\.\w+|[^/]*[a-z]Spec\.(?:scala|kt|groovy|hs|swift))$/,
  ],
  [
    'test',
    /(?:^|\/)_*(?:(?:\w+[-.]|unit_?)?tests?|test[ _-]cases?|testing|testdata|spec|specs|e2e|mocks?|fixtures?|benchmarks?|bench)_*\//i,
  ],
  ['test', /(?:^|\/)[a-z]\w*Test\//],
  ['example', /(?:^|\/)_*(?:examples?|samples?|demos?|playground|tutorials?|docs|documentation|website)_*\//i],
  [
    'old',
    /(?:^|\/)(?:compat|legacy|deprecated|vendor|vendored|third[_-]?party|external|node_modules|single_include)\//i,
  ],
  ['declaration', /\.d\.[cm]?ts$|\.pyi$/],
  [
    'output',
    /(?:^|\/)(?:dist|bundles?|generated|__generated__)\/|\.(?:api|min\.\w+|bundle\.\w+|snap|csv|svg|po|pot)$/i,
  ],
  [
    'build',
    /\.(?:m4|am|in|cmake|ya?ml|toml|ini|cfg|sln|\w*proj|gradle|kts|gemspec|cabal|podspec|nix|lock|sum)$|(?:^|\/)(?:configure|makefile|rakefile|gemfile|dockerfile|ltmain\.sh|libtool|build-aux\/.*|package(?:-lock)?\.json|composer\.json|setup\.(?:py|cfg)|build\.\w+|cmakelists\.txt|\.[^/]+|[^/]*config\.(?:js|ts|cjs|mjs))$/i,
  ],
  [
    'prose',
    /\.(?:md|mdx|markdown|rst|adoc|txt|tex|man|[1-9])$|(?:^|\/)(?:readme|changelog|changes|news|authors|copying|licen[cs]e|todo|history|contributing)[^/]*$/i,
  ],
];

/** Words of a question by which it asks for a kind of file. */
const askedBy: Readonly<Record<Exclude<FileKind, 'code'>, readonly string[]>> = {
  test: stems('test tests testing spec mock fixture benchmark'),
  example: stems('example sample demo tutorial docs documentation'),
  old: stems('compat compatibility legacy deprecated vendor'),
  declaration: stems('declaration typings'),
  prose: stems('readme changelog docs documentation license guide'),
  build: stems(
    'build makefile cmake gradle ci workflow package config configuration configure docker install settings',
  ),
  output: stems('dist bundle generated snapshot'),
};

function stems(words: string): string[] {
  return words.split(' ').map(stem);
}

const known = new Map<string, FileKind>();
const mostKnown = 20_000;

export function fileKind(path: string): FileKind {
  const before = known.get(path);
  if (before !== undefined) return before;
  const found = patterns.find(([, pattern]) => pattern.test(path));
  const kind = found?.[0] ?? 'code';
  if (known.size >= mostKnown) known.clear();
  known.set(path, kind);
  return kind;
}

/**
 * How much a question asks for files of this kind: 1 where its first word does (`tests of the parser`), a half where another does,
 * which may be about the code as well (`run tests in parallel`), 0 otherwise.
 */
export function askedShare(kind: Exclude<FileKind, 'code'>, { words }: QueryTerms): number {
  const at = [...words.keys()].findIndex((word) => askedBy[kind].includes(word));
  return at < 0 ? 0 : at === 0 ? 1 : 0.5;
}
