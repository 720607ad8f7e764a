import { commands, l10n, type Uri } from 'vscode';
import { plain } from '../../../../editor/text/plainText.ts';
import type { TextTabs } from '../../../../editor/text/textTabs.ts';
import { window } from '../../../../editor/text/window.ts';
import { type Answer, answerOf } from '../../../conversation/conversation.ts';
import type { ShownConversation } from '../../conversations/shownConversation.ts';
import { versionDetail } from '../answer/answerDetails.ts';
import { versionsOf } from './pageColumns.ts';

/**
 * Shows what differs between a version of an answer and another one.
 * @param otherId the other one; without it the user says which, where there are more than two
 */
export async function compareVersions(
  id: string,
  { conversation }: ShownConversation,
  tabs: TextTabs,
  otherId?: string,
): Promise<void> {
  const question = answerOf(conversation, id)?.parent ?? '';
  const all = versionsOf(conversation, question).map((message, index) => ({ message, number: index + 1 }));
  const own = all.find(({ message }) => message.id === id);
  const named = all.find(({ message }) => message.id === otherId);
  const other = named ?? (own && (await pickOther(all.filter((each) => each !== own))));
  if (own === undefined || other === undefined) return;
  const [left, right] = [own, other].sort((a, b) => a.number - b.number);
  if (left === undefined || right === undefined) return;
  const title = titleOf(left, right);
  const uri = ({ message, number }: Version): Uri =>
    tabs.keep(`${l10n.t('Version {0}', number)}.md`, `${message.id} ${message.text.length}`, message.text);
  await commands.executeCommand('vscode.diff', uri(left), uri(right), plain(title));
}

interface Version {
  readonly message: Answer;
  readonly number: number;
}

/** The other version; the user says which, where there are several. */
async function pickOther(others: readonly Version[]): Promise<Version | undefined> {
  if (others.length < 2) return others[0];
  const items = others.map((version) => ({
    label: l10n.t('Version {0}', version.number),
    description: versionDetail(version.message),
    version,
  }));
  const chosen = await window.showQuickPick(items, { placeHolder: l10n.t('Which version is this one compared with?') });
  return chosen?.version;
}

/** Two answers of one seed differ by right where the service itself is another one. */
function titleOf(left: Version, right: Version): string {
  const title = l10n.t('Version {0} ↔ Version {1}', left.number, right.number);
  const [before, after] = [left.message.systemFingerprint, right.message.systemFingerprint];
  if (before === undefined || after === undefined || before === after) return title;
  return `${title} · ${l10n.t('the system fingerprint has changed')}`;
}
