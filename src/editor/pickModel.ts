import { l10n, type QuickPickItem, window } from 'vscode';
import { type Purpose, sortForPurpose } from '../service/models.ts';
import { Disposables } from './disposables.ts';

export interface ModelQuestion {
  title: string;
  placeholder: string;
  purpose: Purpose;
  /** Models the service lists; empty where it lists none. */
  models: readonly string[];
  /** The model in use now. */
  current: string;
  /** Offers to go without a model, with this label. */
  noneLabel?: string;
}

type Item = QuickPickItem & { model: string };

/**
 * Asks for a model: picked from the list, or typed where the list lacks it. Resolves to '' for none, and to undefined
 * when the user closes the question.
 */
export function pickModel(question: ModelQuestion): Promise<string | undefined> {
  const owned = new Disposables();
  const pick = owned.add(window.createQuickPick<Item>());
  pick.title = question.title;
  pick.placeholder = question.placeholder;
  pick.matchOnDescription = true;
  pick.ignoreFocusOut = true;

  const listed: Item[] = sortForPurpose(question.models, question.purpose).map((model) => ({
    label: model,
    model,
    ...(model === question.current ? { description: l10n.t('in use') } : {}),
  }));
  if (question.current !== '' && !question.models.includes(question.current)) {
    listed.unshift({ label: question.current, model: question.current, description: l10n.t('in use') });
  }
  const none: Item[] = question.noneLabel === undefined ? [] : [{ label: question.noneLabel, model: '' }];
  const update = (): void => {
    const typed = pick.value.trim();
    const isNew = typed !== '' && !listed.some((item) => item.model === typed);
    const own: Item = { label: typed, model: typed, description: l10n.t('use this name'), alwaysShow: true };
    pick.items = isNew ? [...listed, own, ...none] : [...listed, ...none];
  };
  update();
  const inUse = listed.find((item) => item.model === question.current);
  if (inUse) pick.activeItems = [inUse];

  return new Promise((resolve) => {
    owned.add(pick.onDidChangeValue(update));
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
        owned.dispose();
      }),
    );
    pick.show();
  });
}
