import { l10n, type QuickPickItem, QuickPickItemKind } from 'vscode';
import { isCancelled, ServiceError } from '../../../../base/errors.ts';
import { untilAnswered } from '../../../../editor/quickInput.ts';
import { errorText } from '../../../../editor/sentences/errorText.ts';
import { plain } from '../../../../editor/text/plainText.ts';
import { plainItems, window } from '../../../../editor/text/window.ts';
import { fewestCompared, mostCompared } from '../../../comparison/contestants.ts';

/** A preset, as far as it is known before it is read. */
export interface PresetChoice {
  readonly name: string;
  readonly folderName: string;
}

/** A model by its name, or a preset. */
export type ContestantChoice<Preset> = { readonly model: string } | { readonly preset: Preset };

interface Offered<Preset> {
  /** The model of the conversation, which is checked at first; '' for none. */
  readonly current: string;
  readonly presets: readonly Preset[];
  /** Asks the service for its models. */
  readonly models: (signal: AbortSignal) => Promise<readonly string[]>;
}

type Item<Preset> = QuickPickItem & { readonly choice?: ContestantChoice<Preset> };

/**
 * Has the user check who answers: two to four models and presets. A name that the service does not list can be typed. Undefined where
 * the question is closed.
 */
export async function pickContestants<Preset extends PresetChoice>(
  offered: Offered<Preset>,
): Promise<readonly ContestantChoice<Preset>[] | undefined> {
  const { current, presets } = offered;
  const controller = new AbortController();
  const pick = window.createQuickPick<Item<Preset>>();
  pick.title = plain(l10n.t('Compare Answers'));
  pick.placeholder = plain(l10n.t('Check two to four that answer the question, or type the name of a model'));
  pick.canSelectMany = true;
  pick.ignoreFocusOut = true;
  pick.matchOnDescription = true;
  let models: readonly string[] = current === '' ? [] : [current];
  /** The items that are checked, by their keys. A list that is set anew checks nothing. */
  let checked = new Set(models.map((model) => keyOf({ model })));
  let isSetting = false;

  function showItems(): void {
    const items = plainItems(itemsOf(withTyped(models, pick.value), current, presets));
    isSetting = true;
    pick.items = items;
    pick.selectedItems = items.filter(({ choice }) => choice !== undefined && checked.has(keyOf(choice)));
    isSetting = false;
  }

  pick.onDidChangeValue((typed) => {
    const kept = models.filter((model) => checked.has(keyOf({ model })));
    const isListed = models.includes(typed.trim());
    if (!isListed || kept.length > 0) showItems();
  });
  pick.onDidChangeSelection((items) => {
    if (isSetting) return;
    checked = new Set(items.flatMap(({ choice }) => (choice === undefined ? [] : [keyOf(choice)])));
    // What was typed and checked stays when something else is typed.
    const typed = items.flatMap(({ choice }) => (choice !== undefined && 'model' in choice ? [choice.model] : []));
    models = [...new Set([...models, ...typed])];
    pick.prompt = checked.size > mostCompared ? plain(l10n.t('At most four answers are compared.')) : undefined;
  });
  pick.busy = true;
  offered
    .models(controller.signal)
    .then((listed) => {
      models = [...new Set([...models, ...listed])];
    })
    .catch((error) => {
      if (isCancelled(error)) return;
      const sentence = error instanceof ServiceError ? errorText(error).sentence : '';
      pick.prompt = plain(sentence || l10n.t('The service did not say which models it has; type a name.'));
    })
    .finally(() => {
      if (controller.signal.aborted) return;
      pick.busy = false;
      showItems();
    });
  showItems();
  const chosen = await untilAnswered(pick, () => {
    const choices = pick.selectedItems.flatMap(({ choice }) => (choice === undefined ? [] : [choice]));
    if (choices.length >= fewestCompared && choices.length <= mostCompared) return choices;
    pick.prompt = plain(l10n.t('Check two, three or four.'));
    return undefined;
  });
  controller.abort();
  return chosen;
}

const keyOf = (choice: ContestantChoice<PresetChoice>): string =>
  'model' in choice ? `model ${choice.model}` : `preset ${choice.preset.folderName} ${choice.preset.name}`;

/** The models, and what is typed where it is none of them. */
function withTyped(models: readonly string[], typed: string): readonly string[] {
  const name = typed.trim();
  const isPart = models.some((model) => model.toLowerCase().includes(name.toLowerCase()));
  return name === '' || isPart ? models : [...models, name];
}

function itemsOf<Preset extends PresetChoice>(
  models: readonly string[],
  current: string,
  presets: readonly Preset[],
): Item<Preset>[] {
  const heading = (label: string): Item<Preset> => ({ label, kind: QuickPickItemKind.Separator });
  const others = models.filter((model) => model !== current);
  return [
    ...(current === '' ? [] : [{ label: current, choice: { model: current }, description: l10n.t('in use') }]),
    ...(presets.length === 0 ? [] : [heading(l10n.t('Presets'))]),
    ...presets.map((preset) => ({ label: preset.name, description: preset.folderName, choice: { preset } })),
    // What the service lists comes later, and moves nothing.
    ...(others.length === 0 ? [] : [heading(l10n.t('Models, with the parameters of this conversation'))]),
    ...others.map((model) => ({ label: model, choice: { model } })),
  ];
}
