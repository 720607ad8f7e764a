import {
  commands,
  LanguageModelTextPart,
  type LanguageModelTool,
  LanguageModelToolResult,
  l10n,
  MarkdownString,
  workspace,
} from 'vscode';
import type { SearchHit, SearchOptions } from '../editor/api.ts';
import type { Services } from '../editor/services.ts';
import { Command } from '../ids.ts';
import { codeSpan } from './codeSpan.ts';
import { hitText } from './hitsText.ts';
import { withinBudget } from './withinBudget.ts';

/** As `inputSchema` in package.json has it; VS Code checks it. */
interface SearchInput extends SearchOptions {
  query: string;
}

/** A model reads all of what it is given, so it gets fewer hits than a person. */
const usualLimit = 10;

/** `parley_search_code`: the code search for agents, by the command that other extensions use. It rejects with a sentence. */
export function createSearchTool({ connection }: Pick<Services, 'connection'>): LanguageModelTool<SearchInput> {
  return {
    async prepareInvocation({ input: { query } }) {
      const invocationMessage = new MarkdownString(l10n.t('Searching the code for {0}', codeSpan(query)));
      const baseUrl = await serviceAsked();
      // By keywords alone, nothing leaves this machine.
      if (baseUrl === undefined) return { invocationMessage };
      return {
        invocationMessage,
        confirmationMessages: {
          title: l10n.t('Search the code by meaning'),
          message: new MarkdownString(
            l10n.t('Parley sends the question “{0}” to {1}, and no code.', codeSpan(query), new URL(baseUrl).host),
          ),
        },
      };
    },

    async invoke({ input: { query, ...options }, tokenizationOptions }) {
      const narrowed = { limit: usualLimit, ...options };
      const hits = await commands.executeCommand<SearchHit[]>(Command.searchQuery, query, narrowed);
      if (hits.length === 0) return answer(`Nothing in the workspace was found for: ${query}`);
      const blocks = hits.map((hit) => hitText(workspace.asRelativePath(hit.uri), hit));
      const leftOut = (count: number): string =>
        `(${count} more hits were left out; ask for fewer, or narrow the search.)`;
      return answer(await withinBudget(blocks, '\n\n', tokenizationOptions, leftOut));
    },
  };

  /** The service a question may be sent to; undefined where the search is by keywords. */
  async function serviceAsked(): Promise<string | undefined> {
    const missing = workspace.isTrusted ? await connection.missing('embeddings') : 'address';
    return missing === undefined ? connection.baseUrl('embeddings') : undefined;
  }
}

function answer(text: string): LanguageModelToolResult {
  return new LanguageModelToolResult([new LanguageModelTextPart(text)]);
}
