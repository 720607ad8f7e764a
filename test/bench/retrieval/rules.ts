import { type Gains, gains } from '../../../src/search/query/ranking.ts';

type Kind = keyof Gains['kinds'];

/** A rule of ranking. */
export interface Rule {
  readonly name: string;
  /** All gains but those of this rule. */
  readonly without: Gains;
  /** No gains but those of this rule. */
  readonly alone: Gains;
}

const neutral = Object.fromEntries(Object.keys(gains.kinds).map((kind) => [kind, 1])) as Record<Kind, number>;
/** What ranking does without any rule. */
export const noGains: Gains = {
  ...gains,
  definition: 0,
  exact: 0,
  run: 0,
  path: 0,
  pathOfBoth: 0,
  adjacent: 0,
  file: 0,
  repeat: 1,
  kinds: neutral,
};

function rule(name: string, keys: readonly (keyof Gains)[], kinds: readonly Kind[] = []): Rule {
  const take = (from: Gains, base: Gains): Gains => ({
    ...base,
    ...Object.fromEntries(keys.map((key) => [key, from[key]])),
    kinds: { ...base.kinds, ...Object.fromEntries(kinds.map((kind) => [kind, from.kinds[kind]])) },
  });
  return { name, without: take(noGains, gains), alone: take(gains, noGains) };
}

/** The rules of ranking. Of every one the bench shows what it adds. */
export const rules: readonly Rule[] = [
  rule('definitions', ['definition']),
  rule('the very name', ['exact']),
  rule('names of file and folder', ['path', 'pathOfBoth']),
  rule('words side by side', ['adjacent']),
  rule('runs of words', ['run']),
  rule('sums over a file', ['file']),
  rule('tests and examples behind', [], ['test', 'example', 'old']),
  rule('prose behind', [], ['prose']),
  rule('declarations, output and build files behind', [], ['declaration', 'output', 'build']),
  rule('further hits of a file behind', ['repeat']),
];
