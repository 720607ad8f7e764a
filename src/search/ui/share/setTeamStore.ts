import { l10n, workspace } from 'vscode';
import { withProgress } from '../../../editor/progress.ts';
import type { Services } from '../../../editor/services.ts';
import { writeSetting } from '../../../editor/settings.ts';
import { plainItems, window } from '../../../editor/text/window.ts';
import { Command } from '../../../ids/ids.ts';
import type { SearchIndex } from '../index/searchIndex.ts';
import { numberText } from '../shared/sentences.ts';

/** `Set Team Index…`: takes the address of a database, tries it, and keeps it; or forgets the one that is set. */
export async function setTeamStore({ notices }: Services, { client, teamStore }: SearchIndex): Promise<void> {
  if (await teamStore.has()) {
    const isForgotten = await asksToForget();
    if (isForgotten === undefined) return;
    if (isForgotten) {
      await writeSetting('parley.search.store', 'local');
      await teamStore.forget();
      void notices.info(
        l10n.t('The team index is forgotten. What was taken from it stays in the index of this machine.'),
      );
      return;
    }
  }
  const address = await askAddress();
  if (address === undefined) return;
  const { shown, vectors } = await withProgress(l10n.t('Parley: Trying the Team Index'), (signal) =>
    client.tryTeamStore({ address }, workspace.workspaceFolders?.[0]?.uri.fsPath, { signal }),
  );
  await teamStore.keep(address);
  await writeSetting('parley.search.store', 'postgres');
  void notices.info(triedText(shown, vectors), { title: l10n.t('Index Workspace'), command: Command.searchIndex });
}

function triedText(shown: string, vectors: number | undefined): string {
  if (vectors === undefined)
    return l10n.t('The team index at {0} can be read. Index Workspace takes from it from now on.', shown);
  return vectors === 1
    ? l10n.t('The team index at {0} has 1 vector. Index Workspace exchanges them from now on.', shown)
    : l10n.t(
        'The team index at {0} has {1} vectors. Index Workspace exchanges them from now on.',
        shown,
        numberText(vectors),
      );
}

/** Whether the store that is set goes; false for another in its place, undefined for neither. */
async function asksToForget(): Promise<boolean | undefined> {
  const [change, forget] = plainItems([
    { label: l10n.t('Set Another Address…') },
    {
      label: l10n.t('Forget the Team Index'),
      detail: l10n.t('Its address is deleted here; the database stays as it is'),
    },
  ]);
  if (change === undefined || forget === undefined) return undefined;
  const chosen = await window.showQuickPick([change, forget], { title: l10n.t('Team Index') });
  return chosen === undefined ? undefined : chosen === forget;
}

/** The address, which is not shown as it is typed: there is a password in it. */
async function askAddress(): Promise<string | undefined> {
  const address = await window.showInputBox({
    title: l10n.t('Team Index'),
    prompt: l10n.t('The address of a PostgreSQL with pgvector: postgres://user:password@host:port/database'),
    password: true,
    ignoreFocusOut: true,
    validateInput: (text) =>
      /^postgres(ql)?:\/\/\S+$/i.test(text.trim()) ? undefined : l10n.t('It begins with postgres://'),
  });
  return address?.trim();
}
