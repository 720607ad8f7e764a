import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import { isCancelled } from '../../base/errors.ts';
import { dataFolder } from '../registry/dataFolder.ts';
import { type CommandName, commandHelp, commandNames, commandSpecs, helpText } from './cliCommands.ts';
import type { CliContext, RunCommand } from './cliContext.ts';
import { cliErrorText } from './cliErrors.ts';
import { readArguments } from './cliOptions.ts';
import { CliProblem, exitCode } from './cliProblem.ts';
import { loadSentences } from './cliText.ts';
import { nearestName } from './nearestName.ts';
import type { Terminal } from './terminal/cliTerminal.ts';

/** What the command line has of the process that it runs in. */
export interface CliProcess extends Pick<CliContext, 'cwd' | 'environment' | 'terminal'> {
  /** A signal that fires with Ctrl+C; asked for by commands that do not heed Ctrl+C themselves. */
  interrupted(): AbortSignal;
}

/** Each command loads what it needs when it runs. */
const runs: Readonly<Record<Exclude<CommandName, 'mcp'>, () => Promise<RunCommand>>> = {
  query: async () => (await import('./commands/cliQuery.ts')).runCliQuery,
  index: async () => (await import('./commands/cliIndex.ts')).runCliIndex,
  report: async () => (await import('./commands/cliReport.ts')).runCliReport,
  verify: async () => (await import('./commands/cliVerify.ts')).runCliVerify,
  export: async () => (await import('./commands/cliExport.ts')).runCliExport,
  import: async () => (await import('./commands/cliImport.ts')).runCliImport,
  grant: async () => (await import('./commands/cliGrant.ts')).runCliGrant,
  revoke: async () => (await import('./commands/cliGrant.ts')).runCliRevoke,
  list: async () => (await import('./commands/cliList.ts')).runCliList,
  clean: async () => (await import('./commands/cliClean.ts')).runCliClean,
};

/** Runs `parley-search` with these arguments. What goes wrong is told in a sentence. @returns the exit code */
export async function runCommandLine(args: readonly string[], process: CliProcess): Promise<number> {
  loadSentences(packageFolder());
  let signal: AbortSignal | undefined;
  const interrupted = (): AbortSignal => {
    signal ??= process.interrupted();
    return signal;
  };
  try {
    return await run(args, { ...process, interrupted });
  } catch (error) {
    if (signal?.aborted || isCancelled(error)) {
      process.terminal.note(l10n.t('Stopped. What was stored stays.'));
      return exitCode.interrupted;
    }
    tell(process.terminal, error);
    return exitCode.problem;
  }
}

function tell(terminal: Terminal, error: unknown): void {
  const { sentence, next } = cliErrorText(error);
  terminal.note(`${sentence} ${next}`);
}

async function run(
  [first = '', ...rest]: readonly string[],
  { cwd, environment, terminal, interrupted }: CliProcess,
): Promise<number> {
  if (first === '--version') {
    terminal.out(packageVersion());
    return exitCode.done;
  }
  const isHelp = ['--help', '-h', 'help'].includes(first);
  const asked = isHelp ? rest[0] : first;
  if (isHelp && asked === undefined) {
    terminal.out(helpText());
    return exitCode.done;
  }
  const name = commandNames.find((each) => each === asked);
  if (name === undefined) throw unknownCommand(asked ?? '');
  if (isHelp || rest.slice(0, endOfOptions(rest)).some((each) => each === '--help' || each === '-h')) {
    terminal.out(commandHelp(name));
    return exitCode.done;
  }
  const read = readArguments(rest, commandSpecs[name].options);
  const takesNone = commandSpecs[name].usage === '' && read.positionals.length > 0;
  if (takesNone) {
    throw new CliProblem(l10n.t('“{0}” takes no folders.', name), l10n.t('Give it alone, or with its options.'));
  }
  const data = dataFolder(environment);
  if (name === 'mcp') {
    const { serveMcp } = await import('../mcp/serve.ts');
    // A folder that is not there yet may be there at the agent's first question.
    const folders = (read.positionals.length === 0 ? ['.'] : read.positionals).map((folder) => resolve(cwd, folder));
    const { teamOf } = await import('./team/cliTeam.ts');
    // What is wrong with the environment is said at once, not with the first question.
    teamOf({ environment });
    await serveMcp(packageVersion(), data, folders, () => teamOf({ environment }));
    return exitCode.done;
  }
  const runCommand = await runs[name]();
  return runCommand({ args: read, cwd, data, environment, terminal, signal: interrupted() });
}

/** Where options end: what follows `--` is text. */
function endOfOptions(args: readonly string[]): number {
  const at = args.indexOf('--');
  return at < 0 ? args.length : at;
}

function unknownCommand(typed: string): CliProblem {
  const nearest = nearestName(typed, commandNames);
  const next =
    nearest === undefined
      ? l10n.t('“parley-search --help” lists the commands.')
      : l10n.t('Did you mean “{0}”?', nearest);
  if (typed === '') return new CliProblem(l10n.t('There is no command.'), next);
  // What follows the name of the program may be anything, a key as well.
  const shown = /^[a-z][a-z-]{0,20}$/i.test(typed) ? l10n.t('There is no command “{0}”.', typed) : undefined;
  return new CliProblem(shown ?? l10n.t('There is no such command.'), next);
}

/** The package that this runs from: the extension, the one of npm, or the sources. */
function packageFolder(): string {
  return import.meta.dirname === undefined ? join(__dirname, '..') : join(import.meta.dirname, '../../..');
}

function packageVersion(): string {
  return (JSON.parse(readFileSync(join(packageFolder(), 'package.json'), 'utf8')) as { version: string }).version;
}
