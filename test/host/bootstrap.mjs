/**
 * Runs a script of the project under the project's own Node: `node bootstrap.mjs <script> [arguments]`.
 * It is the only file that may run before anything is installed, so it is plain JavaScript for Node 20 and imports
 * nothing but Node. It installs the dependencies when the lock file asks for others than those that are there.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const bin = join(root, 'node_modules', '.bin');
const projectNode = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
const stampFile = join(root, 'node_modules', '.parley-stamp');
const [script, ...args] = process.argv.slice(2);

if (script === undefined) fail('bootstrap.mjs needs the script to run as its argument.');
await installDependencies();
process.exitCode = await run(projectNode, [join(root, script), ...args], {
  env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ''}` },
  stdio: 'inherit',
});

async function installDependencies() {
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  const stamped = existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted;
  if (stamped && existsSync(projectNode)) return;
  if (!matchesLockFile()) {
    const code = await installWithProgress();
    if (code !== 0) fail('The dependencies could not be installed; npm said why above.');
    if (!existsSync(projectNode)) fail('npm did not install Node 24: run `npm ci` with install scripts allowed.');
  }
  writeFileSync(stampFile, wanted);
}

/** Whether what npm recorded in node_modules is what the lock file names; someone may have run npm by hand. */
function matchesLockFile() {
  const recordFile = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(recordFile) || !existsSync(projectNode)) return false;
  const record = JSON.parse(readFileSync(recordFile, 'utf8')).packages;
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  return Object.entries(lock).every(
    ([path, entry]) => path === '' || record[path]?.version === entry.version || (entry.optional && !record[path]),
  );
}

async function installWithProgress() {
  const start = Date.now();
  const seconds = () => Math.round((Date.now() - start) / 1000);
  console.log('Installing the dependencies (npm ci) …');
  const ticker = setInterval(() => console.log(`Installing the dependencies … ${seconds()} s`), 5000);
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const code = await run(npm, ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    shell: process.platform === 'win32',
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  clearInterval(ticker);
  if (code === 0) console.log(`Dependencies installed in ${seconds()} s.`);
  return code;
}

/** Runs a program, hands it our signals, and gives its exit code (128 + n when signal n ended it, as shells do). */
function run(command, commandArgs, options) {
  return new Promise((resolve) => {
    const child = spawn(command, commandArgs, options);
    const forward = (signal) => child.kill(signal);
    // A terminal sends SIGINT to the child as well; a second one would look like an impatient user to it.
    const forwardInterrupt = () => process.stdin.isTTY || forward('SIGINT');
    process.on('SIGINT', forwardInterrupt);
    for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, forward);
    child.on('error', (error) => fail(`${command} did not start: ${error.message}`));
    child.on('exit', (code, signal) => {
      process.off('SIGINT', forwardInterrupt);
      for (const name of ['SIGTERM', 'SIGHUP']) process.off(name, forward);
      resolve(code ?? 128 + (constants.signals[signal] ?? 0));
    });
  });
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
