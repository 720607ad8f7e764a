import { CancellationError, commands, l10n, window } from 'vscode';
import { Command } from '../ids.ts';
import { isCancelled, ServiceError } from '../service/errors.ts';
import { type Action, errorText } from './errorText.ts';
import { describeForLog, type Log } from './log.ts';

/** Tells the user what happened, and logs it. */
export interface Notices {
  /** One sentence and one action for an error. Cancelled is silent. `retry` adds a Retry button where that can help. */
  error(error: unknown, retry?: () => unknown): Promise<void>;
  /** A sentence for bad input, with one action that helps. */
  warn(sentence: string, action?: Action): Promise<void>;
  info(sentence: string, action?: Action): Promise<void>;
}

export function createNotices(log: Log): Notices {
  async function run(chosen: string | undefined, action: Action | undefined): Promise<void> {
    if (action === undefined || chosen !== action.title) return;
    await commands.executeCommand(action.command, ...(action.arguments ?? []));
  }

  return {
    async error(error, retry) {
      if (isCancelled(error) || error instanceof CancellationError) return;
      log.error(describeForLog(error));
      const showLog = { title: l10n.t('Show Log'), command: Command.showLog };
      const text =
        error instanceof ServiceError
          ? errorText(error)
          : { sentence: l10n.t('Parley met an error it did not expect.'), action: showLog, canRetry: false };
      const retryTitle = retry !== undefined && text.canRetry ? l10n.t('Retry') : undefined;
      const titles = [text.action?.title, retryTitle].filter((title) => title !== undefined);
      const chosen = await window.showErrorMessage(text.sentence, ...titles);
      if (chosen !== undefined && chosen === retryTitle) await retry?.();
      else await run(chosen, text.action);
    },
    async warn(sentence, action) {
      await run(await window.showWarningMessage(sentence, ...(action ? [action.title] : [])), action);
    },
    async info(sentence, action) {
      await run(await window.showInformationMessage(sentence, ...(action ? [action.title] : [])), action);
    },
  };
}
