import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { dataFolder } from '../registry/dataFolder.ts';

/** Runs `parley-search` with these arguments. @returns the exit code */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  const { positionals } = parseArgs({ args: [...args], allowPositionals: true, strict: false });
  const [command, ...rest] = positionals;
  if (command === 'mcp') {
    const { serveMcp } = await import('../mcp/serve.ts');
    await serveMcp(
      packageVersion(),
      dataFolder(),
      (rest.length === 0 ? ['.'] : rest).map((folder) => resolve(folder)),
    );
    return 0;
  }
  return 2;
}

/** The version of the package that the bundle is in: the extension, or the one of npm. */
function packageVersion(): string {
  const folder = import.meta.dirname === undefined ? join(__dirname, '..') : join(import.meta.dirname, '../../..');
  return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version;
}
