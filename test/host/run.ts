/**
 * Runs the suites of `suites/` inside a real VS Code, two windows at a time. `npm test` calls it. Names of rooms or
 * suites as arguments pick those (`chat search/badInput`), `--grep <text>` the tests whose full title contains the text.
 */
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { runTests } from '@vscode/test-electron';
import { packageExtension } from './package.ts';
import { failures, failuresOf, flakyFile, out, root } from './paths.ts';
import { byLine, mustRun, run } from './processes.ts';
import { readSuiteResult, type SuiteResult } from './suiteJournal.ts';
import { keepTemporaryFilesInMemory } from './temporary.ts';
import { hostileWindows, testWindows, type WindowName, windows } from './windows.ts';

const launcher = join(import.meta.dirname, 'launcher.ts');

export interface Counts {
  readonly passed: number;
  readonly failed: number;
}

/** Builds the extension and the suites. */
export async function buildSuites(): Promise<void> {
  await mustRun(process.execPath, ['esbuild.mjs'], { cwd: root });
  await mustRun(process.execPath, ['esbuild.mjs', '--suite'], { cwd: root });
}

/**
 * Runs the suites of a window, which are built, in VS Code with fresh state on a copy of the fixture workspace.
 * @param where `folder` opens that folder instead, as it is; `machineSettings` are there before the window opens
 */
export async function runWindow(where: {
  readonly window: WindowName;
  readonly folder?: string;
  readonly machineSettings?: Readonly<Record<string, unknown>>;
  readonly vscodeExecutablePath?: string;
  readonly launchArgs?: string[];
  readonly env?: Readonly<Record<string, string>>;
}): Promise<Counts> {
  const state = await mkdtemp(join(tmpdir(), 'parley-'));
  const workspace = where.folder ?? (await copyWorkspace(join(state, 'workspace')));
  const journal = join(state, 'tests.jsonl');
  const { window, launchArgs = [], env = {}, folder: _, machineSettings = {}, vscodeExecutablePath = launcher } = where;
  await mkdir(join(state, 'data', 'data', 'Machine'), { recursive: true });
  await writeFile(join(state, 'data', 'data', 'Machine', 'settings.json'), JSON.stringify(machineSettings));
  const opened = window === 'workspaceFile' ? await writeWorkspaceFile(state, workspace) : workspace;
  // A newcomer has what users install; VS Code runs tests only where some extension is being developed.
  const isInstalled = window === 'newcomer';
  const installing = isInstalled ? [`--install-extension=${await packageExtension()}`] : [];
  try {
    await runTests({
      vscodeExecutablePath,
      extensionDevelopmentPath: isInstalled ? await writeEmptyExtension(state) : root,
      extensionTestsPath: join(root, 'out', 'host', 'suite.cjs'),
      launchArgs: [
        ...[opened, `--user-data-dir=${join(state, 'data')}`, `--extensions-dir=${join(state, 'ext')}`],
        ...installing,
        ...launchArgs,
      ],
      extensionTestsEnv: {
        ...env,
        PARLEY_TEST_ROOT: root,
        PARLEY_TEST_WINDOW: window,
        PARLEY_TEST_JOURNAL: journal,
        PARLEY_TEST_DATA: join(state, 'data'),
        // The record of indexes that this machine has must not get those of tests; a server has the same of its own.
        PARLEY_DATA_DIR: join(state, 'data', 'parley'),
      },
    });
    return count(readSuiteResult(journal), 'VS Code ended without a result.');
  } catch (error) {
    return count(readSuiteResult(journal), error);
  } finally {
    await rm(state, { recursive: true, force: true });
  }
}

