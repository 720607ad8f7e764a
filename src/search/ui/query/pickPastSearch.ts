import { l10n, type QuickPickItem, ThemeIcon } from 'vscode';
import { chosenItem, untilAnswered } from '../../../editor/quickInput.ts';
import { plain } from '../../../editor/text/plainText.ts';
import { plainItems, window } from '../../../editor/text/window.ts';
import { filtersText } from '../shared/filters.ts';
import type { PastSearch, SearchHistory } from './searchHistory.ts';

/** Offers the searches of this workspace, the latest first; each can be removed. Undefined when the user cancelled. */
export function pickPastSearch(history: SearchHistory): Promise<PastSearch | undefined> {
  const pick = window.createQuickPick<QuickPickItem & { past?: PastSearch }>();
  const clear = { iconPath: new ThemeIcon('clear-all'), tooltip: l10n.t('Clear Search History') };
  const remove = { iconPath: new ThemeIcon('close'), tooltip: l10n.t('Remove From History') };
  const offer = (): void => {
    const past = history.entries();
    pick.buttons = past.length > 0 ? [clear] : [];
    pick.placeholder = plain(past.length > 0 ? l10n.t('Search again') : l10n.t('Nothing was searched for here yet'));
    const items = past.map((entry) => ({
      label: entry.text,
      description: filtersText(entry.filters),
      buttons: [remove],
      past: entry,
    }));
    pick.items = plainItems(items);
  };
  pick.title = plain(l10n.t('Search History'));
  pick.matchOnDescription = true;
  offer();
  pick.onDidTriggerButton(async () => {
    await history.clear();
    offer();
  });
  pick.onDidTriggerItemButton(async ({ item: { past } }) => {
    if (past !== undefined) await history.remove(past);
    offer();
  });
  return untilAnswered(pick, () => chosenItem(pick)?.past);
}
