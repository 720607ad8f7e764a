import { l10n, type QuickPickItem, window } from 'vscode';
import { ServiceError } from '../service/errors.ts';
import { type Purpose, sortForPurpose } from '../service/modelPurpose.ts';
import type { ListedModel } from '../service/models.ts';
import { Disposables } from './disposables.ts';
import { errorText } from './errorText.ts';

export interface ModelQuestion {
  title: string;
  placeholder: string;
  purpose: Purpose;
  /** Asks the service what it offers; empty where it offers no list. */
  list(signal: AbortSignal): Promise<readonly ListedModel[]>;
  /** The model in use now; '' for none. */
  current: string;
  /** Offers to go without a model, with this label. */
  noneLabel?: string;
}

type Item = QuickPickItem & { model: string };

/**
 * Asks for a model: picked from what the service lists, or typed where the list lacks it or there is none. Resolves to
 * '' for none, and to undefined when the user closes the question.
 */
export function pickModel({
  title,
  placeholder,
  purpose,
  list,
  current,
  noneLabel,
}: ModelQuestion): Promise<string | undefined> {
  const owned = new Disposables();
  const controller = new AbortController();
  const pick = owned.add(window.createQuickPick<Item>());
  Object.assign(pick, { title, placeholder, busy: true, ignoreFocusOut: true });
  let offered: string[] = [];

  const showItems = (): void => {
    const typed = pick.value.trim();
    const items = offered.map((model) => listedItem(model, current));
    if (typed !== '' && !offered.includes(typed)) items.push(typedItem(typed));
    if (noneLabel !== undefined) items.push({ label: noneLabel, model: '' });
    pick.items = items;
  };

  async function offer(): Promise<void> {
    try {
      const models = await list(controller.signal);
      if (models.length === 0)
        pick.placeholder = l10n.t('{0}: this service lists no models, so type a name', placeholder);
      offered = sortForPurpose(models, purpose).map(({ id }) => id);
    } catch (error) {
      const why = error instanceof ServiceError ? errorText(error).sentence : '';
      pick.placeholder = l10n.t('{0} Type the name of a model.', why).trim();
    }
    // What is in use stays on offer, whatever the service lists.
    if (current !== '' && !offered.includes(current)) offered.unshift(current);
    pick.busy = false;
    showItems();
    pick.activeItems = pick.items.filter((item) => item.model !== '' && item.model === current);
  }

  return new Promise((resolve) => {
    owned.add(pick.onDidChangeValue(showItems));
    owned.add(
      pick.onDidAccept(() => {
        // The event of the choice may come before the event that says what was chosen.
        const chosen = pick.selectedItems[0] ?? pick.activeItems[0];
        if (chosen === undefined) return;
        resolve(chosen.model);
        pick.hide();
      }),
    );
    owned.add(
      pick.onDidHide(() => {
        resolve(undefined);
        controller.abort();
        owned.dispose();
      }),
    );
    pick.show();
    void offer();
  });
}

function listedItem(model: string, current: string): Item {
  return model === current ? { label: model, model, description: l10n.t('in use') } : { label: model, model };
}

function typedItem(model: string): Item {
  return { label: l10n.t('Use “{0}”', model), model, alwaysShow: true };
}
