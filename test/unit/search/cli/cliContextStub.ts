import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { runCommandLine } from '../../../../src/search/cli/commandLine.ts';
import type { Terminal } from '../../../../src/search/cli/terminal/cliTerminal.ts';
import { openIndexRegistry } from '../../../../src/search/registry/indexRegistry.ts';
import { temporaryFolder } from '../../../support/searchFolder.ts';

/** A terminal that keeps what it was told, and gives these answers to questions; without any, nobody is there. */
export function keptTerminal(
  answers: boolean[] = [],
): Terminal & { lines: string[]; notes: string[]; asked: string[] } {
  const kept = { lines: [] as string[], notes: [] as string[], asked: [] as string[] };
  const isInteractive = answers.length > 0;
  return {
    ...kept,
    isInteractive,
    out: (text) => kept.lines.push(text),
    json: (value) => kept.lines.push(JSON.stringify(value)),
    note: (text) => kept.notes.push(text),
    progress: () => undefined,
    async ask(question) {
      kept.asked.push(question);
      return answers.shift() ?? false;
    },
  };
}

/** Runs a command in this process, in a folder and with a data folder of its own. */
export async function runHere(
  args: readonly string[],
  { cwd = '.', data = '/nowhere', environment = {} as Record<string, string>, answers = [] as boolean[] } = {},
) {
  const terminal = keptTerminal(answers);
  const code = await runCommandLine(args, {
    ...{ cwd, terminal, environment: { ...environment, PARLEY_DATA_DIR: data } },
    interrupted: () => new AbortController().signal,
  });
  return { code, ...terminal, said: [...terminal.lines, ...terminal.notes].join('\n') };
}

/** A folder of code, a data folder, and commands that are run there. */
export function machine(t: TestContext) {
  const [cwd, data] = [temporaryFolder(t), temporaryFolder(t)];
  writeFileSync(join(cwd, 'a.ts'), 'export const harbour = 1;\n');
  mkdirSync(join(cwd, 'inner'));
  writeFileSync(join(cwd, 'inner', 'b.ts'), 'export const beacon = 1;\n');
  return { cwd, data, run: (args: string[], answers: boolean[] = []) => runHere(args, { cwd, data, answers }) };
}
export const registryOf = (data: string) => openIndexRegistry(data).all();
