import { l10n } from 'vscode';
import { pickModel } from '../../editor/pickModel.ts';
import { withProgress } from '../../editor/progress.ts';
import { goBack, type Step } from '../../editor/quickInput.ts';
import type { Services } from '../../editor/services.ts';
import { readSetting, writeSetting } from '../../editor/settings.ts';
import { isLoopback, normaliseBaseUrl, originOf } from '../../service/endpoint.ts';
import type { Purpose } from '../../service/modelPurpose.ts';
import { type ListedModel, listModels } from '../../service/models.ts';
import type { LocalPort } from '../localServices.ts';
import { askAddress } from './askAddress.ts';
import { mayTakeKey } from './insecure.ts';
import { askKey } from './key.ts';
import { testConnection } from './test.ts';

/** How a question ended: `again` asks it once more. */
type Outcome = 'next' | 'back' | 'again' | 'closed';

/**
 * `Connect`: address, key and models, one after the other, then the test calls. Each answer is kept at once, so that
 * closing a later question loses nothing.
 * @param ports of this machine, where services are looked for
 */
export async function connect(services: Services, ports: readonly LocalPort[]): Promise<void> {
  let models: readonly ListedModel[] = [];
  const questions: readonly ((step: Step) => Promise<Outcome>)[] = [
    (step) => chooseAddress(step, ports),
    async (step) => {
      const outcome = await chooseKey(services, step);
      if (outcome === 'next') models = await findModels(services);
      return outcome;
    },
    ...modelQuestions().map((question) => (step: Step) => chooseModel(question, models, step)),
  ];
  for (let asked = 0; asked < questions.length; ) {
    const outcome = await questions[asked]?.({ step: asked + 1, totalSteps: questions.length });
    if (outcome === 'closed') return;
    if (outcome === 'next') asked++;
    if (outcome === 'back') asked--;
  }
  await testConnection(services);
}

async function chooseAddress(step: Step, ports: readonly LocalPort[]): Promise<Outcome> {
  const current = normaliseBaseUrl(readSetting('parley.baseUrl'));
  const baseUrl = await askAddress(step, current.ok ? current.baseUrl : '', ports);
  if (typeof baseUrl !== 'string') return 'closed';
  if (!(await mayTakeKey(baseUrl))) return 'again';
  await writeSetting('parley.baseUrl', baseUrl);
  return 'next';
}

async function chooseKey({ keys }: Services, step: Step): Promise<Outcome> {
  const baseUrl = readSetting('parley.baseUrl');
  const origin = originOf(baseUrl);
  const mayBeEmpty = (await keys.has(origin))
    ? l10n.t('Leave it empty to keep the key that is stored for {0}.', origin)
    : isLoopback(baseUrl)
      ? l10n.t('Leave it empty if the service on this machine needs none.')
      : undefined;
  const answer = await askKey(origin, l10n.t('Parley: Connect'), mayBeEmpty, step);
  if (answer === goBack) return 'back';
  if (answer === undefined) return 'closed';
  if (answer !== 'empty') await keys.set(origin, answer);
  return 'next';
}

/** What the service offers. It is met anew, so what it was found to refuse is forgotten. */
async function findModels({ keys, transport, client }: Services): Promise<ListedModel[]> {
  const baseUrl = readSetting('parley.baseUrl');
  client.memory.forget(baseUrl);
  const apiKey = await keys.get(originOf(baseUrl));
  return withProgress(l10n.t('Asking {0} for its models', originOf(baseUrl)), (signal) =>
    listModels(transport, { baseUrl, ...(apiKey === undefined ? {} : { apiKey }) }, signal),
  );
}

interface PurposeQuestion {
  purpose: Purpose;
  setting: 'parley.chat.model' | 'parley.embeddings.model' | 'parley.audio.model';
  placeholder: string;
  noneLabel?: string;
}

function modelQuestions(): PurposeQuestion[] {
  return [
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
}

async function chooseModel(
  { setting, ...question }: PurposeQuestion,
  models: readonly ListedModel[],
  step: Step,
): Promise<Outcome> {
  const title = l10n.t('Parley: Connect');
  const current = readSetting(setting);
  const model = await pickModel({ ...question, title, step, list: async () => models, current });
  if (model === goBack) return 'back';
  if (model === undefined) return 'closed';
  await writeSetting(setting, model);
  return 'next';
}
