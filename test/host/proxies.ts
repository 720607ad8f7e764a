/** The real proxies that contract tests go through: those of the machine, or Debian's, unpacked and never installed. */
import { accessSync, constants, existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { unpackPackages } from './debian.ts';
import { hostCache } from './paths.ts';
import { run } from './processes.ts';
import { withProgress } from './progress.ts';

export interface Proxies {
  readonly tinyproxy: string;
  readonly squid: string;
  /** Where squid's own files are, `usr/share/squid` and `usr/lib/squid`: below `/`, or where it was unpacked. */
  readonly squidRoot: string;
  /** The folders of the libraries they need; empty where the system has them. */
  readonly libraryPath: string;
}

/** What Debian's package manager would start as services is only unpacked. */
const packages = ['tinyproxy-bin', 'squid'];
const unpacked = join(hostCache, 'proxies');

/** Finds tinyproxy and squid, or unpacks them. Throws one sentence when there is no way. */
export async function ensureProxies(): Promise<Proxies> {
  const found = find('/', []) ?? (existsSync(unpacked) ? find(unpacked, await libraryFolders()) : undefined);
  return found ?? (await withProgress('Unpacking tinyproxy and squid', unpack));
}

function find(root: string, libraries: readonly string[]): Proxies | undefined {
  const folders = ['usr/sbin', 'usr/bin', 'usr/local/sbin', 'usr/local/bin'].map((folder) => join(root, folder));
  if (root === '/') folders.push(...(process.env.PATH ?? '').split(delimiter));
  const executable = (name: string) => folders.map((folder) => join(folder, name)).find(isExecutable);
  const tinyproxy = executable('tinyproxy');
  const squid = executable('squid');
  if (tinyproxy === undefined || squid === undefined) return undefined;
  return { tinyproxy, squid, squidRoot: root, libraryPath: libraries.join(delimiter) };
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** `usr/lib/x86_64-linux-gnu` and its like. */
async function libraryFolders(): Promise<string[]> {
  const libraries = ['usr/lib', 'lib'].map((folder) => join(unpacked, folder)).filter(existsSync);
  const found = await Promise.all(libraries.map(async (folder) => ({ folder, names: await readdir(folder) })));
  return found.flatMap(({ folder, names }) =>
    names.filter((name) => name.endsWith('-linux-gnu')).map((name) => join(folder, name)),
  );
}

async function unpack(): Promise<Proxies> {
  const byHand = 'The tests need tinyproxy and squid: install them (`apt-get install tinyproxy-bin squid`).';
  if ((await run('apt-get', ['--version'])).code !== 0) throw new Error(byHand);
  await mkdir(hostCache, { recursive: true });
  const temporary = await mkdtemp(join(hostCache, 'installing-'));
  try {
    await unpackPackages(packages, join(temporary, 'root'));
    await rm(unpacked, { recursive: true, force: true });
    await rename(join(temporary, 'root'), unpacked);
  } catch (error) {
    throw new Error(`${byHand}\n${error instanceof Error ? error.message : error}`);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
  const found = find(unpacked, await libraryFolders());
  if (found === undefined) throw new Error(byHand);
  return found;
}
