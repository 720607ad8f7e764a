import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { temporaryFolder } from '../support/searchFolder.ts';

export const script = fileURLToPath(new URL('../../src/search/cli/main.ts', import.meta.url));

/** Both eras of the protocol, as a client asks for them. */
export const eras = {
  legacy: { mode: 'legacy' },
  modern: { mode: { pin: '2026-07-28' } },
} as const;

export interface Place {
  path: string;
  startLine: number;
  endLine: number;
  line?: number;
  why?: string;
  text?: string;
}

/** An answer of a tool, as far as tests look at it. */
export interface Answer {
  text: string;
  isError: boolean;
  links: { uri: string; name: string }[];
  data: {
    places?: Place[];
    definitions?: Place[];
    by?: string;
    sentTo?: string;
    cursor?: string;
    team?: { hits: number; problem?: string };
    kind?: string;
    path?: string;
    further?: number;
    folders?: string[];
    coverage?: { files: number; isOpenInEditor: boolean; filesByMeaning?: number; readAt?: string };
  };
}

export interface RunningServer {
  client: Client;
  pid: number;
  ask(tool: string, args: Record<string, unknown>, options?: { signal?: AbortSignal }): Promise<Answer>;
  paths(query: string, args?: Record<string, unknown>): Promise<string[]>;
}

/** Starts the server on these folders, as an agent does. */
export async function startServer(
  t: TestContext,
  data: string,
  folders: readonly string[],
  era: keyof typeof eras = 'modern',
  more: Readonly<Record<string, string>> = {},
): Promise<RunningServer> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [script, 'mcp', ...folders],
    env: { PATH: process.env['PATH'] ?? '', HOME: data, PARLEY_DATA_DIR: data, ...more },
    stderr: 'inherit',
  });
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: eras[era] });
  await client.connect(transport);
  t.after(() => client.close());
  const ask: RunningServer['ask'] = async (name, args, options) =>
    readAnswer(await client.callTool({ name, arguments: args }, options));
  return {
    client,
    pid: transport.pid ?? 0,
    ask,
    paths: async (query, args = {}) =>
      ((await ask('search_code', { query, ...args })).data.places ?? []).map(({ path }) => path),
  };
}

function readAnswer(result: Awaited<ReturnType<Client['callTool']>>): Answer {
  const content = result.content as { type: string; text?: string; uri?: string; name?: string }[];
  return {
    text: content.flatMap(({ type, text = '' }) => (type === 'text' ? [text] : [])).join('\n'),
    isError: result.isError === true,
    links: content.flatMap(({ type, uri = '', name = '' }) => (type === 'resource_link' ? [{ uri, name }] : [])),
    data: (result.structuredContent ?? {}) as Answer['data'],
  };
}

export const secret = `AKIA${'QWERTYUIOPASDFGH'}`;

/** A small workspace: languages, copies, a secret, ignored files; and an empty data folder. */
export function workspace(t: TestContext): { root: string; data: string } {
  const root = temporaryFolder(t);
  write(root, {
    'src/harbour.ts': [
      "import { open } from './store.ts';",
      '',
      '/** Ships that wait before the harbour are let in by their draught. */',
      'export class Harbour {',
      '  letIn(ship: Ship): void {',
      '    const berth = this.berths.find((each) => each.depth > ship.draught);',
      '    if (berth === undefined) throw new Error("no berth is deep enough");',
      '    berth.ship = ship;',
      '  }',
      '}',
      '',
    ].join('\n'),
    'src/store.ts':
      'export class Store {\n  open(path: string): void {\n    this.path = path;\n  }\n}\n\nexport function open(path: string): Store {\n  const store = new Store();\n  store.open(path);\n  return store;\n}\n',
    'tools/tide.py':
      'def tide_at(hour):\n    """How high the water stands at an hour."""\n    return heights[hour % 12]\n',
    'tools/tide_copy.py':
      'def tide_at_night(hour):\n    """How high the water stands at an hour."""\n    return heights[hour % 12]\n',
    'docs/pilot.md': '# Pilots\n\nA pilot comes aboard before the harbour.\n\n```ts\nconst pilot = 1;\n```\n',
    'ignored/lighthouse.ts': 'export const lighthouseKeeper = 1;\n',
    '.gitignore': 'ignored/\n',
    '.env': `ANCHOR_KEY=${secret}\n`,
  });
  execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: root });
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.org'];
  execFileSync('git', ['add', '.'], { cwd: root });
  execFileSync('git', [...identity, 'commit', '-qm', 'first'], { cwd: root });
  return { root, data: temporaryFolder(t) };
}

/** Writes files below a folder. */
export function write(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

/** Another way to a folder. */
export function linkTo(t: TestContext, folder: string): string {
  const link = join(realpathSync(temporaryFolder(t)), 'link');
  symlinkSync(folder, link);
  return link;
}
