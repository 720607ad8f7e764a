import { l10n, type QuickPickItem, QuickPickItemKind } from 'vscode';
import { ServiceError } from '../../base/errors.ts';
import { type ListedModel, type Purpose, sortForPurpose, suggestModel } from '../../service/models/models.ts';
import { ask, chosenItem, type goBack, type QuestionStep, useAnyway } from '../quickInput.ts';
import { errorText } from '../sentences/errorText.ts';
import { plain } from '../text/plainText.ts';
import { plainItems, window } from '../text/window.ts';
import { modelsMatching } from './modelFilter.ts';

export interface ModelQuestion {
  title: string;
  step?: QuestionStep;
  placeholder: string;
  purpose: Purpose;
  /** Asks the service what it offers; empty where it offers no list. */
  list(signal: AbortSignal): Promise<readonly ListedModel[]>;
  /** The model in use now; '' for none. */
  current: string;
  /** Offers to go without a model, with this label. */
  noneLabel?: string;
  /** The model that was chosen before, when the question is asked once more. */
  before?: string | undefined;
  /** The reason why that one does not work; it is then offered to be used anyway. */
  why?: string | undefined;
  /** What is said above the list, where nothing more pressing is. */
  prompt?: string;
}

/** The meaning of an item. A heading has none. */
type Choice = { readonly model: string } | typeof useAnyway | 'ask-again' | undefined;
type Item = QuickPickItem & { choice: Choice };

/**
 * Asks for a model: picked from what the service lists, or typed where the list lacks it or there is none. The model in
 * use is marked, else the one that seems to serve best; where none seems to, and none is needed, that is the first choice. Where the service cannot be asked, that is said, and nothing is
 * offered as if it came from there. Resolves to '' for none, and to undefined when the user closes the question.
 */
export async function pickModel(
  question: ModelQuestion,
): Promise<string | typeof goBack | typeof useAnyway | undefined> {
  const { title, placeholder, current, noneLabel, before, why } = question;
  const controller = new AbortController();
  const pick = window.createQuickPick<Item>();
  pick.title = plain(title);
  pick.placeholder = plain(placeholder);
  let offered: readonly Item[] = [];
  let isListing = false;

  const showItems = (): void => {
    const typed = pick.value.trim();
    const none = noneLabel === undefined ? [] : [{ label: noneLabel, choice: { model: '' } }];
    const items = typed === '' ? [...none, ...offered] : matching([...offered, ...none], typed);
    if (typed !== '' && offered.every(({ label }) => label !== typed))
      items.push(typedItem(typed, isListing, items.length > 0));
    if (why !== undefined) items.push(anywayItem(before));
    pick.items = plainItems(items);
  };

  async function offer(): Promise<void> {
    pick.busy = true;
    let preferred: string | undefined;
    try {
      const models = await question.list(controller.signal);
      if (models.length === 0)
        pick.placeholder = plain(l10n.t('{0}: this service lists no models, so type a name', placeholder));
      isListing = models.length > 0;
      pick.prompt = plain(why ?? question.prompt ?? '');
      offered = listedItems(models, question);
      const isListed = models.length === 0 || models.some(({ id }) => id === current);
      preferred = before ?? ((isListed && current) || (suggestModel(models, question.purpose)?.id ?? ''));
    } catch (error) {
      const unlisted = error instanceof ServiceError ? errorText(error).sentence : '';
      pick.prompt = plain(why ?? unlisted);
      pick.placeholder = plain(l10n.t('{0}: the service did not say what it has; type a name', placeholder));
      offered = unlistedItems(current);
    }
    if (controller.signal.aborted) return;
    pick.busy = false;
    showItems();
    const active = pick.items.filter(({ choice }) => typeof choice === 'object' && choice.model === preferred);
    if (active.length > 0) pick.activeItems = active;
  }

  pick.onDidChangeValue(showItems);
  void offer();
  const chosen = await ask(pick, question.step, () => {
    const choice = chosenItem(pick)?.choice;
    if (choice === 'ask-again') void offer();
    return choice === 'ask-again' ? undefined : choice;
  });
  controller.abort();
  return typeof chosen === 'object' ? chosen.model : chosen;
}

/** Items for the service's models, and for the model in use, whether the service lists it or not. */
function listedItems(models: readonly ListedModel[], { purpose, current, before = '' }: ModelQuestion): Item[] {
  const suggested = suggestModel(models, purpose)?.id;
  const ids = sortForPurpose(models, purpose).map(({ id }) => id);
  for (const kept of [current, before]) if (kept !== '' && !ids.includes(kept)) ids.unshift(kept);
  return ids.map((model) => ({ label: model, choice: { model }, ...describe(model, current, suggested, purpose) }));
}

function unlistedItems(current: string): Item[] {
  const again: Item = { label: l10n.t('Ask the Service Again'), choice: 'ask-again' };
  if (current === '') return [again];
  const heading: Item = { label: l10n.t('in use'), kind: QuickPickItemKind.Separator, choice: undefined };
  return [again, heading, { label: current, choice: { model: current } }];
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

/** Items are matched here: VS Code's own list would look for the words of a name side by side. */
const matching = (items: readonly Item[], typed: string): Item[] =>
  modelsMatching(items, typed).map((item) => ({ ...item, alwaysShow: true }));

/**
 * @param isListing whether the service names its models, and this is none of them
 * @param isLast whether others match as well: a label that holds what is typed would be sorted before them
 */
function typedItem(model: string, isListing: boolean, isLast: boolean): Item {
  const unlisted = isListing ? l10n.t('not in the list of the service') : '';
  if (!isLast) return { label: l10n.t('Use “{0}”', model), description: unlisted, choice: { model }, alwaysShow: true };
  const label = l10n.t('Use What Is Typed');
  return { label, description: `“${model}” ${unlisted}`.trim(), choice: { model }, alwaysShow: true };
}

function anywayItem(model = ''): Item {
  const label = model === '' ? l10n.t('Use This Connection Anyway') : l10n.t('Use “{0}” Anyway', model);
  return {
    label,
    detail: l10n.t('Keeps all that was given, though it did not work now.'),
    choice: useAnyway,
    alwaysShow: true,
  };
}
