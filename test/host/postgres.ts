/** The PostgreSQL that tests start: that of the machine, or Debian's, unpacked and never installed. */
import { existsSync, globSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { unpackPackages } from './debian.ts';
import { hostCache } from './paths.ts';
import { run } from './processes.ts';
import { withProgress } from './progress.ts';

export interface PostgresPrograms {
  /** The folder of `initdb` and `postgres`. */
  readonly programs: string;
  /** The folders of the libraries they need; empty where the system has them. */
  readonly libraryPath: string;
}

/** The package itself would make a database and start it. */
const packages = ['postgresql-15'];
const unpacked = join(hostCache, 'postgres');

/** Finds PostgreSQL, or unpacks it. Throws one sentence when there is no way. */
export async function ensurePostgres(): Promise<PostgresPrograms> {
  const found = find('/') ?? find(unpacked);
  return found ?? (await withProgress('Unpacking PostgreSQL', unpack));
}

function find(root: string): PostgresPrograms | undefined {
  const folders = globSync(join(root, 'usr/lib/postgresql/*/bin'));
  const programs = folders.sort().findLast((folder) => existsSync(join(folder, 'initdb')));
  if (programs === undefined) return undefined;
  return {
    programs,
    libraryPath: root === '/' ? '' : globSync(join(root, '{usr/lib,lib}/*-linux-gnu')).join(delimiter),
  };
}

async function unpack(): Promise<PostgresPrograms> {
  const byHand = 'The tests need PostgreSQL: install it (`apt-get install postgresql-15`).';
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
  const found = find(unpacked);
  if (found === undefined) throw new Error(byHand);
  return found;
}
