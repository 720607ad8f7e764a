import { l10n, type QuickPickItem, window } from 'vscode';
import { Disposables } from '../../editor/disposables.ts';
import { errorText } from '../../editor/errorText.ts';
import type { Services } from '../../editor/services.ts';
import { writeSetting } from '../../editor/settings.ts';
import { originOf } from '../../service/endpoint.ts';
import { ServiceError } from '../../service/errors.ts';
import { listModels, sortForPurpose } from '../../service/models.ts';

interface ModelItem extends QuickPickItem {
  readonly model: string;
}

/** Lets the user pick the chat model from what the service offers, or type it; writes the setting. */
export async function pickChatModel({ connection, keys, transport }: Services): Promise<void> {
  const baseUrl = connection.baseUrl('chat');
  if (baseUrl === undefined) throw new ServiceError('no-address');
  const apiKey = await keys.get(originOf(baseUrl));
  const endpoint = { baseUrl, ...(apiKey === undefined ? {} : { apiKey }) };
  const current = connection.model('chat');
  const chosen = await pick(current, (signal) => listModels(transport, endpoint, signal));
  const model = typeof chosen === 'object' ? await type(current, chosen.why) : chosen;
  if (model?.trim()) await writeSetting('parley.chat.model', model.trim());
}

type Picked = string | undefined | { why: string };

/** Resolves with the model, undefined when the user left, or with the reason why there is nothing to pick from. */
function pick(current: string, list: (signal: AbortSignal) => Promise<string[]>): Promise<Picked> {
  const owned = new Disposables();
  const controller = new AbortController();
  const picker = owned.add(window.createQuickPick<ModelItem>());
  picker.title = l10n.t('Chat Model');
  picker.placeholder = l10n.t('Pick a model or type its name');
  picker.busy = true;
  let offered: string[] = [];

  const showItems = (): void => {
    const typed = picker.value.trim();
    const items = offered.map((model) => modelItem(model, current));
    if (typed !== '' && !offered.includes(typed)) items.push(typedItem(typed));
    picker.items = items;
  };
  const offer = async (): Promise<Picked> => {
    try {
      offered = sortForPurpose(await list(controller.signal), 'chat');
    } catch (error) {
      return { why: error instanceof ServiceError ? errorText(error).sentence : '' };
    }
    if (offered.length === 0) return { why: l10n.t('This service offers no list of models.') };
    picker.busy = false;
    showItems();
    picker.activeItems = picker.items.filter((item) => item.model === current);
    return undefined;
  };

  return new Promise((resolve) => {
    const finish = (picked: Picked): void => {
      resolve(picked);
      picker.hide();
    };
    owned.add(picker.onDidChangeValue(showItems));
    owned.add(
      picker.onDidAccept(() => {
        const model = picker.selectedItems[0]?.model ?? picker.value.trim();
        if (model !== '') finish(model);
      }),
    );
    owned.add(
      picker.onDidHide(() => {
        resolve(undefined);
        controller.abort();
        owned.dispose();
      }),
    );
    picker.show();
    void offer().then((nothing) => nothing !== undefined && finish(nothing));
  });
}

function modelItem(model: string, current: string): ModelItem {
  return model === current ? { label: model, model, description: l10n.t('in use') } : { label: model, model };
}

function typedItem(model: string): ModelItem {
  return { label: l10n.t('Use “{0}”', model), model, alwaysShow: true };
}

async function type(current: string, why: string): Promise<string | undefined> {
  return window.showInputBox({
    title: l10n.t('Chat Model'),
    prompt: why,
    placeHolder: l10n.t('The name of the model'),
    value: current,
    ignoreFocusOut: true,
  });
}
