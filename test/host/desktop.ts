/**
 * `npm run test:desktop`: the same suites in a downloaded desktop VS Code. Where it cannot be downloaded, this says so and
 * ends with 1.
 */
import { join } from 'node:path';
import { downloadAndUnzipVSCode, type ProgressReport } from '@vscode/test-electron';
import { type Browser, chromium, type Page } from 'playwright-core';
import { startHands } from './hands.ts';
import { hostCache } from './paths.ts';
import { findFreePort } from './processes.ts';
import { withProgress } from './progress.ts';
import { buildSuites, runWindow } from './run.ts';
import type { WindowName } from './windows.ts';

/** How long the download may take to begin, in milliseconds. It may then last as long as it comes. */
const patienceForDownload = 20_000;

let attached: Promise<Browser> | undefined;

const vscodeExecutablePath = await withProgress('Downloading VS Code', download);
const wanted: WindowName[] = ['search', 'index', 'connection', 'chat', 'edits', 'models', 'outsideText'];
await buildSuites();
let passed = 0;
let failed = 0;
for (const window of wanted) {
  const debuggingPort = await findFreePort();
  const hands = await startHands(() => attach(debuggingPort));
  const counts = await runWindow({
    window,
    vscodeExecutablePath,
    launchArgs: [`--remote-debugging-port=${debuggingPort}`, '--disable-telemetry', '--disable-extensions'],
    env: { PARLEY_TEST_HANDS: hands.address },
  });
  passed += counts.passed;
  failed += counts.failed;
  hands.close();
  await (await attached)?.close();
  attached = undefined;
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

function download(): Promise<string> {
  return new Promise((resolve) => {
    const giveUp = (reason: string) => {
      console.error(
        `The desktop VS Code could not be downloaded (${reason}); \`npm test\` runs the same suites without it.`,
      );
      process.exit(1);
    };
    const timer = setTimeout(() => giveUp(`no answer within ${patienceForDownload / 1000} s`), patienceForDownload);
    const report = ({ stage }: ProgressReport) => {
      if (stage === 'downloading' || stage === 'foundMatchingInstall') clearTimeout(timer);
    };
    const options = { cachePath: join(hostCache, 'desktop'), reporter: { report, error: () => {} } };
    downloadAndUnzipVSCode(options).then(resolve, (error: unknown) =>
      giveUp(error instanceof Error ? error.message : String(error)),
    );
  });
}

/** The workbench's page of the desktop window, through the debugging port that it was started with. */
async function attach(port: number): Promise<Page> {
  attached ??= chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  const pages = (await attached).contexts().flatMap((context) => context.pages());
  const page = pages.find((candidate) => candidate.url().includes('workbench.html'));
  if (page === undefined) throw new Error('The desktop VS Code shows no workbench.');
  return page;
}
