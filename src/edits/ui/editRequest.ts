import { basename } from 'node:path';
import { l10n, type Uri, workspace } from 'vscode';
import { ServiceError } from '../../base/errors.ts';
import type { LineRange } from '../../base/lines.ts';
import type { InstructionFile } from '../../base/workspaceInstructions.ts';
import { readInstructions } from '../../editor/files/instructionFiles.ts';
import { withProgress } from '../../editor/progress.ts';
import { adjustmentText } from '../../editor/sentences/adjustmentText.ts';
import type { Services } from '../../editor/services.ts';
import { readSetting } from '../../editor/settings.ts';
import type { EditAnswer, EditedDocument } from '../plan.ts';
import { editMessages } from '../prompt.ts';

/** Lines above and below the selection that are sent for orientation. */
const contextLines = 20;

/** The text that an edit is asked for, with all that is pending, and the lines of it that are meant. */
interface AskedDocument extends EditedDocument {
  readonly selection: LineRange;
  readonly language: string;
}

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
  edited: AskedDocument,
  instruction: string,
  { stop, onText, onLines }: EditWatch,
): Promise<EditAnswer> {
  const endpoint = await connection.endpoint('chat');
  const request = {
    messages: messagesFor(edited, instruction, await readInstructions()),
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

function messagesFor(
  { path, language, lines, selection: { first, last } }: AskedDocument,
  instruction: string,
  instructions: readonly InstructionFile[],
) {
  // Only the selection is read in Restricted Mode.
  const count = workspace.isTrusted ? contextLines : 0;
  const question = {
    instruction,
    path,
    language,
    before: lines.slice(Math.max(0, first - count), first),
    selected: lines.slice(first, last + 1),
    after: lines.slice(last + 1, last + 1 + count),
  };
  return editMessages(question, instructions);
}

/** The path as the service may know it: within the workspace, else the name alone. */
export function sharedPath(uri: Uri): string {
  const isInside = workspace.getWorkspaceFolder(uri) !== undefined;
  return isInside ? workspace.asRelativePath(uri) : basename(uri.path);
}
