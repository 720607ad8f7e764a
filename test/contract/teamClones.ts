/** Clones of a repository whose files are published in the database of a team, and asked there by `parley-search`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { type CommandLine, commandLine, withKey } from './commandLine.ts';
import type { TestPostgres } from './postgresServers.ts';

/** Code about one thing each. No word of `question` is in any of them: the reference service knows that it means the same as an invoice. */
export const code = {
  'src/pay.ts': 'export function invoice(): number {\n  return 12;\n}\n',
  'src/sky.ts': 'export function cloud(): string {\n  return "grey";\n}\n',
  'src/stone.ts': 'export function granite(): string {\n  return "hard";\n}\n',
};
export const question = 'tariff';

/** A machine of its own with these files. */
export function cloneOf(t: TestContext, files: Readonly<Record<string, string>> = code): CommandLine {
  const clone = commandLine(t, 0);
  writeFiles(clone.root, files);
  return clone;
}

export function writeFiles(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

/** The environment of a command that has the key of the service, and a repository of this name in a team index. */
export const teamOf = (address: string, repository: string) => ({
  env: { ...withKey.env, PARLEY_STORE: address, PARLEY_STORE_REPOSITORY: repository },
});

/** What the database has of a repository: its paths in order, with the texts of their chunks. */
export async function publishedIn(
  server: TestPostgres,
  repository: string,
): Promise<(readonly [path: string, ...texts: (string | null)[]])[]> {
  const rows = await server.run(`SELECT f.path, c.body FROM parley.repositories r JOIN parley.files f ON f.repo = r.id
    LEFT JOIN parley.chunks c ON c.repo = r.id AND c.path = f.path
    WHERE r.name = '${repository}' ORDER BY f.path, c.part`);
  const paths = [...new Set(rows.map(([path]) => path ?? ''))];
  return paths.map((path) => [path, ...rows.filter((row) => row[0] === path).map(([, body]) => body ?? null)]);
}

export const pathsIn = async (server: TestPostgres, repository: string): Promise<string[]> =>
  (await publishedIn(server, repository)).map(([path]) => path);

/** The paths of an answer in JSON. */
export const pathsOf = ({ value }: { value: Record<string, unknown> }): string[] =>
  (value.hits as { path: string }[]).map(({ path }) => path);
