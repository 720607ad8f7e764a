import { basename } from 'node:path';
import { l10n, type Uri, workspace } from 'vscode';
import { ServiceError } from '../../base/errors.ts';
import { withProgress } from '../../editor/progress.ts';
import { adjustmentText } from '../../editor/sentences/adjustmentText.ts';
import type { Services } from '../../editor/services.ts';
import { readSetting } from '../../editor/settings.ts';
import { editMessages } from '../ask/prompt.ts';
import type { EditAnswer } from '../plan.ts';
import { readLines, type TrackedLines } from './trackedLines.ts';

/** Lines above and below the selection that are sent for orientation. */
const contextLines = 20;

/** Who waits for an edit. */
export interface EditWatch {
  /** Gives the edit up, besides the Cancel button. */
  readonly stop: AbortSignal;
  /** Called when text has come in, with all of the answer so far. */
  onText(text: string): void;
  /** Called after that when lines have come in. @param count of all so far */
  onLines(count: number): void;
}

/**
 * Asks the model for an edit, with a progress notification whose Cancel closes the socket.
 * @throws ServiceError
 */
export async function requestEdit(
  { client, connection, notices }: Services,
  lines: TrackedLines,
  instruction: string,
  { stop, onText, onLines }: EditWatch,
): Promise<EditAnswer> {
  const endpoint = await connection.endpoint('chat');
  const request = {
    messages: messagesFor(lines, instruction),
    stream: readSetting('parley.chat.stream'),
    extra: readSetting('parley.chat.extraBody'),
  };
  return withProgress(l10n.t('Editing the selection'), async (cancel, report) => {
    const signal = AbortSignal.any([cancel, stop]);
    let text = '';
    let refusal = '';
    let lineCount = 0;
    let finishReason: string | undefined;
    for await (const event of client.chat(endpoint, request, signal)) {
      if (event.type === 'finish' && event.choice === 0) finishReason = event.reason;
      if (event.type === 'adjusted' && !event.remembered) void notices.info(adjustmentText(event));
      if (event.type === 'refusal' && event.choice === 0) refusal += event.text;
      if (event.type !== 'text' || event.choice !== 0) continue;
      text += event.text;
      onText(text);
      if (!event.text.includes('\n')) continue;
      lineCount += event.text.split('\n').length - 1;
      onLines(lineCount);
      report(lineCount === 1 ? l10n.t('1 line received') : l10n.t('{0} lines received', lineCount));
    }
    // A stream may end well just as the user cancels.
    if (signal.aborted) throw new ServiceError('cancelled');
    return { text, refusal, finishReason, url: endpoint.baseUrl };
  });
}

function messagesFor({ document, range, original }: TrackedLines, instruction: string) {
  // Only the selection is read in Restricted Mode.
  const count = workspace.isTrusted ? contextLines : 0;
  const question = {
    instruction,
    path: sharedPath(document.uri),
    language: document.languageId,
    before: readLines(document, range.first - count, range.first - 1),
    selected: original,
    after: readLines(document, range.last + 1, range.last + count),
  };
  return editMessages(question, 'whole');
}

/** The path as the service may know it: within the workspace, else the name alone. */
export function sharedPath(uri: Uri): string {
  const isInside = workspace.getWorkspaceFolder(uri) !== undefined;
  return isInside ? workspace.asRelativePath(uri) : basename(uri.path);
}
