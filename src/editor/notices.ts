import { CancellationError, commands, l10n, type Uri } from 'vscode';
import { type ErrorKind, isCancelled, ServiceError } from '../base/errors.ts';
import { Command } from '../ids/ids.ts';
import { describeForLog, type Log } from './log.ts';
import type { Button } from './sentences/errorButtons.ts';
import { errorText } from './sentences/errorText.ts';
import { isExplained, showTroubleshooting } from './sentences/helpPages.ts';
import { isWarning } from './sentences/isWarning.ts';
import { window } from './text/window.ts';

/** Tells the user what happened, and logs it. */
export interface Notices {
  /**
   * One sentence and one action for an error. Cancelled is silent. `retry` adds a Retry button where that can help; where the
   * page on messages says more, a button leads there. What passes by itself is told as a warning, which goes by itself, too.
   * @param action in place of the one that helps most errors of the kind; with one, cancelled is told of, too
   */
  error(error: unknown, retry?: () => unknown, action?: Button): Promise<void>;
  /**
   * A sentence for bad input, with one action that helps.
   * @param about the kinds of error the sentence tells of, if any
   * @param retry behind a Retry button
   */
  warn(sentence: string, action?: Button, about?: readonly ErrorKind[], retry?: () => unknown): Promise<void>;
  info(sentence: string, action?: Button): Promise<void>;
}

/** The button to the page on messages, where that says more of such errors. */
const learnMoreOf = (kinds: readonly ErrorKind[]): string | undefined =>
  kinds.some(isExplained) ? l10n.t('Learn More') : undefined;

/** @param extension the folder of the extension, with its pages of help */
export function createNotices(log: Log, extension: Uri): Notices {
  async function run(chosen: string | undefined, action: Button | undefined): Promise<void> {
    if (action === undefined || chosen !== action.title) return;
    await commands.executeCommand(action.command, ...(action.arguments ?? []));
  }

  return {
    async error(error, retry, action) {
      if ((isCancelled(error) && action === undefined) || error instanceof CancellationError) return;
      log.error(describeForLog(error));
      const showLog = { title: l10n.t('Show Log'), command: Command.showLog };
      const text =
        error instanceof ServiceError
          ? errorText(error)
          : { sentence: l10n.t('Parley met an error it did not expect.'), action: showLog, canRetry: false };
      const offered = action ?? text.action;
      const retryTitle = retry !== undefined && text.canRetry ? l10n.t('Retry') : undefined;
      const learnMore = learnMoreOf(error instanceof ServiceError ? [error.kind] : []);
      const titles = [offered?.title, retryTitle, learnMore].filter((title) => title !== undefined);
      const show = isWarning(error) ? window.showWarningMessage : window.showErrorMessage;
      const chosen = await show(text.sentence, ...titles);
      if (chosen !== undefined && chosen === retryTitle) await retry?.();
      else if (chosen !== undefined && chosen === learnMore) await showTroubleshooting(extension);
      else await run(chosen, offered);
    },
    async warn(sentence, action, about = [], retry = undefined) {
      const learnMore = learnMoreOf(about);
      const retryTitle = retry && l10n.t('Retry');
      const titles = [action?.title, retryTitle, learnMore].filter((title) => title !== undefined);
      const chosen = await window.showWarningMessage(sentence, ...titles);
      if (chosen !== undefined && chosen === retryTitle) await retry?.();
      else if (chosen !== undefined && chosen === learnMore) await showTroubleshooting(extension);
      else await run(chosen, action);
    },
    async info(sentence, action) {
      await run(await window.showInformationMessage(sentence, ...(action ? [action.title] : [])), action);
    },
  };
}
