#!/usr/bin/env node
/**
 * Takes the place of the VS Code executable for `@vscode/test-electron`: understands the flags that it passes, starts the
 * server with the suite in its extension host and a browser in front of it, and exits with the suite's code.
 */
import { createWriteStream, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { launchBrowser, openWorkbench, type Window } from './browser.ts';
import { startHands } from './hands.ts';
import { failuresOf, out } from './paths.ts';
import { remoteUri, type Server, startServer } from './server.ts';
import { setUpHost } from './setup.ts';
import { suiteMark } from './suiteMark.ts';
import { currentWindow } from './windows.ts';

const { values, positionals } = parseArgs({
  strict: false,
  allowPositionals: true,
  options: {
    extensionDevelopmentPath: { type: 'string' },
    extensionTestsPath: { type: 'string' },
    'user-data-dir': { type: 'string' },
    'extensions-dir': { type: 'string' },
    'install-extension': { type: 'string' },
  },
});

/**
 * How long no test may end before the suite counts as hanging, in seconds. There is no limit for the sum: a slower machine
 * takes longer. PARLEY_TEST_TIMEOUT sets another.
 */
const limit = Number(process.env.PARLEY_TEST_TIMEOUT) || 120;

const running: { server?: Server; window?: Window } = {};
let ending = false;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(130));
// Whoever started us holds the other end; it closes even when that process is killed.
process.stdin.resume().on('end', () => void end(130));
/** Runs from the moment in which the window is open; what opens it has limits of its own. */
let patience: NodeJS.Timeout | undefined;
main().catch((error: unknown) => fail(error instanceof Error ? error.message : String(error), 'failed'));

async function main(): Promise<void> {
  const host = await setUpHost();
  mkdirSync(join(out, 'host'), { recursive: true });
  const log = createWriteStream(join(out, 'host', `vscode-${currentWindow()}.log`));
  let show: (page: Window['page']) => void = () => {};
  const shown = new Promise<Window['page']>((resolve) => {
    show = resolve;
  });
  const hands = await startHands(() => shown);
  const server = await startServer({
    serverMain: host.serverMain,
    serverDataDir: flag('user-data-dir'),
    extensionsDir: flag('extensions-dir'),
    ...(values['install-extension'] === undefined ? {} : { vsix: flag('install-extension') }),
    testDriver: true,
    settings: {
      // On a busy machine VS Code gives a view or an editor the focus late, when a suite has a list open already, and closes it.
      'workbench.quickOpen.closeOnFocusLost': false,
      // Suites look at what exactly is sent, with whatever file is open; `chat/mentions` turns it on.
      'parley.chat.openFile': false,
    },
    // `@vscode/test-electron` turns trust off for every run; this says which run wants it.
    trust: /restricted$/i.test(currentWindow() ?? ''),
    env: { PARLEY_TEST_HANDS: hands.address },
    onOutput: (text) => log.write(text),
  });
  running.server = server;
  running.window = await launchBrowser(host.chromium);
  const { page } = running.window;
  await page.exposeFunction('codeAutomationLog', (level: string, args: unknown[]) => showLog(args, level, log));
  await page.exposeFunction('codeAutomationExit', (code: number) => void end(code));
  page.on('crash', () => void fail('The browser page crashed.', 'crash'));
  show(page);
  await openWorkbench(
    page,
    server.url(resolve(positionals[0] ?? '.'), [
      ['extensionDevelopmentPath', remoteUri(server.port, flag('extensionDevelopmentPath'))],
      ['extensionTestsPath', remoteUri(server.port, flag('extensionTestsPath'))],
    ]),
  );
  const picture = `out/failures/${currentWindow()}/timeout.png`;
  patience = setTimeout(
    () => void fail(`No test ended for ${limit} s; ${picture} shows the window.`, 'timeout'),
    limit * 1000,
  );
}

function flag(name: keyof typeof values): string {
  const value = values[name];
  if (typeof value !== 'string') throw new Error(`The launcher needs --${name}.`);
  return resolve(value);
}

/** VS Code's whole log arrives here; the suite's own lines carry a mark. */
function showLog(args: unknown[], level: string, log: NodeJS.WritableStream): void {
  const text = args.map((arg) => (typeof arg === 'string' ? arg : JSON.stringify(arg))).join(' ');
  log.write(`[${level}] ${text}\n`);
  for (const line of text.split('\n')) {
    const at = line.indexOf(suiteMark);
    if (at < 0) continue;
    patience?.refresh();
    console.log(line.slice(at + suiteMark.length));
  }
}

async function fail(message: string, picture: string): Promise<void> {
  if (ending) return;
  console.error(message);
  await running.window?.page
    .screenshot({ path: join(failuresOf(currentWindow()), `${picture}.png`), timeout: 5000 })
    .catch(() => {});
  await end(1);
}

async function end(code: number): Promise<void> {
  if (ending) return;
  ending = true;
  await running.window?.close().catch(() => {});
  await running.server?.stop();
  process.exit(code);
}
