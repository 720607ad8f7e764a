/** Makes the VSIX and says how large it is. `npm run package` calls it; the tests and `npm start` use its functions. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { out, root } from './paths.ts';
import { mustRun } from './processes.ts';
import { withProgress } from './progress.ts';

/** The most that the VSIX may weigh, in bytes. */
const largestVsix = 4 * 1024 * 1024;

/** What the VSIX is made from; while none of it changed, the VSIX that is there is the right one. */
const inputs = [
  ...['src', 'media', 'l10n', 'package.json', 'package.nls.json', 'package-lock.json', 'esbuild.mjs', '.vscodeignore'],
  ...['README.md', 'CHANGELOG.md', 'LICENSE', 'NOTICE', 'test/host/package.ts'],
];

/** Builds for production and packs, unless nothing has changed since the last time. Gives the path of the VSIX. */
export async function packageExtension(): Promise<string> {
  const { name, version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Record<string, string>;
  const vsix = join(out, `${name}-${version}.vsix`);
  const stamp = `${vsix}.inputs`;
  const wanted = await hashInputs();
  if (existsSync(vsix) && existsSync(stamp) && (await readFile(stamp, 'utf8')) === wanted) return vsix;
  await mkdir(out, { recursive: true });
  await rm(stamp, { force: true });
  // Packing runs the production build by itself: `vscode:prepublish`.
  const flags = ['--no-dependencies', '--allow-missing-repository', '--no-rewrite-relative-links', '--out', vsix];
  await withProgress('Packaging the extension', () => mustRun('vsce', ['package', ...flags], { cwd: root }));
  await writeFile(stamp, wanted);
  return vsix;
}

async function hashInputs(): Promise<string> {
  const hash = createHash('sha256');
  for (const input of inputs) {
    for (const file of await filesOf(join(root, input))) {
      const content = await readFile(file);
      hash.update(`${relative(root, file)}\0${content.length}\0`).update(content);
    }
  }
  return hash.digest('hex');
}

async function filesOf(path: string): Promise<string[]> {
  if (!existsSync(path)) return [];
  if ((await stat(path)).isFile()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** What is wrong with the VSIX: too heavy, native files, files that have no business in it. Empty when all is well. */
export async function findPackageProblems(vsix: string): Promise<string[]> {
  const archive = await readFile(vsix);
  const files = listArchive(archive).filter((file) => !file.endsWith('/'));
  const size = archive.length;
  return [
    ...(size > largestVsix ? [`The VSIX weighs ${megabytes(size)}; ${megabytes(largestVsix)} are allowed.`] : []),
    ...files.filter((file) => /\.(node|so|dll|dylib|exe)$/.test(file)).map((file) => `${file} is a native file.`),
    ...files.filter((file) => !allowed.test(file)).map((file) => `${file} does not belong in the VSIX.`),
    ...needed.filter((file) => !files.includes(file)).map((file) => `${file} is missing in the VSIX.`),
  ];
}

/** `vsce` packs the extension under `extension/`, some documents in lower case, and adds two files of its own. */
const allowed =
  /^(\[Content_Types\]\.xml|extension\.vsixmanifest|extension\/(dist\/(?!.*\.map$)|media\/|docs\/(?!service-api)|l10n\/|package(\.nls(\.[\w-]+)?)?\.json$|(readme|changelog)\.md$|LICENSE|NOTICE).*)$/;
const needed = [
  ...['package.json', 'package.nls.json', 'readme.md', 'LICENSE.txt', 'dist/extension.cjs', 'dist/features.cjs'],
  ...['docs/troubleshooting.md', 'media/tour/report.png'],
  ...['dist/parley-search.cjs', 'dist/audioSplitter.cjs'],
  ...[
    'dist/webview/chat.js',
    'dist/webview/math.js',
    'dist/webview/transcript.js',
    'dist/webview/codicon.css',
    'dist/webview/codicon.ttf',
  ],
  ...['dist/grammars/tree-sitter.wasm.br', 'dist/grammars/tree-sitter-typescript.wasm.br'],
].map((file) => `extension/${file}`);

/** The names in a zip archive, from its central directory (APPNOTE 4.3.12 and 4.3.16). */
function listArchive(archive: Buffer): string[] {
  const end = archive.lastIndexOf(Buffer.from('PK\x05\x06'));
  let at = archive.readUInt32LE(end + 16);
  return Array.from({ length: archive.readUInt16LE(end + 10) }, () => {
    const lengths = [28, 30, 32].map((offset) => archive.readUInt16LE(at + offset));
    const name = archive.toString('utf8', at + 46, at + 46 + (lengths[0] ?? 0));
    at += 46 + lengths.reduce((sum, length) => sum + length, 0);
    return name;
  });
}

/** A size as a person reads it. */
export function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(2)} MB`;
}

if (import.meta.main) {
  const vsix = await packageExtension();
  const problems = await findPackageProblems(vsix);
  console.log(`${relative(process.cwd(), vsix)}: ${megabytes((await stat(vsix)).size)}`);
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
