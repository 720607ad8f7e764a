/**
 * Runs the suites of `suites/` inside a real VS Code. `npm test` calls it; alone, `--grep <text>` picks the tests whose full
 * title contains the text.
 */

import { readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
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

/**
 * Builds the extension and the suite, and runs them in VS Code with fresh state on a copy of the fixture workspace.
 * @param where `workspaceFile` opens it through a workspace file, with a second folder beside it
 */
export async function runSuite(where: {
  readonly workspaceFile?: boolean;
  readonly vscodeExecutablePath?: string;
  readonly launchArgs?: string[];
  readonly env?: Readonly<Record<string, string>>;
}): Promise<Counts> {
  await mustRun(process.execPath, ['esbuild.mjs'], { cwd: root });
  await mustRun(process.execPath, ['esbuild.mjs', '--suite'], { cwd: root });
  const state = await mkdtemp(join(tmpdir(), 'parley-'));
  const workspace = await copyWorkspace(join(state, 'workspace'));
  const counts = join(state, 'counts.json');
  const { launchArgs = [], env = {}, workspaceFile = false, ...executable } = where;
  const opened = workspaceFile ? await writeWorkspaceFile(state, workspace) : workspace;
  try {
    await runTests({
      ...executable,
      extensionDevelopmentPath: root,
      extensionTestsPath: join(root, 'out', 'host', 'suite.cjs'),
      launchArgs: [
        ...[opened, `--user-data-dir=${join(state, 'data')}`, `--extensions-dir=${join(state, 'ext')}`],
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

async function writeWorkspaceFile(state: string, workspace: string): Promise<string> {
  const second = join(state, 'second');
  const file = join(state, 'two-folders.code-workspace');
  await mkdir(second);
  await writeFile(file, JSON.stringify({ folders: [{ path: workspace }, { path: second }] }));
  return file;
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
  let passed = 0;
  let failed = 0;
  // A window for each: the folder, the folder without trust, and a workspace file.
  for (const window of [
    { env },
    { env: { ...env, PARLEY_TEST_RESTRICTED: '1' } },
    { env: { ...env, PARLEY_TEST_WORKSPACE_FILE: '1' }, workspaceFile: true },
  ]) {
    const counts = await runSuite({ vscodeExecutablePath, ...window });
    passed += counts.passed;
    failed += counts.failed;
  }
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}
