import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join, sep } from 'node:path';
import { root } from './host/paths.ts';
import { run } from './host/processes.ts';
import type { Counts } from './host/run.ts';

export interface Result extends Counts {
  /** What is still to be said of what failed. */
  readonly output: string;
}

/**
 * The files `*.test.ts` of a folder with node's test runner, or those of them whose path has a text in it: first those of rooms that
 * were changed, then the others. A failure is printed in the moment in which it is known.
 */
export async function nodeTests(folder: string, env: NodeJS.ProcessEnv = process.env, text = ''): Promise<Result> {
  const path = join(root, folder);
  const names = existsSync(path) ? await readdir(path, { recursive: true }) : [];
  const files = names
    .filter((name) => name.endsWith('.test.ts') && name.includes(text))
    .map((name) => join(folder, name));
  if (files.length === 0) return { passed: 0, failed: 1, output: `${folder} has no tests${text && ` of ${text}`}.` };
  const rooms = await changedRooms();
  const isChanged = (file: string): boolean => rooms.has(file.split(sep)[2] ?? '');
  const groups = [files.filter(isChanged), files.filter((file) => !isChanged(file))];
  const sum = { passed: 0, failed: 0, output: '' };
  for (const group of groups) {
    if (group.length === 0) continue;
    const { passed, failed, output } = await runFiles(group, env);
    sum.passed += passed;
    sum.failed += failed;
    sum.output += output;
  }
  return sum;
}

/** The rooms in which the last commit, or what is not committed yet, has changed something: `chat` for `src/chat/…`. */
async function changedRooms(): Promise<ReadonlySet<string>> {
  const { output } = await run('git', ['diff', '--name-only', 'HEAD~1'], { cwd: root });
  return new Set([...output.matchAll(/^(?:src|test\/\w+)\/(\w+)\//gm)].map(([, room = '']) => room));
}

async function runFiles(files: readonly string[], env: NodeJS.ProcessEnv): Promise<Result> {
  const reporter = ['--test-reporter=./test/failureReporter.ts', '--test-reporter-destination=stdout'];
  // Node would leave a core free for itself.
  const together = `--test-concurrency=${availableParallelism()}`;
  // A test that waits for what never comes is to fail, not to hold everything up. The limit is for one test, not for the sum.
  const seed = ['--import', './test/support/propertySeed.ts'];
  const options = ['--test', together, '--test-timeout=600000', ...seed, ...reporter];
  const { output } = await run(process.execPath, [...options, ...files], {
    cwd: root,
    env,
    onOutput: (piece) => process.stdout.write(piece.replace(counts, '')),
  });
  const [, passed, failed] = counts.exec(output) ?? [];
  return passed === undefined
    ? { passed: 0, failed: 1, output: 'Node ended before its tests did.' }
    : { passed: Number(passed), failed: Number(failed), output: '' };
}

/** The reporter's last line. */
const counts = /^(\d+) passed, (\d+) failed\n/m;
