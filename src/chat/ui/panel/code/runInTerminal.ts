import { env, l10n, type Terminal } from 'vscode';
import type { Notices } from '../../../../editor/notices.ts';
import { plain } from '../../../../editor/text/plainText.ts';
import { window } from '../../../../editor/text/window.ts';
import { shellOf } from '../../../../webview/shared/shellLanguages.ts';
import { terminalText } from './terminalText.ts';

/**
 * Puts code into a terminal, where it runs when the user presses Enter. The terminal is a new one: in one that is open, a program
 * may run that takes letters for commands, or a line may have been begun.
 */
export async function runInTerminal(code: string, language: string, notices: Notices): Promise<void> {
  const shell = shellOf(language);
  if (shell === undefined) return;
  const made = terminalText(code, shell);
  if (made.kind === 'empty') return;
  if (made.kind === 'unseen') {
    return notices.warn(l10n.t('The code has characters that cannot be seen, so it is not put into a terminal.'));
  }
  const terminal = window.createTerminal({ name: plain(l10n.t('Parley')) });
  terminal.show();
  if (made.kind === 'line') {
    await untilReady(terminal);
    terminal.sendText(made.text, false);
    return;
  }
  await env.clipboard.writeText(code);
  void notices.info(
    l10n.t('The lines belong together, so they are in the clipboard: look at them and paste them yourself.'),
  );
}

/** The longest wait for a shell to say that it is ready, in milliseconds; not all do. */
const longestWait = 3_000;

/** A shell that still starts may ask something, to which the text would be an answer. */
async function untilReady(terminal: Terminal): Promise<void> {
  await terminal.processId;
  if (terminal.shellIntegration !== undefined) return;
  await new Promise<void>((done) => {
    const listening = window.onDidChangeTerminalShellIntegration((change) => change.terminal === terminal && end());
    const timer = setTimeout(end, longestWait);
    function end(): void {
      listening.dispose();
      clearTimeout(timer);
      done();
    }
  });
}
