/** What other programs have of the index: the MCP server as an agent starts it, the list of indexes, the entries in the files of agents. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { commands } from 'vscode';
import { Command } from '../../../../src/ids/ids.ts';
import type { ReferenceService } from '../../../service/options.ts';
import { deleteIndex, folder, indexAll, inputsOf, untilShown, writeScratch } from '../support/codeIndex.ts';
import { dialog, notification, press, quickPick, texts } from '../support/hands.ts';
import { connectTo, disconnect, setting, startService } from '../support/service.ts';
import { extensionPath } from '../support/subject.ts';
import { screenshotInThemes } from '../support/themes.ts';
import { until } from '../support/until.ts';

const question = 'at which hour leaves the ferry';
const data = process.env['PARLEY_DATA_DIR'] ?? '';
const recordsOf = (kind: 'indexes' | 'windows'): string[] => {
  const path = join(data, kind);
  return existsSync(path) ? readdirSync(path).filter((name) => name.endsWith('.json')) : [];
};

interface Answer {
  readonly text: string;
  readonly by: unknown;
  readonly sentTo: unknown;
}

/** Asks the MCP server, started as this command says. */
async function ask(command: string, args: readonly string[], query: string): Promise<Answer> {
  const client = new Client({ name: 'agent', version: '1' });
  const environment = { PATH: process.env['PATH'] ?? '', PARLEY_DATA_DIR: data, ELECTRON_RUN_AS_NODE: '1' };
  await client.connect(new StdioClientTransport({ command, args: [...args], env: environment, cwd: folder() }));
  try {
    const { content, structuredContent } = await client.callTool({ name: 'search_code', arguments: { query } });
    const [first] = content as { text?: string }[];
    const { by, sentTo } = structuredContent as { by: unknown; sentTo?: unknown };
    return { text: first?.text ?? '', by, sentTo };
  } finally {
    await client.close();
  }
}

