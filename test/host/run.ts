/**
 * Runs the suites of `suites/` inside a real VS Code. `npm test` calls it; alone, `--grep <text>` picks the tests whose full
 * title contains the text.
 */

import { readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runTests } from '@vscode/test-electron';
import { root } from './paths.ts';
import { mustRun, run } from './processes.ts';

export interface Counts {
  readonly passed: number;
  readonly failed: number;
}

/** Builds the extension and the suite, and runs them in VS Code with fresh state on a copy of the fixture workspace. */
export async function runSuite(where: {
  readonly vscodeExecutablePath?: string;
  readonly launchArgs?: string[];
  readonly env?: Readonly<Record<string, string>>;
}): Promise<Counts> {
  await mustRun(process.execPath, ['esbuild.mjs'], { cwd: root });
  await mustRun(process.execPath, ['esbuild.mjs', '--suite'], { cwd: root });
  const state = await mkdtemp(join(tmpdir(), 'parley-'));
  const workspace = await copyWorkspace(join(state, 'workspace'));
  const counts = join(state, 'counts.json');
  const { launchArgs = [], env = {}, ...executable } = where;
  try {
    await runTests({
      ...executable,
      extensionDevelopmentPath: root,
      extensionTestsPath: join(root, 'out', 'host', 'suite.cjs'),
      launchArgs: [
        ...[workspace, `--user-data-dir=${join(state, 'data')}`, `--extensions-dir=${join(state, 'ext')}`],
        ...launchArgs,
      ],
      extensionTestsEnv: { ...env, PARLEY_TEST_COUNTS: counts },
    });
    return readCounts(counts) ?? failedBeforeTheEnd('VS Code ended without a result.');
  } catch (error) {
    return readCounts(counts) ?? failedBeforeTheEnd(error);
  } finally {
    await rm(state, { recursive: true, force: true });
  }
}

/** A fresh copy with a git repository around it, all committed, so that what git ignores is ignored. */
export async function copyWorkspace(to: string): Promise<string> {
  await rm(to, { recursive: true, force: true });
  await mkdir(to, { recursive: true });
  await cp(join(root, 'test', 'fixtures', 'workspace'), to, { recursive: true });
  const author = ['-c', 'user.name=Parley', '-c', 'user.email=parley@localhost'];
  for (const args of [
    ['init', '--initial-branch=main'],
    ['add', '.'],
    [...author, 'commit', '--message=The harbour'],
  ]) {
    // A machine without git has no ignored files to leave out either.
    await run('git', args, { cwd: to });
  }
  return to;
}

function readCounts(file: string): Counts | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Counts;
  } catch {
    return undefined;
  }
}

function failedBeforeTheEnd(reason: unknown): Counts {
  console.error(`The suite did not come to its end: ${reason instanceof Error ? reason.message : reason}`);
  return { passed: 0, failed: 1 };
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { grep: { type: 'string', default: '' } } });
  const vscodeExecutablePath = join(import.meta.dirname, 'launcher.ts');
  const env: Record<string, string> = values.grep === '' ? {} : { PARLEY_TEST_GREP: values.grep };
  const trusted = await runSuite({ vscodeExecutablePath, env });
  const restricted = await runSuite({ vscodeExecutablePath, env: { ...env, PARLEY_TEST_RESTRICTED: '1' } });
  const passed = trusted.passed + restricted.passed;
  const failed = trusted.failed + restricted.failed;
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}
