/**
 * Makes the bundles. `--production` minifies; otherwise source maps are written. `--suite` makes instead the bundle of the
 * tests that run inside VS Code, and `--cli` what the npm package of `parley-search` holds, in `out/parley-search/`. An entry whose source does not exist is named and left out.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { build } from 'esbuild';
import { describeLicences, grammarPackages } from './notices.mjs';

const root = dirname(fileURLToPath(import.meta.url));
const isCli = process.argv.includes('--cli');
const production = process.argv.includes('--production') || isCli;

/** The oldest supported VS Code, 1.110, runs extensions on Node 22 and loads them with `require`. */
const host = { platform: 'node', format: 'cjs', target: 'node22', external: ['vscode'] };
/** What is packed beside the bundle lies elsewhere in the sources; the code asks by this. */
const packed = { define: { 'import.meta.dirname': 'undefined' } };
/** Webviews are drawn by the Chromium of VS Code. */
const browser = { platform: 'browser', format: 'iife', target: 'es2022' };

/** Code that the start does without stands in bundles of its own: all features, and undici, which is the most of it. */
const bundlesApart = {
  name: 'bundles apart',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^undici$/ }, () => ({ path: './undici.cjs', external: true }));
    onResolve({ filter: /\/start\/features\.ts$/ }, ({ kind }) =>
      kind === 'entry-point' ? undefined : { path: './features.cjs', external: true },
    );
  },
};

const extension = [
  { ...host, in: 'src/extension.ts', out: 'dist/extension.cjs', plugins: [bundlesApart] },
  { ...host, in: 'src/start/features.ts', out: 'dist/features.cjs', plugins: [bundlesApart] },
  { ...host, in: 'node_modules/undici/index.js', out: 'dist/undici.cjs' },
  { ...host, ...packed, in: 'src/search/cli/main.ts', out: 'dist/parley-search.cjs', plugins: [bundlesApart] },
  { ...host, ...packed, in: 'src/edits/plannerThread.ts', out: 'dist/editPlanner.cjs' },
  { ...host, in: 'src/audio/split/thread/splitThread.ts', out: 'dist/audioSplitter.cjs' },
  { ...browser, in: 'src/webview/chat/main.ts', out: 'dist/webview/chat.js' },
  // Loaded by the panel with the first formula; a module, because the page's policy lets a script import what it needs.
  { ...browser, format: 'esm', in: 'src/webview/math/main.ts', out: 'dist/webview/math.js' },
  { ...browser, in: 'src/webview/transcript/main.ts', out: 'dist/webview/transcript.js' },
];
const suite = [
  {
    ...host,
    in: 'test/host/suites/index.ts',
    out: 'out/host/suite.cjs',
    // Mocha finds its own files at run time, so it is loaded from node_modules.
    external: ['vscode', 'mocha'],
    // The reference service knows what to do where a bundle has no place of its own.
    logOverride: { 'empty-import-meta': 'silent' },
  },
];

/** The command line is built like the extension, from the same entries, to a place of its own. */
const cliBundles = ['dist/parley-search.cjs', 'dist/undici.cjs'];
const cliFolder = 'out/parley-search';

if (isCli) {
  rmSync(join(root, cliFolder), { recursive: true, force: true });
  const entries = extension.filter(({ out }) => cliBundles.includes(out));
  const inputs = await buildAll(entries.map((entry) => ({ ...entry, out: `${cliFolder}/${entry.out}` })));
  await packGrammars(join(root, cliFolder, 'dist'));
  writeFileSync(join(root, cliFolder, 'ThirdPartyNotices.txt'), describeLicences(root, inputs));
} else if (process.argv.includes('--suite')) {
  await buildAll(suite);
} else {
  // What is packaged holds nothing left over; a build for tests may replace one that is running.
  if (production) rmSync(join(root, 'dist'), { recursive: true, force: true });
  const inputs = await buildAll(extension);
  copyIcons();
  await packGrammars(join(root, 'dist'));
  writeFileSync(join(root, 'dist', 'ThirdPartyNotices.txt'), describeLicences(root, inputs));
}

/** Bundles what is there, and gives the paths of all files that went in. */
async function buildAll(entries) {
  const present = entries.filter((entry) => existsSync(join(root, entry.in)));
  for (const entry of entries) {
    if (!present.includes(entry)) console.log(`${entry.in} does not exist, so ${entry.out} is left out.`);
  }
  return (await Promise.all(present.map(bundle))).flat();
}

async function bundle({ in: input, out, ...options }) {
  const { metafile } = await build({
    ...options,
    absWorkingDir: root,
    entryPoints: [input],
    outfile: out,
    bundle: true,
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
    minify: production,
    sourcemap: !production,
    metafile: true,
    // Packages that carry both forms are smaller and better pruned as ES modules.
    mainFields: options.platform === 'node' ? ['module', 'main'] : ['browser', 'module', 'main'],
  });
  return Object.keys(metafile.inputs);
}

function copyIcons() {
  const from = join(root, 'node_modules', '@vscode', 'codicons', 'dist');
  const to = join(root, 'dist', 'webview');
  mkdirSync(to, { recursive: true });
  for (const file of ['codicon.css', 'codicon.ttf']) cpSync(join(from, file), join(to, file));
}

/** The grammars of the search, and what runs them: 30 MB that brotli makes a third smaller than the VSIX would. */
async function packGrammars(dist) {
  const to = join(dist, 'grammars');
  mkdirSync(to, { recursive: true });
  // The best quality, 11, takes 26 s where this takes 1 s, and saves a tenth (130 kB).
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 9,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
  };
  const folders = ['@vscode/tree-sitter-wasm/wasm', ...grammarPackages].map((name) => join(root, 'node_modules', name));
  const files = folders.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
  const grammars = files.filter((file) => file.endsWith('.wasm') && !file.endsWith('tree-sitter-regex.wasm'));
  await Promise.all(
    grammars.map(async (file) => {
      const bytes = await promisify(brotliCompress)(readFileSync(file), { params });
      writeFileSync(join(to, `${basename(file)}.br`), bytes);
    }),
  );
}
