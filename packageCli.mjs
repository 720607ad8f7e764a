/**
 * Makes the npm package of the command line, `out/parley-search-VERSION.tgz`: the bundles of the extension that it needs, and a
 * package.json of its own, without dependencies and scripts. Prints the path. It needs npm, and no network.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(fileURLToPath(import.meta.url));
const folder = join(root, 'out', 'parley-search');

execFileSync(process.execPath, ['esbuild.mjs', '--cli'], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
const { version, license, author, repository, homepage, bugs } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);
const manifest = {
  name: 'parley-search',
  version,
  description: 'Searches code by words and meaning, from the command line and for agents (MCP)',
  ...{ license, author, repository, homepage, bugs },
  keywords: ['code search', 'semantic search', 'embeddings', 'mcp'],
  bin: { 'parley-search': 'dist/parley-search.cjs' },
  // node:sqlite is there without a flag from 22.13 on, getCACertificates from 22.15.
  engines: { node: '>=22.15' },
  files: ['dist', 'l10n', 'ThirdPartyNotices.txt'],
};
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
const program = join(folder, manifest.bin['parley-search']);
// npm runs it as a program of its own.
writeFileSync(program, `#!/usr/bin/env node\n${readFileSync(program, 'utf8')}`, { mode: 0o755 });
mkdirSync(join(folder, 'l10n'), { recursive: true });
for (const name of readdirSync(join(root, 'l10n'))) cpSync(join(root, 'l10n', name), join(folder, 'l10n', name));
cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
// The page for users is the README of the package; its links lead to pages that are not in it.
const page = readFileSync(join(root, 'docs', 'command-line.md'), 'utf8');
writeFileSync(join(folder, 'README.md'), page.replace(/\[([^\]]+)\]\((?!https?:|#)[^)]+\)/g, '$1'));

const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
const packed = execFileSync(npm, ['pack', '--silent', '--offline', '--ignore-scripts', '--pack-destination', '..'], {
  cwd: folder,
  shell: process.platform === 'win32',
  encoding: 'utf8',
});
console.log(join('out', packed.trim().split('\n').at(-1)));
