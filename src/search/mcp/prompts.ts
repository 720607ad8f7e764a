import type { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';

/** Two questions that a person can start with. */
export function registerPrompts(server: McpServer): void {
  server.registerPrompt(
    'find',
    {
      title: 'Find where this is done',
      description: 'Finds the places in the code where something is done.',
      argsSchema: z.object({ what: z.string().describe('What the code does, in plain words') }),
    },
    ({ what }) =>
      asked(
        `Find where this is done in the code: ${what}\n\nAsk search_code with detail "places", then read the places that look right, and list those that really do it as path:line with one sentence each.`,
      ),
  );
  server.registerPrompt(
    'explain',
    {
      title: 'Explain a symbol',
      description: 'Explains what a function or type is for, by its definition and its uses.',
      argsSchema: z.object({ symbol: z.string().describe('Its name') }),
    },
    ({ symbol }) =>
      asked(
        `Explain ${symbol}: read its definition with read_symbol, find who uses it with search_code, and say in a few sentences what it is for and what to know before changing it.`,
      ),
  );
}

const asked = (text: string) => ({ messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] });
