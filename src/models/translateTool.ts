import { basename } from 'node:path';
import {
  commands,
  LanguageModelTextPart,
  type LanguageModelTool,
  LanguageModelToolResult,
  l10n,
  MarkdownString,
  Uri,
  workspace,
} from 'vscode';
import type { TranslatedFile } from '../editor/api.ts';
import { errorText } from '../editor/errorText.ts';
import type { Services } from '../editor/services.ts';
import { formatSize } from '../editor/units.ts';
import { Command } from '../ids.ts';
import { ServiceError } from '../service/errors.ts';
import { codeSpan } from './codeSpan.ts';
import { transcriptLines } from './transcriptLines.ts';
import { withinBudget } from './withinBudget.ts';
import { findWorkspaceFile, type PathProblem } from './workspaceFile.ts';

/** As `inputSchema` in package.json has it; VS Code checks it. */
interface TranslateInput {
  path: string;
}

/** `parley_translate_audio`: the translation for agents, by the command that other extensions use. It rejects with a sentence. */
export function createTranslateTool({ connection }: Pick<Services, 'connection'>): LanguageModelTool<TranslateInput> {
  return {
    async prepareInvocation({ input }) {
      const { path, size } = await recordingAt(input.path);
      const name = codeSpan(basename(path));
      const { host } = new URL((await connection.endpoint('audio').catch(fail)).baseUrl);
      return {
        invocationMessage: new MarkdownString(l10n.t('Translating {0}', name)),
        confirmationMessages: {
          title: l10n.t('Translate a recording to English'),
          message: new MarkdownString(l10n.t('Parley uploads {0} ({1}) to {2}.', name, formatSize(size), host)),
        },
      };
    },

    async invoke({ input, tokenizationOptions }) {
      const { path } = await recordingAt(input.path);
      const [translated] = await commands.executeCommand<TranslatedFile[]>(Command.audioTranslate, Uri.file(path));
      const lines = translated === undefined ? [] : transcriptLines(translated);
      const leftOut = (count: number): string => `(${count} more lines of the transcript were left out.)`;
      const text = await withinBudget(lines, '\n', tokenizationOptions, leftOut);
      return new LanguageModelToolResult([new LanguageModelTextPart(text)]);
    },
  };
}

/** Where nothing can be uploaded, that is said before anybody is asked. */
function fail(error: unknown): never {
  throw error instanceof ServiceError ? new Error(errorText(error).sentence) : error;
}

/** The recording that a model named. Throws a sentence for what is not a file of a trusted workspace. */
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
  return texts[problem];
}
