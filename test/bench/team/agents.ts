import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { build } from 'esbuild';
import { estimateTokens } from '../../../src/base/tokens.ts';
import { openFolderIndex } from '../../../src/search/registry/folderIndex.ts';
import { copyCode, root } from '../index/fixture.ts';
import { type Row, toRow } from '../row.ts';

const starts = 11;
const questions = 200;

/** What an agent has of the MCP server: how soon it answers, and how many tokens an answer takes. */
export async function agentRows(tell: (text: string) => void): Promise<Row[]> {
  const data = mkdtempSync(join(tmpdir(), 'parley-bench-team-'));
  const code = copyCode(95e6);
  try {
    tell(`team: reading ${code.files.length} files`);
    const index = await openFolderIndex(data, [code.path]);
    await index.prepare(new AbortController().signal, () => undefined);
    const { chunks } = index.engine.status().indexed;
    await index.close();
    tell(`team: an index of ${chunks} chunks`);
    const bare = join(data, 'bareServer.cjs');
    await build({
      entryPoints: [join(import.meta.dirname, 'bareServer.ts')],
      outfile: bare,
      ...{ bundle: true, minify: true, platform: 'node', format: 'cjs', mainFields: ['module', 'main'] },
    });
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let turn = 0; turn < starts; turn++) {
      theirs.push(await firstAnswer([bare], data));
      ours.push(await firstAnswer([join(root, 'dist/parley-search.cjs'), 'mcp', code.path], data));
    }
    return [
      toRow({
        ...{ bench: 'team', metric: `MCP: spawn to first answer on an index of ${chunks} chunks, median of ${starts}` },
        ...{ value: median(ours), unit: 'ms', peer: { name: 'a bare server on the same SDK', value: median(theirs) } },
      }),
      toRow({
        ...{ bench: 'team', metric: 'MCP: the same, more than the bare server' },
        ...{ value: median(ours) - median(theirs), unit: 'ms', goal: { of: 'value', is: '<=', bound: 300 } },
      }),
      ...(await tokenRows(data)),
    ];
  } finally {
    code.remove();
    rmSync(data, { recursive: true, force: true });
  }
}

/** Milliseconds from the start of a server to its first answer. */
async function firstAnswer(args: readonly string[], data: string): Promise<number> {
  const started = performance.now();
  const client = await connect(args, data);
  await client.callTool({ name: 'search_code', arguments: { query: 'parse the header of a request' } });
  const ms = performance.now() - started;
  await client.close();
  return ms;
}

async function connect(args: readonly string[], data: string): Promise<Client> {
  const client = new Client({ name: 'bench', version: '1' });
  const env = { PATH: process.env['PATH'] ?? '', PARLEY_DATA_DIR: data, NODE_COMPILE_CACHE: join(data, 'compiled') };
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [...args], env }));
  return client;
}

/** The sentences of our own documentation, asked in each detail: the tokens of the answers, and whether the file is in them. */
async function tokenRows(data: string): Promise<Row[]> {
  const client = await connect([join(root, 'dist/parley-search.cjs'), 'mcp', join(root, 'src')], data);
  const asked = documented(join(root, 'src'));
  const measure = async (detail: string): Promise<{ tokens: number; found: number }> => {
    let [tokens, found] = [0, 0];
    for (const { query, path } of asked) {
      const { content } = await client.callTool({ name: 'search_code', arguments: { query, detail } });
      const text = (content as { text?: string; uri?: string }[]).map((part) => part.text ?? part.uri ?? '').join('\n');
      tokens += estimateTokens(text);
      found += Number(text.includes(`${path}:`));
    }
    return { tokens: tokens / asked.length, found: found / asked.length };
  };
  const [places, full] = [await measure('places'), await measure('full')];
  await client.close();
  return [
    toRow({
      ...{
        bench: 'team',
        metric: `MCP: tokens of an answer with detail places, ${asked.length} questions`,
        unit: 'tokens',
      },
      ...{ value: places.tokens, peer: { name: 'detail full', value: full.tokens } },
      goal: { of: 'ratio', is: '<=', bound: 0.125 },
    }),
    toRow({
      ...{ bench: 'team', metric: 'MCP: the wanted file is in an answer with detail places', unit: 'share' },
      ...{ value: places.found, peer: { name: 'detail full', value: full.found } },
      goal: { of: 'ratio', is: '>=', bound: 1 },
    }),
  ];
}

/** The first sentences of comments on functions, evenly from all files, and the files that they stand in. */
function documented(folder: string): { query: string; path: string }[] {
  const all = globSync('**/*.ts', { cwd: folder })
    .sort()
    .flatMap((path) =>
      [
        ...readFileSync(join(folder, path), 'utf8').matchAll(
          /\/\*\*\s+\*?\s*([^@*]+?[.:])\s[^/]*?\*\/\nexport (?:async )?function/g,
        ),
      ].map(([, query = '']) => ({ query: query.replace(/\s*\n \* /g, ' '), path })),
    );
  const step = Math.max(1, Math.floor(all.length / questions));
  return all.filter((_, at) => at % step === 0).slice(0, questions);
}

const median = (all: readonly number[]): number => [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;
