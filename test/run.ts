/** `npm test`: sets everything up, then runs every check, and ends with the sum: `N passed, N failed`. */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureGit } from './host/git.ts';
import { findPackageProblems, packageExtension } from './host/package.ts';
import { root } from './host/paths.ts';
import { run } from './host/processes.ts';
import { withProgress } from './host/progress.ts';
import { ensureProxies } from './host/proxies.ts';
import type { Counts } from './host/run.ts';
import { setUpHost } from './host/setup.ts';

interface Result extends Counts {
  /** Shown when something failed. */
  readonly output: string;
}

const stages: readonly (readonly [name: string, stage: () => Promise<Result>])[] = [
  ['set-up', () => oneCheck(setUp)],
  ['lint', () => oneCommand('biome', ['check', '--error-on-warnings', '--colors=off'])],
  ['types', () => oneCommand('tsc', ['--noEmit'])],
  ['unit', () => nodeTests('test/unit')],
  ['contract', () => nodeTests('test/contract')],
  ['build', () => oneCommand(process.execPath, ['esbuild.mjs'])],
  ['package', () => oneCheck(checkPackage)],
  ['in VS Code', () => countedCommand(process.execPath, ['test/host/run.ts'])],
  ['panel', () => nodeTests('test/ui')],
];

// Exiting ends what runs; dying of the signal would leave it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130));

let passed = 0;
let failed = 0;
for (const [name, stage] of stages) {
  const start = performance.now();
  const result = await withProgress(name, stage);
  if (result.failed > 0) console.log(`${result.output.trimEnd()}\n`);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${name}: ${result.passed} passed, ${result.failed} failed (${seconds} s)`);
  passed += result.passed;
  failed += result.failed;
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** VS Code, git, the proxies and the browser; the panel's tests find the browser in PARLEY_CHROMIUM. */
async function setUp(): Promise<string[]> {
  process.env.PARLEY_CHROMIUM = (await setUpHost()).chromium;
  await ensureGit();
  await ensureProxies();
  return [];
}

async function checkPackage(): Promise<string[]> {
  return findPackageProblems(await packageExtension());
}

/** A check that gives what is wrong. */
async function oneCheck(check: () => Promise<string[]>): Promise<Result> {
  const problems = await check().catch((error: unknown) => [error instanceof Error ? error.message : String(error)]);
  return single(problems.length === 0, problems.join('\n'));
}

async function oneCommand(command: string, args: readonly string[]): Promise<Result> {
  const { code, output } = await run(command, args, { cwd: root });
  return single(code === 0, output);
}

function single(passes: boolean, output: string): Result {
  return { passed: passes ? 1 : 0, failed: passes ? 0 : 1, output };
}

/** A command whose own last line is `N passed, N failed`. */
async function countedCommand(command: string, args: readonly string[]): Promise<Result> {
  const { code, output } = await run(command, args, { cwd: root });
  const counts = /(\d+) passed, (\d+) failed\s*$/.exec(output);
  if (counts === null) return single(false, output);
  return { passed: Number(counts[1]), failed: Number(counts[2]) || (code === 0 ? 0 : 1), output };
}

/** The files `*.test.ts` of a folder with node's test runner. A test that was skipped or left to do counts as failed. */
async function nodeTests(folder: string): Promise<Result> {
  const path = join(root, folder);
  const names = existsSync(path) ? await readdir(path) : [];
  const files = names.filter((name) => name.endsWith('.test.ts')).map((name) => join(folder, name));
  if (files.length === 0) return single(false, `${folder} has no tests.`);
  const reporters = ['--test-reporter=tap', '--test-reporter-destination=stdout'];
  // A test that waits for what never comes is to fail, not to hold everything up.
  const { code, output } = await run(process.execPath, ['--test', '--test-timeout=180000', ...reporters, ...files], {
    cwd: root,
  });
  const count = (name: string) => Number(new RegExp(`^# ${name} (\\d+)$`, 'm').exec(output)?.[1] ?? Number.NaN);
  const tests = count('tests');
  const passes = count('pass');
  if (Number.isNaN(tests + passes)) return single(false, output);
  return { passed: passes, failed: tests - passes || (code === 0 ? 0 : 1), output: failures(output) };
}

/** Of the test runner's TAP output, the failed tests with their reasons. */
function failures(tap: string): string {
  const kept: string[] = [];
  let keeping = false;
  for (const line of tap.split('\n')) {
    if (/^\s*(not )?ok /.test(line)) keeping = /^\s*not ok |# (SKIP|TODO)/i.test(line);
    else if (/^\s*# (Subtest|tests|duration_ms)/.test(line)) keeping = false;
    if (keeping && !/^\s*(duration_ms|type|location):/.test(line)) kept.push(line);
  }
  return kept.join('\n');
}
