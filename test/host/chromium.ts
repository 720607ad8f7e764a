/** Finds a Chromium, or installs Debian's: as root, by `sudo` where it asks for no password, or without root. */
import { accessSync, constants } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { hostCache } from './paths.ts';
import { mustRun, run } from './processes.ts';
import { withProgress } from './progress.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome'];
const packages = ['chromium', 'fonts-liberation'];
const byHand = `run \`apt-get install ${packages.join(' ')}\` as root, or set PARLEY_CHROMIUM to the path of a Chromium`;

/** Gives the path of a Chromium; `PARLEY_CHROMIUM` names one outside the PATH. Throws one sentence when there is no way. */
export async function findOrInstallChromium(): Promise<string> {
  const named = process.env.PARLEY_CHROMIUM;
  if (named) {
    if (!isExecutable(named)) throw new Error(`PARLEY_CHROMIUM names ${named}, which cannot be run.`);
    return named;
  }
  const unpacked = join(hostCache, 'chromium', 'run');
  const found = findOnPath() ?? (isExecutable(unpacked) ? unpacked : undefined);
  return found ?? (await withProgress('Installing Chromium', () => install(unpacked)));
}

function findOnPath(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function install(unpacked: string): Promise<string> {
  if ((await run('apt-get', ['--version'])).code !== 0)
    throw new Error(`There is no Chromium and no apt-get: ${byHand}.`);
  const installed = (await installAsRoot()) ? findOnPath() : undefined;
  return installed ?? (await installUnpacked(unpacked));
}

async function installAsRoot(): Promise<boolean> {
  const prefix =
    process.getuid?.() === 0 ? ['env'] : (await run('sudo', ['-n', 'true'])).code === 0 ? ['sudo', '-n'] : undefined;
  if (prefix === undefined) return false;
  const [command = 'env', ...rest] = [...prefix, 'DEBIAN_FRONTEND=noninteractive', 'apt-get'];
  await run(command, [...rest, 'update']);
  const { code } = await run(command, [...rest, 'install', '-y', '--no-install-recommends', ...packages]);
  return code === 0;
}

/** Downloads the packages that are missing and unpacks them into the cache; a wrapper lets Chromium find them there. */
async function installUnpacked(wrapper: string): Promise<string> {
  await mkdir(hostCache, { recursive: true });
  const temporary = await mkdtemp(join(hostCache, 'installing-'));
  try {
    const tree = join(temporary, 'root');
    for (const archive of await downloadPackages(temporary)) await mustRun('dpkg', ['-x', archive, tree]);
    await writeFile(join(temporary, 'run'), wrapperScript);
    await chmod(join(temporary, 'run'), 0o755);
    const { code, output } = await run(join(temporary, 'run'), ['--version']);
    if (code !== 0) throw new Error(output);
    const home = join(wrapper, '..');
    await rm(home, { recursive: true, force: true });
    await rename(temporary, home);
    return wrapper;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`Chromium could not be installed without root: ${byHand}.\n${reason}`);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** Downloads `packages` and what they need and the system has not, with lists and cache of our own. */
async function downloadPackages(folder: string): Promise<string[]> {
  const lists = join(hostCache, 'apt', 'lists');
  const cache = join(hostCache, 'apt', 'cache');
  const archives = join(folder, 'archives');
  for (const path of [join(lists, 'partial'), join(cache, 'archives', 'partial'), archives]) {
    await mkdir(path, { recursive: true });
  }
  const options = [`Dir::State::Lists=${lists}`, `Dir::Cache=${cache}`, 'Debug::NoLocking=1', 'APT::Sandbox::User='];
  const flags = options.flatMap((option) => ['-o', option]);
  await mustRun('apt-get', [...flags, 'update']);
  const plan = await mustRun('apt-get', [
    ...flags,
    'install',
    '--print-uris',
    '-y',
    '--no-install-recommends',
    ...packages,
  ]);
  const missing = parsePrintedUris(plan);
  if (missing.length === 0) throw new Error('apt-get names no package to download.');
  await mustRun('apt-get', [...flags, 'download', ...missing], { cwd: archives });
  return (await readdir(archives)).filter((name) => name.endsWith('.deb')).map((name) => join(archives, name));
}

/** `apt-get --print-uris` prints `'<uri>' <name>_<version>_<architecture>.deb <size> <hash>`; gives `<name>=<version>`. */
function parsePrintedUris(text: string): string[] {
  return [...text.matchAll(/^'[^']+' (\S+)_(\S+)_\S+\.deb /gm)].map(
    ([, name = '', version = '']) => `${name}=${decodeURIComponent(version)}`,
  );
}

/** The unpacked libraries and fonts stand before the system's. */
const wrapperScript = `#!/bin/sh
root=$(dirname "$(readlink -f "$0")")/root
arch=$(ls "$root/usr/lib" | grep -m1 -e '-linux-gnu')
export LD_LIBRARY_PATH="$root/usr/lib/$arch:$root/lib/$arch:$root/usr/lib/$arch/pulseaudio\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export XDG_DATA_DIRS="$root/usr/share:\${XDG_DATA_DIRS:-/usr/local/share:/usr/share}"
[ -e /etc/fonts/fonts.conf ] || export FONTCONFIG_PATH="$root/etc/fonts"
exec "$root/usr/lib/chromium/chromium" "$@"
`;
