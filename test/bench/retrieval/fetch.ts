import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hostCache } from '../../host/paths.ts';
import { mustRun, run } from '../../host/processes.ts';
import type { Project } from './projects.ts';

/** What a package manager has: the source of a project, by name and version. */
export type Fetched = Pick<Project, 'name' | 'source' | 'version'>;

/** What the bench keeps between runs: archives, unpacked projects, their indexes. */
export const cache: string = join(hostCache, 'retrieval');

const archives = join(cache, 'archives');
/** Lists and settings of our own for apt; those of this machine are not touched. */
const aptFolder = join(cache, 'apt');

/**
 * The archives of a project, fetched once: those that a package manager of this machine has by this name and version.
 * None where it cannot be had (no network, another system, a version that is gone).
 */
export async function fetchArchives(project: Fetched): Promise<string[]> {
  const folder = join(archives, project.name);
  const stamp = join(folder, 'version');
  const wanted = `${project.source} ${project.version}`;
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    const isFetched = await (project.source === 'npm' ? fromNpm : fromDebian)(project, folder);
    if (!isFetched) return [];
    await writeFile(stamp, wanted);
  }
  return (await readdir(folder))
    .filter((name) => isSourceArchive(name))
    .sort()
    .map((name) => join(folder, name));
}

/** What Debian adds to build its package is no part of the project. */
const isSourceArchive = (name: string): boolean =>
  /\.(tgz|tar\.\w+|deb)$/.test(name) && !/\.debian\.tar\.\w+$/.test(name);

/**
 * Unpacks the archives of a project into a folder, without the folder that they have around everything.
 * @param parts the folders to keep, all where absent; files at the top stay in either case
 */
export async function unpack(files: readonly string[], folder: string, parts?: readonly string[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const file of files) {
    if (file.endsWith('.deb')) {
      await mustRun('dpkg', ['-x', file, folder]);
      continue;
    }
    // A further archive of a Debian source belongs into a folder of its name.
    const part = /\.orig-([\w-]+)\.tar/.exec(file)?.[1];
    const target = part === undefined ? folder : join(folder, part);
    await mkdir(target, { recursive: true });
    await mustRun('tar', ['-xf', file, '-C', target, '--strip-components=1', '--no-same-owner']);
  }
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (parts === undefined || !entry.isDirectory() || parts.includes(entry.name)) continue;
    await rm(join(folder, entry.name), { recursive: true });
  }
}

async function fromNpm({ name, version }: Fetched, folder: string): Promise<boolean> {
  const { code } = await run(
    'npm',
    ['pack', '--silent', '--ignore-scripts', '--fetch-retries=0', `${name}@${version}`],
    { cwd: folder },
  );
  return code === 0;
}

/** The options are the same for all packages, and the lists are read once in a run. */
let aptOptions: Promise<string[] | undefined> | undefined;

async function fromDebian({ name, version, source }: Fetched, folder: string): Promise<boolean> {
  aptOptions ??= readPackageLists();
  const flags = await aptOptions;
  if (flags === undefined) return false;
  const command = source === 'debian-binary' ? ['download'] : ['source', '--download-only', '--tar-only'];
  const { code } = await run('apt-get', [...flags, ...command, `${name}=${version}`], { cwd: folder });
  return code === 0 && (await readdir(folder)).some(isSourceArchive);
}

/**
 * Reads what packages there are, sources among them, from where this machine has its own, into a folder of ours: no root
 * is needed. Gives the options with which apt takes them; undefined where there is no apt, or it reaches nothing.
 */
async function readPackageLists(): Promise<string[] | undefined> {
  const sources = join(aptFolder, 'sources');
  const lists = join(aptFolder, 'lists');
  const packages = join(aptFolder, 'cache');
  await rm(sources, { recursive: true, force: true });
  for (const path of [sources, join(lists, 'partial'), join(packages, 'archives', 'partial')]) {
    await mkdir(path, { recursive: true });
  }
  const system = '/etc/apt';
  const parts = await readdir(join(system, 'sources.list.d')).catch((): string[] => []);
  for (const path of ['sources.list', ...parts.map((name) => `sources.list.d/${name}`)]) {
    const full = join(system, path);
    if (!/\.(list|sources)$/.test(path) || !existsSync(full)) continue;
    const text = readFileSync(full, 'utf8');
    const withSources = path.endsWith('.list')
      ? text.replace(/^deb(\s.*)$/gm, 'deb$1\ndeb-src$1')
      : text.replace(/^Types:.*$/gm, 'Types: deb deb-src');
    await writeFile(join(sources, path.replaceAll('/', '-').replace('sources.list.d-', '')), withSources);
  }
  const options = [
    `Dir::State::Lists=${lists}`,
    `Dir::Cache=${packages}`,
    'Dir::Etc::sourcelist=/dev/null',
    `Dir::Etc::sourceparts=${sources}`,
    'Debug::NoLocking=1',
    'APT::Sandbox::User=',
  ];
  const flags = options.flatMap((option) => ['-o', option]);
  const { code } = await run('apt-get', [...flags, 'update']);
  return code === 0 ? flags : undefined;
}
