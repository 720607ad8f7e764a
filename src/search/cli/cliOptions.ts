import { parseArgs } from 'node:util';
import * as l10n from '@vscode/l10n';
import { CliProblem } from './cliProblem.ts';
import { nearestName } from './nearestName.ts';

/** An option of a command: a switch, or one with a value that `value` names in the help. */
export interface OptionSpec {
  readonly value?: string;
  /** May be given more than once. */
  readonly isMany?: boolean;
  readonly help: () => string;
}
export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

/** The arguments of a command, read and checked by its options. */
export interface CliArguments {
  /** What is no option. */
  readonly positionals: readonly string[];
  has(name: string): boolean;
  /** The value of an option, the last one where it was given more than once. */
  text(name: string): string | undefined;
  texts(name: string): readonly string[];
  /** The value as a number. @throws CliProblem where it is none, or outside these bounds */
  number(name: string, bounds: { least: number; most: number; isWhole: boolean }): number | undefined;
}

/** Names by which people give a key: none of them is taken, so that no key stands in a list of processes or a history. */
const keyNames = new Set(['key', 'api-key', 'apikey', 'api_key', 'token', 'password', 'secret', 'bearer']);

/**
 * Reads the arguments behind the name of a command.
 * @throws CliProblem for an option that there is none of, or without its value. It never holds the value of an option: that may be a key
 */
export function readArguments(args: readonly string[], specs: OptionSpecs): CliArguments {
  const options = Object.fromEntries(
    Object.entries(specs).map(([name, { value }]) => [
      name,
      { type: value === undefined ? 'boolean' : 'string', multiple: true } as const,
    ]),
  );
  const { tokens, positionals } = parseArgs({
    ...{ args: [...args], options: { ...options, help: { type: 'boolean', short: 'h' } } },
    ...{ strict: false, allowPositionals: true, tokens: true },
  });
  const given = new Map<string, string[]>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const { name, rawName, value, inlineValue } = token;
    const spec = specs[name];
    if (spec === undefined) throw unknownOption(name, rawName, Object.keys(specs));
    if (spec.value === undefined && inlineValue) {
      throw new CliProblem(l10n.t('The option --{0} takes no value.', name), l10n.t('Give it as --{0} alone.', name));
    }
    if (spec.value !== undefined && (value === undefined || value === '' || (!inlineValue && value.startsWith('--')))) {
      throw new CliProblem(
        l10n.t('The option --{0} needs a value.', name),
        l10n.t('Give it as --{0} {1}.', name, spec.value),
      );
    }
    const before = given.get(name) ?? [];
    given.set(name, [...before, value ?? '']);
  }
  const text = (name: string): string | undefined => given.get(name)?.at(-1);
  return {
    positionals,
    has: (name) => given.has(name),
    text,
    texts: (name) => given.get(name) ?? [],
    number(name, { least, most, isWhole }) {
      const typed = text(name);
      if (typed === undefined) return undefined;
      const value = /^\d*\.?\d+$/.test(typed) ? Number(typed) : Number.NaN;
      if (value >= least && value <= most && (!isWhole || Number.isInteger(value))) return value;
      throw new CliProblem(
        isWhole
          ? l10n.t('The option --{0} takes a whole number.', name)
          : l10n.t('The option --{0} takes a number.', name),
        l10n.t('Give one from {0} to {1}.', least, most),
      );
    },
  };
}

function unknownOption(name: string, rawName: string, names: readonly string[]): CliProblem {
  if (keyNames.has(name.toLowerCase())) {
    return new CliProblem(
      l10n.t('Keys are not taken as arguments, where other programs can read them.'),
      l10n.t('Put it into the environment variable PARLEY_API_KEY, or name another one with --key-env.'),
    );
  }
  const nearest = nearestName(name, names);
  // A key that begins with a dash reads as many options of one letter.
  const shown = /^--[a-z][a-z-]{0,30}$/.test(rawName) ? rawName : l10n.t('of this name');
  return new CliProblem(
    l10n.t('There is no option {0} here.', shown),
    nearest === undefined ? l10n.t('--help lists the options.') : l10n.t('Did you mean --{0}?', nearest),
  );
}
