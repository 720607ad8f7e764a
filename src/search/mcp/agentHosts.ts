import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ConfigEntry } from './configEntry.ts';
import { jsonEntry } from './jsonEntry.ts';
import { tomlEntry } from './tomlEntry.ts';

/** A program in which agents run, and the file in which it has its MCP servers. */
export interface AgentHost {
  readonly id: string;
  /** The name of the product. */
  readonly name: string;
  readonly path: string;
  readonly entry: ConfigEntry;
  /** The arguments behind `mcp`: what the program puts the open folder in for; without any, the server is started in that folder. */
  readonly args: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The files of all agents of this user, by the documentation of each in November 2026.
 * @param folder the folder that is open, for the file that goes with it; absent: only the files of the user
 */
export function agentHosts(
  folder: string | undefined,
  environment: Environment = process.env,
  home: string = homedir(),
  platform: NodeJS.Platform = process.platform,
): AgentHost[] {
  const config = environment['XDG_CONFIG_HOME'] || join(home, '.config');
  const zed =
    platform === 'win32'
      ? join(environment['APPDATA'] || join(home, 'AppData', 'Roaming'), 'Zed')
      : join(config, 'zed');
  const ofUser: AgentHost[] = [
    {
      id: 'copilot',
      name: 'Copilot CLI',
      path: join(environment['COPILOT_HOME'] || join(home, '.copilot'), 'mcp-config.json'),
      entry: jsonEntry(['mcpServers'], ({ command, args }) => ({ type: 'local', command, args, tools: ['*'] })),
      args: [],
    },
    {
      id: 'claude',
      name: 'Claude Code',
      path: join(environment['CLAUDE_CONFIG_DIR'] || home, '.claude.json'),
      entry: jsonEntry(['mcpServers'], ({ command, args }) => ({ type: 'stdio', command, args })),
      args: [],
    },
    {
      id: 'codex',
      name: 'Codex',
      path: join(environment['CODEX_HOME'] || join(home, '.codex'), 'config.toml'),
      entry: tomlEntry('mcp_servers'),
      args: [],
    },
    {
      id: 'cursor',
      name: 'Cursor',
      path: join(home, '.cursor', 'mcp.json'),
      entry: jsonEntry(['mcpServers'], ({ command, args }) => ({ command, args })),
      // biome-ignore lint/suspicious/noTemplateCurlyInString: Cursor puts the folder in.
      args: ['${workspaceFolder}'],
    },
    {
      id: 'zed',
      name: 'Zed',
      path: join(zed, 'settings.json'),
      entry: jsonEntry(['context_servers'], ({ command, args }) => ({ source: 'custom', command, args, env: {} })),
      args: [],
    },
    {
      id: 'opencode',
      name: 'opencode',
      path: join(config, 'opencode', 'opencode.json'),
      entry: jsonEntry(['mcp'], ({ command, args }) => ({ type: 'local', command: [command, ...args], enabled: true })),
      args: [],
    },
  ];
  if (folder === undefined) return ofUser;
  const ofFolder: AgentHost = {
    id: 'folder',
    name: '.mcp.json',
    path: join(folder, '.mcp.json'),
    entry: jsonEntry(['mcpServers'], ({ command, args }) => ({ type: 'stdio', command, args })),
    args: [],
  };
  return [ofFolder, ...ofUser];
}
