import { InputBoxValidationSeverity, l10n, window } from 'vscode';
import { pickModel } from '../../editor/pickModel.ts';
import { withProgress } from '../../editor/progress.ts';
import type { Services } from '../../editor/services.ts';
import { readSetting, writeSetting } from '../../editor/settings.ts';
import { type AddressProblem, isLoopback, normaliseBaseUrl, originOf } from '../../service/endpoint.ts';
import type { Purpose } from '../../service/modelPurpose.ts';
import { listModels } from '../../service/models.ts';
import { askKey } from './key.ts';
import { testConnection } from './test.ts';

/**
 * `Connect`: address, key and models, one after the other, then a test call. Each answer is kept at once, so that closing
 * a later question loses nothing.
 */
export async function connect(services: Services): Promise<void> {
  const baseUrl = await askAddress();
  if (baseUrl === undefined) return;
  await writeSetting('parley.baseUrl', baseUrl);
  if (!(await askKeyFor(services, baseUrl))) return;
  if (!(await askModels(services, baseUrl))) return;
  await testConnection(services);
}

async function askAddress(): Promise<string | undefined> {
  const typed = await window.showInputBox({
    title: l10n.t('Parley: Connect (1 of 3)'),
    prompt: l10n.t('The address of your service, up to and with its version segment.'),
    placeHolder: 'https://host/openai/v1',
    value: readSetting('parley.baseUrl'),
    ignoreFocusOut: true,
    validateInput: (value) => {
      const address = normaliseBaseUrl(value);
      if (!address.ok) return problemText(address.problem);
      const { protocol } = new URL(address.baseUrl);
      const unsafe = protocol === 'http:' && !isLoopback(address.baseUrl);
      return {
        message: unsafe
          ? l10n.t('Plain http: your key and code could be read on the way to {0}.', address.baseUrl)
          : l10n.t('Parley will call {0}', `${address.baseUrl}/chat/completions`),
        severity: unsafe ? InputBoxValidationSeverity.Warning : InputBoxValidationSeverity.Info,
      };
    },
  });
  if (typed === undefined) return undefined;
  const address = normaliseBaseUrl(typed);
  return address.ok ? address.baseUrl : undefined;
}

function problemText(problem: AddressProblem): string {
  const texts: Record<AddressProblem, string> = {
    empty: l10n.t('Type the address of your service.'),
    invalid: l10n.t('This is not an address; it looks like https://host/openai/v1.'),
    scheme: l10n.t('The address begins with https:// (or http:// on this machine).'),
    credentials: l10n.t('Leave the user name and password out; the key is asked for next.'),
  };
  return texts[problem];
}

/** Asks for the key of an origin; resolves to false when the question was closed. */
async function askKeyFor({ keys }: Services, baseUrl: string): Promise<boolean> {
  const origin = originOf(baseUrl);
  const mayBeEmpty = (await keys.has(origin))
    ? l10n.t('Leave it empty to keep the key that is stored for {0}.', origin)
    : isLoopback(baseUrl)
      ? l10n.t('Leave it empty if the service on this machine needs none.')
      : undefined;
  const answer = await askKey(origin, l10n.t('Parley: Connect (2 of 3)'), mayBeEmpty);
  if (answer.kind === 'key') await keys.set(origin, answer.key);
  return answer.kind !== 'closed';
}

async function askModels(services: Services, baseUrl: string): Promise<boolean> {
  const { keys, transport } = services;
  const apiKey = await keys.get(originOf(baseUrl));
  const models = await withProgress(l10n.t('Asking {0} for its models', originOf(baseUrl)), (signal) =>
    listModels(transport, { baseUrl, ...(apiKey === undefined ? {} : { apiKey }) }, signal),
  );
  const questions: {
    purpose: Purpose;
    setting: 'parley.chat.model' | 'parley.embeddings.model' | 'parley.audio.model';
    placeholder: string;
    noneLabel?: string;
  }[] = [
    { purpose: 'chat', setting: 'parley.chat.model', placeholder: l10n.t('The model that chats') },
    {
      purpose: 'embeddings',
      setting: 'parley.embeddings.model',
      placeholder: l10n.t('The model that embeds code, for search by meaning'),
      noneLabel: l10n.t('None: search by keywords only'),
    },
    {
      purpose: 'audio',
      setting: 'parley.audio.model',
      placeholder: l10n.t('The model that translates recordings'),
      noneLabel: l10n.t('None: no audio translation'),
    },
  ];
  for (const { setting, ...question } of questions) {
    const model = await pickModel({
      ...question,
      title: l10n.t('Parley: Connect (3 of 3)'),
      list: async () => models,
      current: readSetting(setting),
    });
    if (model === undefined) return false;
    await writeSetting(setting, model);
  }
  return true;
}
