import { l10n, workspace } from 'vscode';
import { isCancelled } from '../../../base/errors.ts';
import type { Notices } from '../../../editor/notices.ts';
import { withProgress } from '../../../editor/progress.ts';
import { window } from '../../../editor/text/window.ts';
import { summaryOf } from '../../context/summary.ts';
import { turnsOf } from '../../context/turns.ts';
import type { ShownConversation } from '../conversations/shownConversation.ts';

/** Has older turns of the conversation summarised. @returns false when that failed, which was said, or was cancelled */
export async function summariseOlder(shown: ShownConversation, notices: Notices): Promise<boolean> {
  try {
    await withProgress(l10n.t('Summarising earlier turns'), (signal, report) =>
      shown.summarise(signal, (done, of) => {
        if (of > 1) report(l10n.t('Part {0} of {1}', done + 1, of), done / of);
      }),
    );
    return true;
  } catch (error) {
    if (!isCancelled(error)) notices.error(error);
    return false;
  }
}

/** Opens the summary that is sent in the place of older turns. */
export async function showSummary({ conversation: { messages, summaries } }: ShownConversation): Promise<void> {
  const next = { question: { role: 'user', id: '', at: 0, text: '', attachments: [] } } as const;
  const content = summaryOf([...turnsOf(messages), next], summaries)?.summary.text;
  if (content === undefined) return;
  await window.showTextDocument(await workspace.openTextDocument({ language: 'markdown', content }));
}
