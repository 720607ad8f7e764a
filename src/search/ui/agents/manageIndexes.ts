import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { l10n, type QuickPickItem, ThemeIcon } from 'vscode';
import { formatSize } from '../../../editor/sentences/formatUnits.ts';
import { plain } from '../../../editor/text/plainText.ts';
import { plainItems, window } from '../../../editor/text/window.ts';
import { type ListedIndex, openIndexRegistry } from '../../registry/indexRegistry.ts';
import { windowsOf } from '../../registry/windows.ts';
import { numberText } from '../shared/sentences.ts';

/** `Manage Indexes of This Machine…`: all indexes of this user with size and age, each of which can be deleted. */
export async function manageIndexes(data: string): Promise<void> {
  const registry = openIndexRegistry(data);
  const pick = window.createQuickPick<QuickPickItem & { index: ListedIndex }>();
  const remove = { iconPath: new ThemeIcon('trash'), tooltip: l10n.t('Delete Index') };
  pick.title = plain(l10n.t('Indexes of This Machine'));
  pick.matchOnDetail = true;

  async function offer(): Promise<void> {
    pick.busy = true;
    const all = await registry.list();
    const open = await Promise.all(all.map(async ({ directory }) => (await windowsOf(data, directory)).length > 0));
    const bytes = all.reduce((sum, index) => sum + index.bytes, 0);
    pick.placeholder = plain(
      all.length === 0 ? l10n.t('There is no index on this machine yet') : l10n.t('{0} in all', formatSize(bytes)),
    );
    pick.items = plainItems(
      all.map((index, at) => ({
        label: index.scope.roots.map((root) => basename(root)).join(', '),
        description: [formatSize(index.bytes), ageText(index.usedAt), open[at] ? l10n.t('open now') : undefined]
          .filter((part) => part !== undefined)
          .join(' · '),
        detail: index.scope.roots
          .map((root) => (existsSync(root) ? root : l10n.t('{0} (not there any more)', root)))
          .join(', '),
        // What a window has open is deleted there.
        buttons: open[at] ? [] : [remove],
        index,
      })),
    );
    pick.busy = false;
  }

  pick.onDidTriggerItemButton(async ({ item: { index } }) => {
    if ((await windowsOf(data, index.directory)).length === 0) await registry.remove(index.directory, true);
    await offer();
  });
  pick.onDidAccept(() => pick.hide());
  pick.onDidHide(() => pick.dispose());
  pick.show();
  await offer();
}

function ageText(usedAt: number): string {
  const days = Math.floor((Date.now() - usedAt) / 86_400_000);
  if (days <= 0) return l10n.t('used today');
  return days === 1 ? l10n.t('used yesterday') : l10n.t('used {0} days ago', numberText(days));
}
