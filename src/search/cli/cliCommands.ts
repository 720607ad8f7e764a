import * as l10n from '@vscode/l10n';
import type { OptionSpec, OptionSpecs } from './cliOptions.ts';

/** A command as its help shows it. */
export interface CommandSpec {
  /** What follows its name. */
  readonly usage: string;
  readonly help: () => string;
  readonly options: OptionSpecs;
}

const repository: OptionSpec = {
  value: 'NAME',
  help: () => l10n.t('Names the repository in the team index; by its remote where it is not given'),
};
const folder: OptionSpec = {
  value: 'FOLDER',
  help: () => l10n.t('A folder of the repository; this one where none is given'),
};
const json: OptionSpec = { help: () => l10n.t('Writes one JSON object instead of lines') };

/** How a service is named that is asked for vectors. */
const service = {
  url: { value: 'URL', help: () => l10n.t('The address of a service with embeddings, as its documentation gives it') },
  model: { value: 'MODEL', help: () => l10n.t('Its model for embeddings') },
  'query-prefix': { value: 'TEXT', help: () => l10n.t('Stands before every question, as some models want it') },
  'document-prefix': { value: 'TEXT', help: () => l10n.t('Stands before every indexed text, as some models want it') },
  'key-env': {
    value: 'NAME',
    help: () => l10n.t('The environment variable with the key; PARLEY_API_KEY where it is not given'),
  },
  'key-command': { value: 'COMMAND', help: () => l10n.t('A command whose first line of output is the key') },
} satisfies OptionSpecs;

export const commandSpecs = {
  query: {
    usage: 'TEXT',
    help: () => l10n.t('Searches the code of folders by words and meaning'),
    options: {
      folder: { value: 'FOLDER', isMany: true, help: () => l10n.t('A folder to search; this one where none is given') },
      limit: { value: 'NUMBER', help: () => l10n.t('The most hits, 10 where it is not given') },
      paths: {
        value: 'GLOB',
        isMany: true,
        help: () => l10n.t('Only files that match; {0} leaves those out', '!GLOB'),
      },
      language: { value: 'NAME', isMany: true, help: () => l10n.t('Only files of this language: typescript, py') },
      'changed-since': {
        value: 'REVISION',
        help: () => l10n.t('Only files that differ from this branch, tag or commit of git'),
      },
      words: { help: () => l10n.t('Searches by words alone, and sends nothing') },
      ...service,
      json,
    },
  },
  index: {
    usage: '[FOLDER …]',
    help: () => l10n.t('Reads folders into their index; with --url and --model, by meaning, too'),
    options: {
      ...service,
      'dry-run': { help: () => l10n.t('Shows what would be sent, and sends nothing') },
      yes: { help: () => l10n.t('Sends it without asking') },
      'price-per-million': { value: 'PRICE', help: () => l10n.t('The price of a million tokens, to show the cost') },
      'max-file-size': { value: 'KB', help: () => l10n.t('Leaves larger files out; 1024 where it is not given') },
      exclude: { value: 'GLOB', isMany: true, help: () => l10n.t('Leaves files out') },
      allow: {
        value: 'GLOB',
        isMany: true,
        help: () => l10n.t('Takes files in that their name or kind would leave out'),
      },
      'include-generated': { help: () => l10n.t('Takes generated files in') },
      index: { value: 'FOLDER', help: () => l10n.t('Where the index is kept, instead of the data folder') },
      publish: {
        help: () => l10n.t('Stores the files of the index for the team, in the database that PARLEY_STORE names'),
      },
      'publish-text': { help: () => l10n.t('Has the code itself go along with them') },
      repository,
      json,
    },
  },
  report: {
    usage: '[FOLDER …]',
    help: () => l10n.t('Says what the index of folders has'),
    options: { json },
  },
  verify: {
    usage: '[FOLDER …]',
    help: () => l10n.t('Checks that the index of folders is sound and has their files as they are'),
    options: { json },
  },
  export: {
    usage: '[FOLDER …]',
    help: () => l10n.t('Writes the vectors of an index into a file for others who have the same code'),
    options: {
      to: { value: 'FILE', help: () => l10n.t('Where the file goes') },
      sign: { value: 'KEYFILE', help: () => l10n.t('Signs it with a private Ed25519 key (PEM)') },
      json,
    },
  },
  import: {
    usage: '[FOLDER …]',
    help: () => l10n.t('Reads folders into their index, and takes their vectors from such a file'),
    options: {
      from: { value: 'FILE', help: () => l10n.t('The file, or its https address') },
      verify: {
        value: 'KEYFILE',
        help: () => l10n.t('Takes it only if it was signed with the key to this public one'),
      },
      'any-service': { help: () => l10n.t('Takes vectors of the same model from another service') },
      index: { value: 'FOLDER', help: () => l10n.t('Where the index is kept, instead of the data folder') },
      json,
    },
  },
  grant: {
    usage: 'LOGIN reader|indexer',
    help: () => l10n.t('Lets a login of the database search, or index, the repository of a folder in the team index'),
    options: { folder, repository, json },
  },
  revoke: {
    usage: 'LOGIN',
    help: () => l10n.t('Takes that away from it'),
    options: { folder, repository, json },
  },
  list: { usage: '', help: () => l10n.t('Lists the indexes of this machine'), options: { json } },
  clean: {
    usage: '',
    help: () => l10n.t('Deletes indexes whose folders are gone, or that were not used for long'),
    options: {
      'older-than': { value: 'DAYS', help: () => l10n.t('Those that were not used for so many days') },
      gone: { help: () => l10n.t('Those whose folders are gone; so it is where nothing is given') },
      'dry-run': { help: () => l10n.t('Shows what would be deleted, and deletes nothing') },
      yes: { help: () => l10n.t('Deletes indexes of editors, too, without asking') },
      json,
    },
  },
  mcp: {
    usage: '[FOLDER …]',
    help: () => l10n.t('Serves the search to an agent, by the Model Context Protocol'),
    options: {},
  },
} satisfies Record<string, CommandSpec>;

export type CommandName = keyof typeof commandSpecs;
export const commandNames = Object.keys(commandSpecs) as CommandName[];

/** The help of all commands. */
export function helpText(): string {
  const widest = Math.max(...commandNames.map((name) => name.length));
  return [
    l10n.t('parley-search searches code by words and meaning.'),
    '',
    ...commandNames.map((name) => `  ${name.padEnd(widest)}  ${commandSpecs[name].help()}`),
    '',
    l10n.t('parley-search COMMAND --help has the options of a command; --version says which version this is.'),
    l10n.t('It ends with 0 where all is well, 1 where nothing was found, and 2 where there was a problem.'),
  ].join('\n');
}

/** The help of one command. */
export function commandHelp(name: CommandName): string {
  const { usage, help, options }: CommandSpec = commandSpecs[name];
  const rows = Object.entries(options).map(
    ([option, { value, isMany, help: say }]) =>
      [`--${option}${value === undefined ? '' : ` ${value}`}${isMany ? ' …' : ''}`, say()] as const,
  );
  const widest = Math.max(0, ...rows.map(([left]) => left.length));
  return [
    ['parley-search', name, usage, ...(rows.length > 0 ? ['[OPTION …]'] : [])].filter(Boolean).join(' '),
    '',
    help(),
    ...(rows.length === 0 ? [] : ['', ...rows.map(([left, right]) => `  ${left.padEnd(widest)}  ${right}`)]),
  ].join('\n');
}
