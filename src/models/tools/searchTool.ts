import { commands, LanguageModelTextPart, LanguageModelToolResult, l10n, workspace } from 'vscode';
import type { SearchHit, SearchOptions } from '../../editor/api.ts';
import { plain } from '../../editor/text/plainText.ts';
import { markdownOf, type PlainTool } from '../../editor/text/shown.ts';
import { Command } from '../../ids/ids.ts';
import { hitText } from './toolText.ts';
import { withinBudget } from './withinBudget.ts';

/** The input, as `inputSchema` in package.json has it; VS Code checks it. */
interface SearchInput extends SearchOptions {
  query: string;
}

/** The parts of the code search that the tool needs. */
export interface ToolSearch {
  /** The address a question would be sent to; undefined where the search is by keywords. */
  serviceAsked(): Promise<string | undefined>;
  /** The problem with the words of a question; undefined when there is none. */
  problemOf(text: string): string | undefined;
}

/** Hits for a model, fewer than for a person: it reads all of them. */
const usualLimit = 10;

/** `parley_search_code`: the code search for agents, by the command that other extensions use. It rejects with a sentence. */
export function createSearchTool(search: ToolSearch | undefined): PlainTool<SearchInput> {
  return {
    async prepareInvocation({ input: { query } }) {
      const invocationMessage = markdownOf(l10n.t('Searching the code for “{0}”', query));
      const baseUrl = workspace.isTrusted ? await search?.serviceAsked() : undefined;
      // A search by keywords alone sends nothing from this machine.
      if (baseUrl === undefined) return { invocationMessage };
      return {
        invocationMessage,
        confirmationMessages: {
          title: plain(l10n.t('Search the code by meaning')),
          message: markdownOf(
            l10n.t('Parley sends the question “{0}” to {1}, and no code.', query, new URL(baseUrl).host),
          ),
        },
      };
    },

    async invoke({ input: { query, ...options }, tokenizationOptions }) {
      // The check is made here to name the field as the tool has it: the command calls it otherwise.
      if (query.trim() === '')
        throw new Error(l10n.t('The field “{0}” of the tool takes a text that is not empty.', 'query'));
      const narrowed = { limit: usualLimit, ...options };
      const hits = await commands.executeCommand<SearchHit[]>(Command.searchQuery, query, narrowed);
      const problem = search?.problemOf(query);
      const note = problem === undefined ? '' : `${problem}.`;
      if (hits.length === 0) return answer(`Nothing in the workspace was found for: ${query}\n${note}`.trimEnd());
      const blocks = [note, ...hits.map((hit) => fileText(workspace.asRelativePath(hit.uri), hit))].filter(Boolean);
      const leftOut = (count: number): string =>
        `(${count} more files were left out; ask for fewer, or narrow the search.)`;
      return answer(await withinBudget(blocks, '\n\n', tokenizationOptions, leftOut));
    },
  };
}

/** A file as a model reads it: its best place with its lines, and where else in it to look. */
function fileText(path: string, { places = [], ...best }: SearchHit): string {
  const further = places.map(({ startLine, endLine }) => `${startLine}-${endLine}`).join(', ');
  return [hitText(path, best), ...(further === '' ? [] : [`Also in ${path}: lines ${further}`])].join('\n');
}

function answer(text: string): LanguageModelToolResult {
  return new LanguageModelToolResult([new LanguageModelTextPart(text)]);
}
