import { basename } from 'node:path';
import { commands, LanguageModelTextPart, LanguageModelToolResult, l10n, Uri, workspace } from 'vscode';
import { ServiceError } from '../../base/errors.ts';
import type { TranslatedFile } from '../../editor/api.ts';
import { errorText } from '../../editor/sentences/errorText.ts';
import { formatSize } from '../../editor/sentences/formatUnits.ts';
import type { Services } from '../../editor/services.ts';
import { plain } from '../../editor/text/plainText.ts';
import { markdownOf, type PlainTool } from '../../editor/text/shown.ts';
import { Command } from '../../ids/ids.ts';
import { transcriptLines } from './toolText.ts';
import { withinBudget } from './withinBudget.ts';
import { findWorkspaceFile, type PathProblem } from './workspaceFile.ts';

/** The input, as `inputSchema` in package.json has it; VS Code checks it. */
interface TranslateInput {
  path: string;
}

/** `parley_translate_audio`: the translation for agents, by the command that other extensions use. It rejects with a sentence. */
export function createTranslateTool({ connection }: Pick<Services, 'connection'>): PlainTool<TranslateInput> {
  return {
    async prepareInvocation({ input }) {
      const { path, size } = await recordingAt(input.path);
      const name = basename(path);
      const { host } = new URL((await connection.endpoint('audio').catch(fail)).baseUrl);
      return {
        invocationMessage: markdownOf(l10n.t('Translating {0}', name)),
        confirmationMessages: {
          title: plain(l10n.t('Translate a recording to English')),
          message: markdownOf(l10n.t('Parley uploads {0} ({1}) to {2}.', name, formatSize(size), host)),
        },
      };
    },

    async invoke({ input, tokenizationOptions }) {
      const { path } = await recordingAt(input.path);
      const [translated] = await commands.executeCommand<TranslatedFile[]>(Command.audioTranslate, Uri.file(path));
      const lines = translated === undefined ? [] : transcriptLines(translated);
      if (translated?.note !== undefined) lines.unshift(translated.note);
      const leftOut = (count: number): string => `(${count} more lines of the transcript were left out.)`;
      const text = await withinBudget(lines, '\n', tokenizationOptions, leftOut);
      return new LanguageModelToolResult([new LanguageModelTextPart(text)]);
    },
  };
}

/** Rejects before the user is asked, where nothing can be uploaded. */
function fail(error: unknown): never {
  throw error instanceof ServiceError ? new Error(errorText(error).sentence) : error;
}

/** The recording that a model named. Throws a sentence for a path that is no file of a trusted workspace. */
async function recordingAt(path: string): Promise<{ path: string; size: number }> {
  if (!workspace.isTrusted) throw new Error(l10n.t('Recordings are sent to a service only from folders you trust.'));
  const folders = (workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  const roots = folders.map(({ name, uri }) => ({ name, path: uri.fsPath }));
  const file = await findWorkspaceFile(path, roots);
  if (!file.ok) throw new Error(problemText(file.problem, path));
  return file;
}

function problemText(problem: PathProblem, path: string): string {
  const texts: Record<PathProblem, string> = {
    outside: l10n.t('The path {0} leads out of the workspace.', path),
    missing: l10n.t('There is no file {0} in the workspace.', path),
    'not-a-file': l10n.t('{0} is not a file.', path),
  };
  return plain(texts[problem]);
}
