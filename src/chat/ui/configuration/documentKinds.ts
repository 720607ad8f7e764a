import { FileSystemError, l10n } from 'vscode';
import { plain } from '../../../editor/text/plainText.ts';
import { configurationOf, longestSystemPrompt } from '../../parameters/configuration.ts';
import { type RequestProblem, readRequest, writeRequest } from '../../parameters/requestJson.ts';
import { readChatSettings } from '../chatSettings.ts';
import type { DocumentKind } from './conversationDocuments.ts';

/** The system prompt of a conversation. */
export const systemPromptKind: DocumentKind = {
  fileName: 'System Prompt.md',
  countsAtOnce: false,
  isIn: (name) => name === 'systemPrompt',
  text: ({ configured }) => configurationOf(configured).systemPrompt ?? readChatSettings().systemPrompt,
  change(text) {
    const written = text.trim();
    if (written.length > longestSystemPrompt) {
      throw FileSystemError.Unavailable(plain(l10n.t('A system prompt has at most 100,000 characters.')));
    }
    return { systemPrompt: written === readChatSettings().systemPrompt ? null : written };
  },
};

/** The fields of a conversation's requests, as JSON. @param model the one of the settings */
export function requestKind(model: () => string): DocumentKind {
  return {
    fileName: 'Request.json',
    countsAtOnce: true,
    isIn: (name) => name === 'model' || name.startsWith('parameter '),
    text({ configured }) {
      const configuration = configurationOf(configured);
      return writeRequest(configuration, configuration.model ?? model());
    },
    change(text, { configured }) {
      const read = readRequest(text, configurationOf(configured), model());
      if ('change' in read) return read.change;
      throw FileSystemError.Unavailable(plain(requestProblemText(read.problem)));
    },
  };
}

/** What is wrong with a request that somebody wrote as JSON. */
export function requestProblemText(problem: RequestProblem): string {
  switch (problem.kind) {
    case 'json':
      return l10n.t('This is not a JSON object.');
    case 'unknown':
      return l10n.t('“{0}” is no field that a conversation can set.', problem.param);
    case 'value':
      return l10n.t('“{0}” takes {1}.', problem.param, problem.takes);
  }
}
