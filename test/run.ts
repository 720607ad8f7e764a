/** `npm test`: sets everything up, then runs every check, and ends with the sum: `N passed, N failed`. */
import { readFile } from 'node:fs/promises';
import { ensureGit } from './host/git.ts';
import { findPackageProblems, packageExtension } from './host/package.ts';
import { flakyFile, root } from './host/paths.ts';
import { ensurePooler, ensurePostgres } from './host/postgres.ts';
import { byLine, run } from './host/processes.ts';
import { withProgress } from './host/progress.ts';
import { ensureProxies } from './host/proxies.ts';
import { setUpHost } from './host/setup.ts';
import { keepTemporaryFilesInMemory } from './host/temporary.ts';
import { nodeTests, type Result } from './nodeTests.ts';

interface Stage {
  readonly name: string;
  /** Seconds that it may take on two idle cores. */
  readonly budget: number;
  run(): Promise<Result>;
}

/** Stages in their order; those of one row do not disturb each other, and run at once. */
const rows: readonly (readonly Stage[])[] = [
  [{ name: 'set-up', budget: 60, run: () => oneCheck(setUp) }],
  [
    { name: 'lint', budget: 15, run: () => oneCommand('biome', ['check', '--error-on-warnings', '--colors=off']) },
    { name: 'types', budget: 20, run: () => oneCommand('tsc', ['--noEmit']) },
  ],
  [{ name: 'unit', budget: 100, run: () => nodeTests('test/unit') }],
  [{ name: 'contract', budget: 50, run: () => nodeTests('test/contract') }],
  [{ name: 'build', budget: 10, run: () => oneCommand(process.execPath, ['esbuild.mjs']) }],
  [{ name: 'package', budget: 20, run: () => oneCheck(checkPackage) }],
  [{ name: 'in VS Code', budget: 300, run: suites }],
  [{ name: 'panel', budget: 60, run: () => nodeTests('test/ui') }],
  [{ name: 'tour', budget: 45, run: () => oneCommand(process.execPath, ['test/host/start.ts', '--tour', '--short']) }],
];

// Exiting ends what runs; dying of the signal would leave it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130));

keepTemporaryFilesInMemory();
let passed = 0;
let failed = 0;
for (const row of rows) await Promise.all(row.map(runStage));
for (const name of await flakyTests()) console.log(`flaky: ${name}`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

async function runStage({ name, budget, run: runTests }: Stage): Promise<void> {
  const start = performance.now();
  const result = await withProgress(name, runTests);
  if (result.failed > 0 && result.output !== '') console.log(result.output.trimEnd());
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${name}: ${result.passed} passed, ${result.failed} failed (${seconds} s of ${budget} s)`);
  passed += result.passed;
  failed += result.failed;
}

/** Tests in VS Code that failed once and passed in a fresh window: each that comes twice is a defect. */
async function flakyTests(): Promise<string[]> {
  const text = await readFile(flakyFile, 'utf8').catch(() => '');
  return text.split('\n').filter((name) => name !== '');
}

/** VS Code, git, the proxies, PostgreSQL, its pooler and the browser; the panel's tests find the browser in PARLEY_CHROMIUM. */
async function setUp(): Promise<string[]> {
  process.env.PARLEY_CHROMIUM = (await setUpHost()).chromium;
  await ensureGit();
  await ensureProxies();
  await ensurePostgres();
  await ensurePooler();
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

/** The suites inside VS Code; all that they say of failures is printed as it comes. */
async function suites(): Promise<Result> {
  const onOutput = byLine((line) => {
    // A test that passed has one line, `WINDOW: ok …`.
    if (!/^\w+: (ok|ready) /.test(line)) console.log(line);
  });
  const { code, output } = await run(process.execPath, ['test/host/run.ts'], { cwd: root, onOutput });
  const [, passed, failed] = /(\d+) passed, (\d+) failed\s*$/.exec(output) ?? [];
  return { passed: Number(passed ?? 0), failed: Number(failed ?? 1) || (code === 0 ? 0 : 1), output: '' };
}
