import { randomUUID } from 'node:crypto';
import { l10n } from 'vscode';
import { type Action, type Conversation, titleOf } from '../../conversation/conversation.ts';
import { forkActions } from '../../conversation/fork.ts';
import { workspacePlace } from './workspacePlace.ts';

/** A conversation of the open folder that has the path of another up to a message, under a name that says where it is from. */
export function forkConversation(
  conversation: Conversation,
  message: string,
): { readonly id: string; readonly actions: readonly Action[]; readonly isEmpty: boolean } {
  const id = randomUUID();
  const fork = { id, at: Date.now(), title: forkTitle(titleOf(conversation)), workspace: workspacePlace() };
  const actions = forkActions(conversation, message, fork, randomUUID);
  return { id, actions, isEmpty: !actions.some(({ type }) => type === 'ask') };
}

/** A fork of a fork is called the same. */
function forkTitle(title: string): string {
  const mark = l10n.t('Fork: {0}', '').trim();
  return title.startsWith(mark) ? title : l10n.t('Fork: {0}', title);
}
