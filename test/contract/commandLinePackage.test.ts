import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { createReferenceService } from '../service/server.ts';
import { temporaryFolder } from '../support/searchFolder.ts';
import { type CommandLine, commandLine, serviceArgs, withKey } from './commandLine.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const shell = process.platform === 'win32';

test('the package installs without a network, and works where nothing else of Parley is', async (t) => {
  const { stdout } = await run(process.execPath, ['packageCli.mjs'], { cwd: root });
  const tarball = join(root, stdout.trim().split('\n').at(-1) ?? '');
  const home = temporaryFolder(t);
  const flags = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', home];
  // npm must take nothing from the settings of this project.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
  await run('npm', ['install', ...flags, tarball], { cwd: home, env, shell });
  const program = join(home, 'node_modules', 'parley-search', 'dist', 'parley-search.cjs');

  const service = await createReferenceService();
  t.after(() => service.close());
  // More files than are worth a process of their own, so that this is found, too.
  const cli = commandLine(t, 250, [program]);
  const version = await cli.run(['--version']);
  assert.match(version.stdout, /^\d+\.\d+\.\d+\n$/);
  const help = await cli.run(['mcp', '--help']);
  assert.deepEqual([help.code, help.stderr], [0, '']);
  assert.match(help.stdout, /^parley-search mcp \[FOLDER …\]/);
  const indexed = await cli.json(['index', ...serviceArgs(service), '--yes'], withKey);
  const { files, embedded } = indexed.value.result as { files: number; embedded: number };
  assert.deepEqual([indexed.code, files, embedded], [0, 250, 250]);
  const asked = await cli.json(['query', 'ship7', ...serviceArgs(service)], withKey);
  assert.equal(asked.value.by, 'both');
  const [best] = asked.value.hits as { path: string; why: string }[];
  // The grammars of the package say what defines it.
  assert.deepEqual([best?.path, best?.why], ['f7.ts', 'definition']);
  assert.equal((await cli.run(['verify'])).code, 0);
  await testUnwritable(cli, home, t);
});

/** Where nothing can be written, an index that is there answers, and one that is not is told in a sentence. */
async function testUnwritable(cli: CommandLine, home: string, t: TestContext): Promise<void> {
  const open = (folder: string, mode: number): void => {
    chmodSync(folder, mode);
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (!entry.isSymbolicLink()) chmodSync(path, entry.isDirectory() ? mode : mode & 0o644);
    }
  };
  // For root every folder can be written: another user asks.
  const uid = process.getuid?.() === 0 ? 65_534 : undefined;
  for (const folder of [dirname(cli.root), home]) open(folder, 0o755);
  open(cli.data, 0o555);
  writeFileSync(join(cli.root, 'late.ts'), 'export const late = 1;\n');
  try {
    const asked = await cli.run(['query', 'ship7'], { uid });
    assert.equal(asked.code, 0, asked.stderr);
    assert.match(asked.stdout, /^f7\.ts:/);
    assert.match(asked.stderr, /What has changed since was not read: The folder in which Parley keeps the index/);
    const elsewhere = temporaryFolder(t);
    chmodSync(elsewhere, 0o755);
    const first = await cli.run(['query', 'x'], { uid, cwd: elsewhere });
    assert.equal(first.code, 2);
    assert.match(first.stderr, /cannot be written to\. Name a folder that can be written with PARLEY_DATA_DIR\./);
  } finally {
    open(cli.data, 0o755);
  }
}
