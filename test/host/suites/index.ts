/** What VS Code runs in its extension host: the suites of a window, with Mocha. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { commands } from 'vscode';
import { Command } from '../../../src/ids/ids.ts';
import { currentWindow, windows } from '../windows.ts';
import { leaveAll, reloadOnce, untilReloaded } from './beforeReload.ts';
import { leaveRequests, untilRequestsAreBack } from './leaveRequests.ts';
import { Report } from './report.ts';
import { dialog, screenshotOfFailure } from './support/hands.ts';
import { repositoryRoot } from './support/subject.ts';

/** Runs the file of a suite, `ROOM/NAME`, which puts its tests on Mocha's list. The bundler takes in all that this may mean. */
async function load(suite: string): Promise<void> {
  const [room, name] = suite.split('/');
  await import(`./${room}/${name}.test.ts`);
}

/** What this window runs: all of its suites, or those of them that PARLEY_TEST_SUITES names, with commas. */
function wantedSuites(): readonly string[] {
  const name = currentWindow();
  if (name === undefined) throw new Error('PARLEY_TEST_WINDOW names no window.');
  const picked = process.env.PARLEY_TEST_SUITES?.split(',');
  return windows[name].filter((suite) => picked?.includes(suite) ?? true);
}

/** How long a test may take, in milliseconds: far more than any needs on a slow machine, less than the launcher waits. */
const testTimeout = 100_000;

/** Runs every suite; throws when a test failed, which makes VS Code exit with 1. */
export async function run(): Promise<void> {
  if (currentWindow() === 'reloaded') {
    await reloadOnce(leaveAll).catch(failWithPicture);
    await untilReloaded().catch(failWithPicture);
  }
  if (currentWindow() === 'requests') {
    await reloadOnce(leaveRequests).catch(failWithPicture);
    await untilRequestsAreBack().catch(failWithPicture);
  }
  const { default: Mocha } = await import('mocha');
  // Mocha asks of a reporter no more than that it can be made from a runner; its types ask for the whole base class.
  const reporter = Report as unknown as Mocha.ReporterConstructor;
  // Only the tests whose names hold this text, while one is being written.
  const grep = process.env.PARLEY_TEST_GREP;
  failOnForgottenSuites();
  const rootHooks = { afterEach: closeLeftOpen };
  const mocha = new Mocha({
    ui: 'bdd',
    timeout: testTimeout,
    forbidOnly: true,
    reporter,
    rootHooks,
    ...(grep ? { grep } : {}),
  });
  // Puts `describe` and `it` on the global object, as loading a file by name would.
  mocha.suite.emit('pre-require', globalThis, '', mocha);
  for (const name of wantedSuites()) await load(name);
  const failed = await new Promise<number>((resolve) => {
    const runner = mocha.run(() => {
      const { failures = 0, pending = 0 } = runner.stats ?? {};
      resolve(failures + pending);
    });
    passOverOthers(runner as unknown as Uncaught);
  });
  if (failed > 0) throw new Error(`${failed} tests failed.`);
}

/** Mocha's listener for errors that nobody caught. */
interface Uncaught {
  readonly uncaught: (error: unknown) => void;
}

/** VS Code's own extensions run in this process, too: an error that one of them does not catch fails no test of ours. */
function passOverOthers({ uncaught }: Uncaught): void {
  process.removeListener('uncaughtException', uncaught);
  process.on('uncaughtException', (error: unknown) => {
    const { stack = '' } = error instanceof Error ? error : {};
    const isOthers = /[\\/]extensions[\\/]git[\\/]dist[\\/]/.test(stack) && !stack.includes('suite.cjs');
    if (!isOthers) uncaught(error);
  });
}

/** What ends what a failed test has begun. */
const endings = ['workbench.action.closeQuickOpen', Command.searchCancel, 'notifications.clearAll'] as const;

/** Closes the questions, lists and runs that a failed test left open: the tests after it would fail on those, too. */
async function closeLeftOpen(this: Mocha.Context): Promise<void> {
  if (this.currentTest?.state !== 'failed') return;
  await dialog.dismiss();
  // A run that is cancelled asks nothing more; one that asks before it begins is dismissed once it has.
  for (const ending of endings) await commands.executeCommand(ending).then(undefined, () => {});
  await dialog.dismiss();
}

async function failWithPicture(error: unknown): Promise<never> {
  await screenshotOfFailure('before the reload').catch(() => {});
  throw error;
}

function failOnForgottenSuites(): void {
  const folder = join(repositoryRoot(), 'test', 'host', 'suites');
  const written = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => name.slice(0, -'.test.ts'.length).replaceAll('\\', '/'));
  const run: readonly string[] = Object.values(windows).flat();
  const forgotten = written.filter((name) => !run.includes(name));
  if (forgotten.length > 0) throw new Error(`windows.ts does not name ${forgotten.join(', ')}.`);
}