describe('Other programs', () => {
  let service: ReferenceService;
  let home: string;
  const script = (): string => join(extensionPath(), 'dist', 'parley-search.cjs');
  const sent = (): string[] => service.requests.filter(({ path }) => path.endsWith('/embeddings')).flatMap(inputsOf);
  const server = (query: string): Promise<Answer> => ask(process.execPath, [script(), 'mcp', folder()], query);

  before(async () => {
    home = mkdtempSync(join(tmpdir(), 'parley-agents-'));
    service = await startService();
    await connectTo(service);
    await deleteIndex();
    writeScratch('ferry.ts', 'export const ferry = "leaves at noon";\n');
    await indexAll();
    await untilShown('files');
  });
  after(async () => {
    await press('Escape');
    await setting('parley.search.mcpServer', undefined);
    await deleteIndex();
    for (const name of ['scratch', '.mcp.json']) rmSync(join(folder(), name), { recursive: true, force: true });
    rmSync(home, { recursive: true, force: true });
    delete process.env['CODEX_HOME'];
    await notification.clear();
    await disconnect();
    await service.close();
  });

  it('search by meaning, as the window asks for the vector, with its key; no code is sent', async () => {
    // What was recorded last may be of a suite before, a second ago.
    const origin = `"origin": "${new URL(service.baseUrl).origin}"`;
    await until('the index is recorded with its model', async () =>
      recordsOf('indexes').some((name) => readFileSync(join(data, 'indexes', name), 'utf8').includes(origin)),
    );
    await until('the window has announced itself', async () => recordsOf('windows').length > 0);
    const before = sent().length;
    const answer = await server(question);
    assert.match(answer.text, /scratch\/ferry\.ts:1/);
    assert.equal(answer.by, 'words and meaning');
    assert.equal(answer.sentTo, new URL(service.baseUrl).origin);
    assert.deepEqual(sent().slice(before), [question]);
    const written = [
      ...recordsOf('indexes').map((name) => join('indexes', name)),
      ...recordsOf('windows').map((name) => join('windows', name)),
    ];
    for (const name of written)
      assert.doesNotMatch(readFileSync(join(data, name), 'utf8'), /sk-/, 'no key is in a file');
  });

  it('search what was saved a moment ago', async () => {
    writeScratch('barge.ts', 'export const barge = "drifts at dusk";\n');
    await until('it is found', async () => (await server('barge drifts at dusk')).text.includes('barge.ts'));
  });

  it('search by words, and say so, where the window has another model by now', async () => {
    await setting('parley.embeddings.model', 'parley-chat-large');
    const before = sent().length;
    const answer = await until('words answer', async () => {
      const now = await server(question);
      return now.by === 'words' ? now : undefined;
    });
    assert.match(answer.text, /words only/);
    assert.deepEqual(
      sent()
        .slice(before)
        .filter((text) => text.includes(question)),
      [],
    );
    await setting('parley.embeddings.model', 'parley-embed');
  });

  it('are entered in .mcp.json, once it was shown; the entry works, and is taken out again', async () => {
    const file = join(folder(), '.mcp.json');
    writeFileSync(file, '{\n  "mcpServers": { "other": { "command": "true" } }\n}\n');
    const adding = commands.executeCommand(Command.searchAddToAgents);
    await quickPick.untilListed('.mcp.json in this folder');
    await screenshotInThemes('agents-list');
    await quickPick.choose('.mcp.json in this folder');
    await until('the entry is shown', async () => (await dialog.text()).includes('"parley-search"'));
    await screenshotInThemes('agents-entry');
    await dialog.press('Add');
    await adding;
    await notification.untilSaid('The code search is added to');
    await notification.clear();
    const { mcpServers } = JSON.parse(readFileSync(file, 'utf8'));
    assert.deepEqual(Object.keys(mcpServers), ['other', 'parley-search']);
    const { command, args } = mcpServers['parley-search'];
    assert.deepEqual(args, ['mcp']);
    const answer = await ask(command, args, question);
    assert.match(answer.text, /scratch\/ferry\.ts:1/);

    const taking = commands.executeCommand(Command.searchAddToAgents);
    await quickPick.untilListed('.mcp.json in this folder');
    await quickPick.choose('.mcp.json in this folder');
    await dialog.press('Take Out');
    await taking;
    assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), { mcpServers: { other: { command: 'true' } } });
    await notification.clear();
  });

  it('are not entered in a file that is not in its form, which stays as it is', async () => {
    process.env['CODEX_HOME'] = home;
    const text = 'model = "x"\nmcp_servers = { a = { command = "b" } }\n';
    writeFileSync(join(home, 'config.toml'), text);
    const adding = commands.executeCommand(Command.searchAddToAgents);
    await quickPick.untilListed('Codex');
    await quickPick.choose('Codex');
    await dialog.press('Add');
    await adding;
    await notification.untilSaid('is not in the form that it should have');
    assert.equal(readFileSync(join(home, 'config.toml'), 'utf8'), text);
    await notification.clear();
  });

  it('have no entry where the question is answered with no', async () => {
    rmSync(join(home, 'config.toml'));
    const adding = commands.executeCommand(Command.searchAddToAgents);
    await quickPick.untilListed('Codex');
    await quickPick.choose('Codex');
    await until('the entry is shown', async () => (await dialog.text()).includes('[mcp_servers.parley-search]'));
    await dialog.dismiss();
    await adding;
    assert.equal(existsSync(join(home, 'config.toml')), false);
  });

  it('are listed with size and age; what is open here is not deleted from there', async () => {
    await commands.executeCommand(Command.searchManageIndexes);
    await quickPick.untilListed(folder().slice(folder().lastIndexOf('/') + 1));
    const rows = await texts('.quick-input-list .monaco-list-row');
    assert.ok(
      rows.some((row) => /open now/.test(row) && /used today/.test(row)),
      rows.join('\n'),
    );
    await screenshotInThemes('indexes-list');
    await press('Escape');
  });

  it('see it as an MCP server in VS Code, too, where the setting says so', async () => {
    const servers = async (): Promise<string[]> => {
      void commands.executeCommand('workbench.mcp.listServer');
      const shown = await until('the servers are listed', async () => {
        const labels = await quickPick.items();
        return labels.length > 0 ? labels : undefined;
      });
      await commands.executeCommand('workbench.action.closeQuickOpen');
      return shown;
    };
    assert.ok(!(await servers()).includes('Parley Code Search'));
    await setting('parley.search.mcpServer', true);
    await until('the server is there', async () => (await servers()).includes('Parley Code Search'));
    await setting('parley.search.mcpServer', undefined);
    await until('the server is gone', async () => !(await servers()).includes('Parley Code Search'));
  });

  it('have no index, and no vector, once it is deleted', async () => {
    await deleteIndex();
    await until('the record is gone', async () => recordsOf('indexes').length === 0);
    const before = sent().length;
    assert.equal((await server(question)).by, 'words');
    assert.equal(sent().length, before);
    await indexAll();
  });
});
