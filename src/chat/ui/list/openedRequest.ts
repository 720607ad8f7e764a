import { randomUUID } from 'node:crypto';
import { env, l10n } from 'vscode';
import type { Notices } from '../../../editor/notices.ts';
import { importJson } from '../../exchange/importJson.ts';
import { openRequest } from '../../exchange/openRequest.ts';
import type { History } from '../../history/history.ts';
import type { OpenConversations } from '../conversations/openConversations.ts';
import { workspacePlace } from '../conversations/workspacePlace.ts';
import type { Surfaces } from '../surfaces/surfaces.ts';

/** What a request is opened in. */
export interface RequestParts {
  readonly notices: Notices;
  readonly history: History;
  readonly conversations: OpenConversations;
  readonly surfaces: Surfaces;
}

/** The longest text of the clipboard that is read, in characters. */
const longestRequest = 16 * 1024 * 1024;

/** Opens the chat request on the clipboard as a conversation; its question waits in the message box. Nothing is sent. */
export async function openRequestOfClipboard({
  notices,
  history,
  conversations,
  surfaces,
}: RequestParts): Promise<void> {
  const text = await env.clipboard.readText();
  const request = text.length > longestRequest ? undefined : openRequest(text, randomUUID);
  if (request === undefined) {
    return void notices.warn(l10n.t('The clipboard has no chat request: copy its JSON body, or a command of cURL.'));
  }
  const { shown, panel } = surfaces.active;
  const { turns, model, systemPrompt, parameters } = request;
  let { leftOut } = request;
  if (turns === undefined) {
    await shown.startNew();
    await shown.change(undefined, (session) => session.configure({ model, systemPrompt, parameters }));
  } else {
    const options = { now: Date.now(), workspace: workspacePlace(), isTaken: history.has, newId: randomUUID };
    const read = importJson(turns, options);
    const [actions] = typeof read === 'string' ? [] : read.conversations;
    const [first] = actions ?? [];
    if (typeof read === 'string' || actions === undefined || first?.type !== 'create') {
      return void notices.warn(l10n.t('The request on the clipboard cannot be read.'));
    }
    leftOut += read.leftOut;
    await conversations.add([actions]);
    await shown.open(first.id);
  }
  await panel.giveBack(request.question);
  if (leftOut === 0) return;
  void notices.info(
    leftOut === 1
      ? l10n.t('What a conversation does not have was left out, in one place.')
      : l10n.t('What a conversation does not have was left out, in {0} places.', leftOut),
  );
}