async function writeEmptyExtension(state: string): Promise<string> {
  const folder = join(state, 'empty');
  await mkdir(folder);
  const manifest = { name: 'empty', publisher: 'test', version: '0.0.0', engines: { vscode: '*' } };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  return folder;
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

/** Counts what a suite left, and says what it did not come to. A test that never ran counts as failed. */
function count(result: SuiteResult | undefined, reason: unknown): Counts {
  const why = reason instanceof Error ? reason.message : String(reason);
  if (result === undefined) {
    console.error(`The suite did not begin: ${why}`);
    return { passed: 0, failed: 1 };
  }
  const { passed, failed, neverRan } = result;
  if (neverRan.length > 0) {
    console.error(
      `The suite was ended (${why}): ${passed.length} passed, ${failed.length} failed, ${neverRan.length} never ran:`,
    );
    for (const title of failed) console.error(`  failed     ${title}`);
    for (const title of neverRan) console.error(`  never ran  ${title}`);
  }
  return { passed: passed.length, failed: failed.length + neverRan.length };
}

/**
 * Opens the windows that have one of the suites, or all of them, two at a time, and adds up what they count. Each line of a
 * window is printed as it comes, with the name of the window. Where something failed, the window's log stands with its pictures,
 * and the window is opened once more: what passes then counts as passed, and is named as flaky.
 */
async function runWindows(wanted: readonly string[], env: NodeJS.ProcessEnv): Promise<Counts> {
  const suites = testWindows.flatMap((name) => [...windows[name]]).filter((suite) => isWanted(suite, wanted));
  const waiting = testWindows.filter((name) => windows[name].some((suite) => suites.includes(suite)));
  if (waiting.length === 0) throw new Error(`No suite has ${wanted.join(' or ')} in its name.`);
  await buildSuites();
  for (const left of [failures, flakyFile]) await rm(left, { recursive: true, force: true });
  const sum = { passed: 0, failed: 0 };
  const flaky: string[] = [];
  const runNext = async (): Promise<void> => {
    const window = waiting.shift();
    if (window === undefined) return;
    const first = await runOnce(window);
    if (first.failed > 0) await keepLog(window);
    const last = first.failed > 0 ? await runOnce(window) : first;
    if (first.failed > 0 && last.failed === 0) flaky.push(...first.titles.map((title) => `${window}: ${title}`));
    sum.passed += last.passed;
    sum.failed += last.failed;
    return runNext();
  };
  /** Runs a window in a process of its own, so that what is known of a window is known of one only. */
  const runOnce = async (window: WindowName): Promise<Counts & { readonly titles: readonly string[] }> => {
    const printLine = byLine((line) => console.log(`${window}: ${line}`));
    const isHostile = hostileWindows.some((name) => name === window);
    const script = isHostile ? join(import.meta.dirname, 'attack.ts') : import.meta.filename;
    const { output } = await run(process.execPath, [script, `--window=${window}`], {
      cwd: root,
      env: { ...env, PARLEY_TEST_SUITES: suites.join(',') },
      onOutput: printLine,
    });
    const [passed, failed] = (/(\d+) passed, (\d+) failed\s*$/.exec(output) ?? [0, 0, 1]).slice(1).map(Number);
    const titles = [...output.matchAll(/^(?:FAILED| {2}failed {5}| {2}never ran) +(.+)$/gm)].map(
      ([, title = '']) => title,
    );
    return { passed: passed ?? 0, failed: failed ?? 1, titles: titles.length > 0 ? titles : ['did not begin'] };
  };
  await Promise.all([runNext(), runNext()]);
  await mkdir(out, { recursive: true });
  await writeFile(flakyFile, flaky.map((name) => `${name}\n`).join(''));
  for (const name of flaky) console.log(`flaky: ${name}`);
  return sum;
}

/** `search` stands for all suites of the room, `badInput` for `search/badInput`. */
function isWanted(suite: string, wanted: readonly string[]): boolean {
  const [room, name] = suite.split('/');
  return wanted.length === 0 || wanted.some((word) => word === suite || word === room || word === name);
}

async function keepLog(window: WindowName): Promise<void> {
  const folder = failuresOf(window);
  await mkdir(folder, { recursive: true });
  await cp(join(out, 'host', `vscode-${window}.log`), join(folder, 'vscode.log')).catch(() => {});
  console.log(`${window}: its pictures and its log are in ${relative(root, folder)}`);
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { grep: { type: 'string', default: '' }, window: { type: 'string' } },
  });
  keepTemporaryFilesInMemory();
  const env = { ...process.env };
  if (values.grep !== '') env.PARLEY_TEST_GREP = values.grep;
  const counts =
    values.window === undefined
      ? await runWindows(positionals, env)
      : await runWindow({ window: values.window as WindowName });
  console.log(`${counts.passed} passed, ${counts.failed} failed`);
  process.exitCode = counts.failed === 0 ? 0 : 1;
}
