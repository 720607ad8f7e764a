import { McpServer } from '@modelcontextprotocol/server';
import type { FolderIndex } from '../registry/folderIndex.ts';
import { registerPrompts } from './prompts.ts';
import { registerFindSimilar } from './tools/findSimilar.ts';
import { registerIndexStatus } from './tools/indexStatus.ts';
import { registerReadSymbol } from './tools/readSymbol.ts';
import { registerSearchCode } from './tools/searchCode.ts';
import { registerWhyFile } from './tools/whyFile.ts';

/** What a client is told of the server as a whole. */
const instructions = [
  'Searches the code of this folder by words and, where its index has vectors, by meaning.',
  'Use search_code when you do not know the names that the code uses; grep is better for a text that you know letter by letter.',
  'Ask with detail "places" first, and read the files that look right by your own means.',
].join(' ');

/** The code search as an MCP server. It reads, and never indexes or pays beyond what was allowed in the editor. */
export function createMcpServer(version: string, index: () => Promise<FolderIndex>): McpServer {
  const server = new McpServer({ name: 'parley-search', title: 'Parley Code Search', version }, { instructions });
  registerSearchCode(server, index);
  registerFindSimilar(server, index);
  registerReadSymbol(server, index);
  registerWhyFile(server, index);
  registerIndexStatus(server, index);
  registerPrompts(server);
  return server;
}
