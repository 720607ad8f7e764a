/** `npm run kernel`: assembles src/search/vectors/kernel/kernel.wat and writes it, with the hash of its source, as a module. */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import wabt from 'wabt';

const folder = join(import.meta.dirname, 'src/search/vectors/kernel');
const source = readFileSync(join(folder, 'kernel.wat'), 'utf8');
const { parseWat } = await wabt();
const parsed = parseWat('kernel.wat', source, { simd: true });
parsed.validate();
const wasm = Buffer.from(parsed.toBinary({}).buffer).toString('base64');
const lines = wasm.match(/.{1,100}/g) ?? [];
writeFileSync(
  join(folder, 'kernelModule.ts'),
  `/** Written by \`npm run kernel\` out of kernel.wat; a test holds the hash against the source. */
export const sourceHash = '${createHash('sha256').update(source).digest('hex')}';
export const wasmBase64 =
  ${lines.map((line) => `'${line}'`).join(' +\n  ')};
`,
);
