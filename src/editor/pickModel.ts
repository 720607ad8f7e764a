import { l10n, type QuickPickItem, window } from 'vscode';
import { ServiceError } from '../service/errors.ts';
import { type Purpose, sortForPurpose, suggestModel } from '../service/modelPurpose.ts';
import type { ListedModel } from '../service/models.ts';
import { errorText } from './errorText.ts';
import { ask, type goBack, type Step } from './quickInput.ts';

export interface ModelQuestion {
  title: string;
  step?: Step;
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
 * Asks for a model: picked from what the service lists, or typed where the list lacks it or there is none. The model in
 * use is marked, else the one that seems to serve best. Resolves to '' for none, and to undefined when the user closes
 * the question.
 */
export async function pickModel(question: ModelQuestion): Promise<string | typeof goBack | undefined> {
  const { title, placeholder, purpose, current, noneLabel } = question;
  const controller = new AbortController();
  const pick = window.createQuickPick<Item>();
  Object.assign(pick, { title, placeholder, busy: true });
  let offered: readonly Item[] = [];

  const showItems = (): void => {
    const typed = pick.value.trim();
    const items = [...offered];
    if (typed !== '' && offered.every(({ model }) => model !== typed)) items.push(typedItem(typed));
    if (noneLabel !== undefined) items.push({ label: noneLabel, model: '' });
    pick.items = items;
  };

  async function offer(): Promise<void> {
    let models: readonly ListedModel[] = [];
    try {
      models = await question.list(controller.signal);
      if (models.length === 0)
        pick.placeholder = l10n.t('{0}: this service lists no models, so type a name', placeholder);
    } catch (error) {
      const why = error instanceof ServiceError ? errorText(error).sentence : '';
      pick.placeholder = l10n.t('{0} Type the name of a model.', why).trim();
    }
    if (controller.signal.aborted) return;
    const suggested = suggestModel(models, purpose)?.id;
    const ids = sortForPurpose(models, purpose).map(({ id }) => id);
    // What is in use stays on offer, whatever the service lists.
    const listed = models.length === 0 || ids.includes(current);
    if (current !== '' && !ids.includes(current)) ids.unshift(current);
    offered = ids.map((model) => ({ label: model, model, ...describe(model, current, suggested, purpose) }));
    pick.busy = false;
    showItems();
    const preferred = (listed && current) || (suggested ?? '');
    const active = pick.items.filter((item) => item.model === preferred);
    if (active.length > 0) pick.activeItems = active;
  }

  pick.onDidChangeValue(showItems);
  void offer();
  const chosen = await ask(
    pick,
    question.step,
    () =>
      // The event of the choice may come before the event that says what was chosen.
      (pick.selectedItems[0] ?? pick.activeItems[0])?.model,
  );
  controller.abort();
  return chosen;
}

function describe(
  model: string,
  current: string,
  suggested: string | undefined,
  purpose: Purpose,
): { description?: string } {
  if (model === current) return { description: l10n.t('in use') };
  if (model !== suggested) return {};
  const texts: Record<Purpose, string> = {
    chat: l10n.t('suggested for chat'),
    embeddings: l10n.t('suggested for embeddings'),
    audio: l10n.t('suggested for audio'),
  };
  return { description: texts[purpose] };
}

function typedItem(model: string): Item {
  return { label: l10n.t('Use “{0}”', model), model, alwaysShow: true };
}
