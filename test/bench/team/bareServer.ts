/** An MCP server on the same SDK that does nothing: what any of them costs. Bundled and started by `agents.ts`. */
import { enableCompileCache } from 'node:module';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

enableCompileCache?.();
serveStdio(() => {
  const server = new McpServer({ name: 'bare', version: '1.0.0' });
  const config = { description: 'Answers.', inputSchema: z.object({ query: z.string() }) };
  server.registerTool('search_code', config, () => ({ content: [{ type: 'text', text: 'src/a.ts:1' }] }));
  return server;
});
