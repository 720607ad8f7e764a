/** Starts VS Code's server: the extension host runs in it, and a browser shows its workbench. */
import type { ChildProcess } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { findFreePort, mustRun, startProcessGroup, stopProcessGroup } from './processes.ts';

export interface ServerOptions {
  /** From `setUpServer`. */
  readonly serverMain: string;
  /** Where VS Code keeps its state. An empty folder is a first start. */
  readonly serverDataDir: string;
  readonly extensionsDir: string;
  /** A VSIX to install before the start. */
  readonly vsix?: string;
  /** Machine settings, over the quiet ones below. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Added to our own environment; the extension host inherits it. */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether VS Code asks before it trusts a folder. Without it, every folder is trusted. */
  readonly trust?: boolean;
  /** VS Code's own test driver: it is needed to run a suite, and it hides notifications that a person would see. */
  readonly testDriver?: boolean;
  /** 0 or nothing: any free port. */
  readonly port?: number;
  /** Receives what the server logs. */
  readonly onOutput?: (text: string) => void;
}

export interface Server {
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  readonly port: number;
  /** The address that opens a folder or a workspace file in the workbench; `payload` holds VS Code's own start options. */
  url(path: string, payload?: readonly (readonly [string, string])[]): string;
  /** Ends the server and everything that it started. */
  stop(): Promise<void>;
}

/** No welcome page, no tips, nothing that asks or phones: a workbench as a person has it after a month. */
const quietSettings = {
  'chat.commandCenter.enabled': false,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  // The browser's default saves by itself, which a suite that changes a file does not expect; the desktop's does not.
  'files.autoSave': 'off',
  'git.openRepositoryInParentFolders': 'never',
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
};

const readyWithin = 180_000;

/** Starts the server and resolves when it answers. Throws with the server's last words when it does not. */
export async function startServer(options: ServerOptions): Promise<Server> {
  await writeMachineSettings(options.serverDataDir, options.settings);
  await mkdir(options.extensionsDir, { recursive: true });
  const shared = ['--extensions-dir', options.extensionsDir, '--server-data-dir', options.serverDataDir];
  if (options.vsix !== undefined) {
    const install = [options.serverMain, ...shared, '--install-extension', options.vsix, '--force'];
    await mustRun(process.execPath, [...install, '--accept-server-license-terms']);
  }
  const port = options.port || (await findFreePort());
  const args = [
    ...[options.serverMain, ...shared, '--host', '127.0.0.1', '--port', String(port)],
    ...['--without-connection-token', '--accept-server-license-terms', '--telemetry-level', 'off'],
    // Half a megabyte goes over the loopback with each change of a setting.
    '--disable-websocket-compression',
    ...(options.testDriver ? ['--enable-smoke-test-driver'] : []),
    ...(options.trust ? [] : ['--disable-workspace-trust']),
  ];
  // The record of indexes that this machine has must not get those of tests.
  const own = { PARLEY_DATA_DIR: join(options.serverDataDir, 'parley') };
  const child = startProcessGroup(process.execPath, args, { ...process.env, ...own, ...options.env });
  try {
    await untilReady(child, options.onOutput);
  } catch (error) {
    await stopProcessGroup(child);
    throw error;
  }
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    port,
    url: (path, payload) => workbenchUrl(origin, path, payload),
    stop: () => stopProcessGroup(child),
  };
}

/** Puts settings over those of the machine that are there; a running VS Code takes them up at once. */
export async function writeMachineSettings(
  serverDataDir: string,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const file = join(serverDataDir, 'data', 'Machine', 'settings.json');
  await mkdir(dirname(file), { recursive: true });
  const present = await readFile(file, 'utf8')
    .then(JSON.parse)
    .catch(() => ({}));
  await writeFile(file, `${JSON.stringify({ ...quietSettings, ...present, ...settings }, null, 2)}\n`);
}

/** The address of a path of this machine, as the workbench's start options want it. */
export function remoteUri(port: number, path: string): string {
  return `vscode-remote://127.0.0.1:${port}${path}`;
}

function workbenchUrl(origin: string, path: string, payload: readonly (readonly [string, string])[] = []): string {
  const options = payload.length === 0 ? '' : `&payload=${encodeURIComponent(JSON.stringify(payload))}`;
  const kind = path.endsWith('.code-workspace') ? 'workspace' : 'folder';
  return `${origin}/?${kind}=${encodeURI(path)}${options}`;
}

function untilReady(child: ChildProcess, onOutput: (text: string) => void = () => {}): Promise<void> {
  let output = '';
  return new Promise((resolve, reject) => {
    const give = (reason: string) => reject(new Error(`VS Code's server ${reason}:\n${output.trim().slice(-2000)}`));
    const timer = setTimeout(() => give(`was not ready within ${readyWithin / 1000} s`), readyWithin);
    const read = (chunk: string) => {
      onOutput(chunk);
      output = (output + chunk).slice(-10_000);
      if (!/Web UI available at/.test(output)) return;
      clearTimeout(timer);
      resolve();
    };
    child.stdout?.setEncoding('utf8').on('data', read);
    child.stderr?.setEncoding('utf8').on('data', read);
    child.on('error', (error) => give(`did not start (${error.message})`));
    child.on('exit', (code) => give(`ended with ${code}`));
  });
}
