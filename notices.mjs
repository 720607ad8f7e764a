import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What may ship (CONTRIBUTING.md, "Dependencies"), and the one exception: the icon font of VS Code itself. */
const allowed = /^\(?(MIT|ISC|BSD-[23]-Clause|Apache-2\.0|MPL-2\.0)\b/;
const exceptions = new Set(['@vscode/codicons CC-BY-4.0']);

/** Packages with a grammar, which esbuild does not read, and whose parser it is. */
const parsers = {
  '@lumis-sh/wasm-kotlin': 'tree-sitter-kotlin, MIT, Copyright (c) 2019 fwcd',
  '@lumis-sh/wasm-scala': 'tree-sitter-scala, MIT, Copyright (c) 2018 Max Brunsfeld and GitHub',
};
export const grammarPackages = Object.keys(parsers);

/**
 * The names, licences and licence texts of the packages whose files are in the bundles, as one text for the VSIX.
 * @param {string} root the folder that holds node_modules
 * @param {Iterable<string>} inputs paths of the bundled files, relative to `root`
 * @throws when a package has a licence that may not ship
 */
export function describeLicences(root, inputs) {
  const names = new Set(['@vscode/codicons', ...grammarPackages]);
  for (const input of inputs) {
    const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1];
    if (name !== undefined) names.add(name);
  }
  return [...names]
    .sort()
    .map((name) => describe(root, name))
    .join(`\n${'-'.repeat(80)}\n\n`);
}

function describe(root, name) {
  const folder = join(root, 'node_modules', name);
  const { license, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (!allowed.test(license) && !exceptions.has(`${name} ${license}`)) {
    throw new Error(`${name} has the licence ${license}, which may not ship.`);
  }
  const texts = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|copying)/i.test(file))
    .sort();
  const text = texts.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n');
  const parser = parsers[name];
  const of = parser === undefined ? '' : `\nIts parser: ${parser}\n`;
  return `${name} ${version} (${license})\n${of}\n${text}\n`;
}
