import { type Disposable, l10n, StatusBarAlignment } from 'vscode';
import { plain, withIcon } from '../editor/text/plainText.ts';
import { window } from '../editor/text/window.ts';
import { Command } from '../ids/ids.ts';

/** The entry of the status bar that leads to the chat, which may be hidden behind other views. It is there before the chat is loaded. */
export function showChatEntry(): Disposable {
  const item = window.createStatusBarItem('parley.chat', StatusBarAlignment.Right);
  item.name = plain(l10n.t('Parley: Chat'));
  item.text = withIcon('comment-discussion', l10n.t('Parley'));
  item.tooltip = plain(l10n.t('Open the chat of Parley'));
  item.command = Command.chatAsk;
  item.show();
  return item;
}
