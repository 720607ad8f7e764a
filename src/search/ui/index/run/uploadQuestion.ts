import { commands, l10n } from 'vscode';
import type { Notices } from '../../../../editor/notices.ts';
import { window } from '../../../../editor/text/window.ts';
import { Command } from '../../../../ids/ids.ts';

/** The content of the question before an upload. */
export interface PendingQuestion {
  readonly question: string;
  /** Texts to send, their destination, and their cost. */
  readonly detail: string;
  /** The same in one line. */
  readonly summary: string;
  /** The label of the button that consents. */
  readonly yes: string;
  /** Shows the files that would be sent. */
  showDetails(): Promise<void>;
}

/**
 * The question before an upload, open until it is answered: in its dialog, in the menu of the status entry, or in the
 * view.
 */
export interface UploadQuestion {
  /** The question that waits for an answer. */
  readonly asked: PendingQuestion | undefined;
  /** Shows the question; resolves to the answer, wherever it is given. */
  ask(asking: PendingQuestion): Promise<boolean>;
  /** Shows the waiting question again. */
  showAgain(): void;
  showDetails(): Promise<void>;
  answer(isYes: boolean): void;
}

interface Pending {
  readonly asking: PendingQuestion;
  readonly resolve: (isYes: boolean) => void;
  /** The question's dialog is open. */
  isOpen: boolean;
  /** A notification shows the question, too. */
  isNoted: boolean;
}

export function createUploadQuestion(notices: Notices): UploadQuestion {
  let pending: Pending | undefined;

  function settle(of: Pending, isYes: boolean): void {
    if (pending !== of) return;
    pending = undefined;
    of.resolve(isYes);
  }

  async function show(of: Pending): Promise<void> {
    if (of.isOpen) return;
    of.isOpen = true;
    const { question, detail, yes } = of.asking;
    const details = l10n.t('Show Details');
    const chosen = await window.showInformationMessage(question, { modal: true, detail }, yes, details);
    of.isOpen = false;
    if (chosen === details) await showDetails(of);
    else settle(of, chosen === yes);
  }

  /**
   * Shows the list, and a notification beside it, as a dialog would hide the list. The question stays open when the
   * notification goes away.
   */
  async function showDetails(of: Pending): Promise<void> {
    await of.asking.showDetails();
    if (of.isNoted || pending !== of) return;
    of.isNoted = true;
    const { question, yes } = of.asking;
    void window.showInformationMessage(question, yes, l10n.t('Cancel')).then((chosen) => {
      of.isNoted = false;
      if (chosen === undefined) return;
      if (pending === of) settle(of, chosen === yes);
      // The question was answered elsewhere, but the button still shows.
      else if (chosen === yes) void commands.executeCommand(Command.searchIndex);
    });
  }

  const report = (work: Promise<void>): void => {
    work.catch((error: unknown) => notices.error(error));
  };

  return {
    get asked() {
      return pending?.asking;
    },
    ask(asking) {
      pending?.resolve(false);
      return new Promise((resolve) => {
        pending = { asking, resolve, isOpen: false, isNoted: false };
        report(show(pending));
      });
    },
    showAgain() {
      if (pending !== undefined) report(show(pending));
    },
    async showDetails() {
      if (pending !== undefined) await showDetails(pending);
    },
    answer(isYes) {
      if (pending !== undefined) settle(pending, isYes);
    },
  };
}
