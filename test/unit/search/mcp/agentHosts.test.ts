import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { agentHosts } from '../../../../src/search/mcp/agentHosts.ts';
import { ConfigProblem, type ServerCommand } from '../../../../src/search/mcp/configEntry.ts';

const server: ServerCommand = { command: '/data/bin/parley-search', args: ['mcp'] };
const hosts = agentHosts('/work', {}, '/home/ada', 'linux');
const entryOf = (id: string) => {
  const host = hosts.find((each) => each.id === id);
  assert.ok(host, id);
  return host.entry;
};

describe('the files of agents', () => {
  test('are where each program has them', () => {
    assert.deepEqual(Object.fromEntries(hosts.map(({ id, path }) => [id, path])), {
      folder: '/work/.mcp.json',
      copilot: '/home/ada/.copilot/mcp-config.json',
      claude: '/home/ada/.claude.json',
      codex: '/home/ada/.codex/config.toml',
      cursor: '/home/ada/.cursor/mcp.json',
      zed: '/home/ada/.config/zed/settings.json',
      opencode: '/home/ada/.config/opencode/opencode.json',
    });
    const moved = { CODEX_HOME: '/c', CLAUDE_CONFIG_DIR: '/cl', XDG_CONFIG_HOME: '/x', COPILOT_HOME: '/co' };
    const paths = agentHosts(undefined, moved, '/home/ada', 'linux').map(({ path }) => path);
    assert.deepEqual(paths, [
      ...['/co/mcp-config.json', '/cl/.claude.json', '/c/config.toml', '/home/ada/.cursor/mcp.json'],
      ...['/x/zed/settings.json', '/x/opencode/opencode.json'],
    ]);
  });

  test('get an entry of the form that each program reads', () => {
    const made = (id: string): unknown => JSON.parse(entryOf(id).put('', server));
    const { command, args } = server;
    assert.deepEqual(made('folder'), { mcpServers: { 'parley-search': { type: 'stdio', command, args } } });
    assert.deepEqual(made('claude'), { mcpServers: { 'parley-search': { type: 'stdio', command, args } } });
    assert.deepEqual(made('copilot'), {
      mcpServers: { 'parley-search': { type: 'local', command, args, tools: ['*'] } },
    });
    assert.deepEqual(made('cursor'), { mcpServers: { 'parley-search': { command, args } } });
    assert.deepEqual(made('zed'), {
      context_servers: { 'parley-search': { source: 'custom', command, args, env: {} } },
    });
    assert.deepEqual(made('opencode'), {
      mcp: { 'parley-search': { type: 'local', command: ['/data/bin/parley-search', 'mcp'], enabled: true } },
    });
    assert.equal(
      entryOf('codex').put('', server),
      '[mcp_servers.parley-search]\ncommand = "/data/bin/parley-search"\nargs = ["mcp"]\n',
    );
  });

  test('keep everything else, also comments, trailing commas, tabs and line ends', () => {
    const zed =
      '// mine\n{\n\t"theme": "One Dark", // dark\n\t"context_servers": {\n\t\t"other": { "command": "x" },\n\t},\n}\n';
    const added = entryOf('zed').put(zed, server);
    assert.match(
      added,
      /^\/\/ mine\n\{\n\t"theme": "One Dark", \/\/ dark\n\t"context_servers": \{\n\t\t"other": \{\s*"command": "x"\s*\},/,
    );
    assert.match(added, /\n\t\t"parley-search": \{\n\t\t\t"source": "custom",/);
    assert.equal(entryOf('zed').isIn(added), true);
    assert.equal(entryOf('zed').isIn(entryOf('zed').remove(added)), false);
    assert.match(entryOf('zed').remove(added), /\/\/ dark/);
    assert.match(entryOf('folder').put('{\r\n  "a": 1\r\n}\r\n', server), /"mcpServers": \{\r\n/);
  });

  test('have one entry, however often it is put in', () => {
    for (const { id, entry } of hosts) {
      const once = entry.put('', server);
      assert.equal(entry.put(once, server), once, id);
      const moved = entry.put(once, { command: '/new/parley-search', args: ['mcp', '/a b'] });
      assert.equal(moved.match(/"parley-search":|\[mcp_servers\.parley-search\]/g)?.length, 1, moved);
      assert.ok(moved.includes('/new/parley-search') && !moved.includes('/data/bin'), id);
    }
  });

  test('of TOML: other tables stay, and those below the entry go with it', () => {
    const codex = 'model = "o"\n\n[mcp_servers.other]\ncommand = "x"\n\n[tools]\nweb = true # yes\n';
    const added = entryOf('codex').put(codex, server);
    assert.ok(added.startsWith(codex));
    const grown = `${added}\n[mcp_servers.parley-search.env]\nA = "1"\n\n[profiles.a]\nmodel = "p"\n`;
    assert.equal(entryOf('codex').remove(grown), `${codex}\n[profiles.a]\nmodel = "p"\n`);
    assert.equal(entryOf('codex').remove(added), codex);
    assert.equal(entryOf('codex').isIn('[mcp_servers."parley-search"]\ncommand = "x"\n'), true);
    assert.equal(entryOf('codex').isIn('[mcp_servers.parley-search-2]\ncommand = "x"\n'), false);
    const quoted = entryOf('codex').put('', { command: 'C:\\Users\\A "B"\\p.cmd', args: [] });
    assert.match(quoted, /command = "C:\\\\Users\\\\A \\"B\\"\\\\p\.cmd"\n/);
  });

  test('that are not in their form are refused, not overwritten', () => {
    for (const text of ['{', '[]', '{"mcpServers": []}', '{"mcpServers": "x"}', 'model = "x"', '{"a": 1} {"b": 2}']) {
      assert.throws(() => entryOf('folder').put(text, server), ConfigProblem, text);
      assert.throws(() => entryOf('folder').isIn(text), ConfigProblem, text);
    }
    for (const text of ['mcp_servers = { a = { command = "b" } }\n', 'mcp_servers.a.command = "b"\n']) {
      assert.throws(() => entryOf('codex').put(text, server), ConfigProblem, text);
    }
    assert.doesNotThrow(() => entryOf('folder').put('  \n', server));
    assert.equal(entryOf('folder').isIn('{"mcpServers": {"__proto__": {}}}'), false);
  });
});
