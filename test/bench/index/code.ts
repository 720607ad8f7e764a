/**
 * Copies real code out of node_modules to a new folder: `node code.ts BYTES` prints what it made. A process of its own, so that
 * the memory it takes is not counted as the index's.
 */
import { globSync, mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

/** Every so many lines a fork has one of its own: more than one in nearly every chunk. */
const forkEvery = 12;

/**
 * Real code out of node_modules, each text once, in a folder of its own. Where that is not enough, forks of it follow, in which
 * nearly every chunk is another text.
 */
function copyCode(wantedBytes: number): { path: string; files: string[]; bytes: number } {
  const path = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  const from = join(root, 'node_modules');
  const files: string[] = [];
  const seen = new Set<string>();
  let bytes = 0;
  const write = (target: string, text: string): void => {
    mkdirSync(dirname(join(path, target)), { recursive: true });
    writeFileSync(join(path, target), text);
    files.push(target);
    bytes += Buffer.byteLength(text);
  };
  for (const name of globSync('**/*.{ts,js,mjs,cjs}', { cwd: from }).sort()) {
    if (bytes >= wantedBytes) break;
    const source = join(from, name);
    if (!statSync(source).isFile() || statSync(source).size > 500_000 || /\.min\./.test(name)) continue;
    const text = readFileSync(source, 'utf8');
    if (seen.has(text) || text.length / text.split('\n').length > 200) continue;
    seen.add(text);
    // A folder of packages would be left out by its name.
    write(name.replaceAll('node_modules', 'packages').replaceAll(/(^|\/)(dist|build|out|lib)(?=\/)/g, '$1src'), text);
  }
  const originals = [...files];
  for (let fork = 1; bytes < wantedBytes; fork++) {
    for (const name of originals) {
      if (bytes >= wantedBytes) break;
      const lines = readFileSync(join(path, name), 'utf8').split('\n');
      const forked = lines.flatMap((line, at) => (at % forkEvery === 0 ? [`// fork ${fork} of ${at}`, line] : [line]));
      write(`fork${fork}/${name}`, forked.join('\n'));
    }
  }
  return { path, files, bytes };
}

console.log(JSON.stringify(copyCode(Number(process.argv[2]))));
