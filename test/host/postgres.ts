/** The PostgreSQL that tests start, and a pooler before it: those of the machine, or Debian's, unpacked and never installed. */
import { existsSync, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ensureUnpacked } from './debian.ts';
import { hostCache } from './paths.ts';

export interface PostgresPrograms {
  /** The folder of `initdb` and `postgres`. */
  readonly programs: string;
  /** The folders of the libraries they need; empty where the system has them. */
  readonly libraryPath: string;
}

export interface PoolerProgram {
  readonly pgbouncer: string;
  readonly libraryPath: string;
}

/** Finds PostgreSQL, or unpacks it. Throws one sentence when there is no way. */
export function ensurePostgres(): Promise<PostgresPrograms> {
  return ensureUnpacked({
    byHand: 'The tests need PostgreSQL: install it (`apt-get install postgresql-15`).',
    packages: ['postgresql-15'],
    folder: join(hostCache, 'postgres'),
    find(root) {
      const folders = globSync(join(root, 'usr/lib/postgresql/*/bin')).sort();
      const programs = folders.findLast((folder) => existsSync(join(folder, 'initdb')));
      return programs === undefined ? undefined : { programs, libraryPath: librariesOf(root) };
    },
  });
}

/** Finds PgBouncer, or unpacks it. Throws one sentence when there is no way. */
export function ensurePooler(): Promise<PoolerProgram> {
  return ensureUnpacked({
    byHand: 'The tests need PgBouncer: install it (`apt-get install pgbouncer`).',
    packages: ['pgbouncer'],
    folder: join(hostCache, 'pgbouncer'),
    find(root) {
      const pgbouncer = join(root, 'usr/sbin/pgbouncer');
      return existsSync(pgbouncer) ? { pgbouncer, libraryPath: librariesOf(root) } : undefined;
    },
  });
}

const librariesOf = (root: string): string =>
  root === '/' ? '' : globSync(join(root, '{usr/lib,lib}/*-linux-gnu')).join(delimiter);
