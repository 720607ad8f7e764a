/** Packages of Debian: installed as root, or unpacked into a folder without. */
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { mustRun, run } from './processes.ts';
import { withProgress } from './progress.ts';

/** Installs packages of Debian as root, or by `sudo` where it asks for no password; tells whether that went well. */
export async function installAsRoot(packages: readonly string[]): Promise<boolean> {
  const prefix =
    process.getuid?.() === 0 ? ['env'] : (await run('sudo', ['-n', 'true'])).code === 0 ? ['sudo', '-n'] : undefined;
  if (prefix === undefined) return false;
  const [command = 'env', ...rest] = [...prefix, 'DEBIAN_FRONTEND=noninteractive', 'apt-get'];
  await run(command, [...rest, 'update']);
  const { code } = await run(command, [...rest, 'install', '-y', '--no-install-recommends', ...packages]);
  return code === 0;
}

/** Unpacks packages, and what they need and the system has not, into a folder; no root is needed, and nothing is started. */
export async function unpackPackages(packages: readonly string[], folder: string): Promise<void> {
  const apt = `${folder}.apt`;
  try {
    const archives = await downloadPackages(packages, apt);
    for (const archive of archives) await mustRun('dpkg', ['-x', archive, folder]);
  } finally {
    await rm(apt, { recursive: true, force: true });
  }
}

/** Downloads packages and what they need and the system has not, with lists and cache of our own. */
async function downloadPackages(packages: readonly string[], folder: string): Promise<string[]> {
  const lists = join(folder, 'lists');
  const cache = join(folder, 'cache');
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

/** Programs of Debian that tests start. */
export interface UnpackedPrograms<T> {
  /** What is said where there is no way to get them. */
  readonly byHand: string;
  readonly packages: readonly string[];
  /** The folder in the cache. */
  readonly folder: string;
  /** Where they are below a folder, which is `/` first. */
  find(root: string): T | undefined;
}

/** Finds programs on this machine, or unpacks them: what Debian's package manager would start as services is never installed. */
export async function ensureUnpacked<T>({ byHand, packages, folder, find }: UnpackedPrograms<T>): Promise<T> {
  const found = find('/') ?? find(folder);
  return found ?? withProgress(`Unpacking ${packages.join(' and ')}`, unpack);

  async function unpack(): Promise<T> {
    if ((await run('apt-get', ['--version'])).code !== 0) throw new Error(byHand);
    await mkdir(dirname(folder), { recursive: true });
    const temporary = await mkdtemp(join(dirname(folder), 'installing-'));
    try {
      await unpackPackages(packages, join(temporary, 'root'));
      await rm(folder, { recursive: true, force: true });
      await rename(join(temporary, 'root'), folder);
    } catch (error) {
      throw new Error(`${byHand}\n${error instanceof Error ? error.message : error}`);
    } finally {
      await rm(temporary, { recursive: true, force: true });
    }
    const there = find(folder);
    if (there === undefined) throw new Error(byHand);
    return there;
  }
}
