/**
 * Installs a real VS Code without downloading from anywhere but the npm registry: the package code-server carries a
 * compiled VS Code with its remote extension host and its web workbench.
 */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findOrInstallChromium } from './chromium.ts';
import { hostCache } from './paths.ts';
import { mustRun } from './processes.ts';
import { withProgress } from './progress.ts';

/** The code-server release; it carries VS Code 1.139.1. */
const codeServerVersion = '4.139.1';

/** The file that says that all steps below are done; a step more wants another name. */
const installedMark = '.installed-with-dialogs';

export interface Host {
  /** Absolute path of VS Code's `server-main.js`, to be run by Node 24. */
  readonly serverMain: string;
  /** Absolute path of a Chromium. */
  readonly chromium: string;
}

/** Makes sure that a VS Code and a browser are there. The first time takes a minute, later ones no time. */
export async function setUpHost(): Promise<Host> {
  return { serverMain: await setUpServer(), chromium: await findOrInstallChromium() };
}

/** Makes sure that VS Code's server is there and gives the path of its `server-main.js`. */
export async function setUpServer(): Promise<string> {
  const home = join(hostCache, `vscode-of-code-server-${codeServerVersion}`);
  if (!existsSync(join(home, installedMark))) {
    await mkdir(hostCache, { recursive: true });
    await withProgress(`Installing VS Code (code-server ${codeServerVersion})`, () => installServer(home));
  }
  return join(home, 'lib', 'vscode', 'out', 'server-main.js');
}

/** Installs beside the final place and moves the whole there, so that an interrupted set-up leaves nothing half done. */
async function installServer(home: string): Promise<void> {
  const temporary = await mkdtemp(join(hostCache, 'installing-'));
  try {
    await mustRun('npm', ['pack', `code-server@${codeServerVersion}`, '--silent', '--pack-destination', temporary]);
    const archive = join(temporary, `code-server-${codeServerVersion}.tgz`);
    await mustRun('tar', ['-xzf', archive, '-C', temporary, 'package/lib/vscode']);
    // The lock files are out of step with their package.json, so `npm ci` refuses them. Parts that would need a compiler
    // (terminal, native log) are left without; VS Code logs that and works.
    const flags = ['--omit=dev', '--ignore-scripts', '--legacy-peer-deps', '--no-package-lock', '--loglevel=error'];
    const server = join(temporary, 'package', 'lib', 'vscode');
    // The second is what the built-in extensions share: TypeScript.
    for (const cwd of [server, join(server, 'extensions')]) {
      await mustRun('npm', ['install', ...flags, '--no-audit', '--no-fund'], { cwd });
    }
    await letDialogsShow(join(server, 'out', 'vs', 'code', 'browser', 'workbench', 'workbench.js'));
    await writeFile(join(temporary, 'package', installedMark), '');
    await rm(home, { recursive: true, force: true });
    await rename(join(temporary, 'package'), home);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/**
 * VS Code answers or refuses every dialog by itself while tests run. Our suites press their buttons as a user does, so the
 * workbench is patched in that one function; outside of tests it says the same. The file is 19 MB long: patched on the way to
 * each window, it took a second of the window's start and the browser's cache with it.
 */
async function letDialogsShow(workbench: string): Promise<void> {
  const source = await readFile(workbench, 'utf8');
  const patched = source.replace(/skipDialogs\(\)\{return [^{}]*\}/g, 'skipDialogs(){return!1}');
  if (patched === source) throw new Error(`${workbench} has no skipDialogs() to patch.`);
  await writeFile(workbench, patched);
}
