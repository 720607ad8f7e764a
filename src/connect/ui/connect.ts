import { commands, l10n } from 'vscode';
import type { Draft } from '../../editor/connection/connection.ts';
import type { Services } from '../../editor/services.ts';
import { readSetting, writeSetting } from '../../editor/settings.ts';
import { Command } from '../../ids/ids.ts';
import { normaliseBaseUrl, originOf } from '../../service/endpoint.ts';
import { type ConnectStep, connectSteps, failedStep } from '../failedStep.ts';
import type { LocalPort } from '../localServices.ts';
import { createConnectQuestions, type Failure, type Given } from './connectQuestions.ts';
import { failureText, isStopped, runChecks, tellChecks } from './test.ts';

/**
 * `Connect`: address, key and models, one after the other, then the test calls. The connection in use stays in use until those
 * went well; a failure leads back to the question it is about, with what was given. Where a service cannot be tried, such as one
 * that is not running, the user may have it anyway.
 * @param ports of this machine, where services are looked for
 * @param start the question to begin with, and what is known by then; the address without it
 */
export async function connect(
  services: Services,
  ports: readonly LocalPort[],
  start: { step: ConnectStep; given: Given } = { step: 'address', given: { models: {} } },
): Promise<void> {
  const { given } = start;
  const questions = createConnectQuestions(services, given, ports);
  let at = connectSteps.indexOf(start.step);
  let failure: Failure | undefined;
  let isTried = true;
  while (at < connectSteps.length) {
    const step = connectSteps[at] as ConnectStep;
    const why = failure?.why;
    failure = undefined;
    const outcome = await questions.ask(step, why);
    if (outcome === 'closed') return start.step === 'address' ? sayKept(services, given) : undefined;
    if (typeof outcome === 'object') failure = { ...outcome, why: `${outcome.why} ${keptText()}` };
    if (outcome === 'back') at--;
    if (outcome === 'anyway') isTried = false;
    if (outcome === 'next' && step === 'address') isTried = true;
    // A user who corrects one answer, or has it anyway, need not give the others again.
    const isEnough = step !== 'address' && why !== undefined && isWhole(given);
    if (outcome === 'next' || outcome === 'anyway') at = isEnough ? connectSteps.length : at + 1;
    if (at === connectSteps.length)
      failure = isTried ? await tryOut(services, given) : await keepUntried(services, given);
    if (failure !== undefined) at = connectSteps.indexOf(failure.step);
  }
}

const isWhole = ({ baseUrl, models }: Given): boolean =>
  baseUrl !== undefined && (['chat', 'embeddings', 'audio'] as const).every((purpose) => models[purpose] !== undefined);

/** The test calls; keeps what was given when all of them went well. */
async function tryOut(services: Services, given: Given): Promise<Failure | undefined> {
  const draft = draftOf(given);
  const checks = await runChecks(services, draft);
  if (isStopped(checks)) return { step: 'audio', why: keptText() };
  const failures = checks.flatMap(({ purpose, error }) => (error === undefined ? [] : [{ purpose, error }]));
  const step = failedStep(failures);
  if (step !== undefined) return { step, why: `${failureText(checks)} ${keptText()}` };
  await keep(services, given);
  // What was connected comes into sight, with the caret in it: the chat may be hidden behind other views.
  await commands.executeCommand(Command.chatAsk);
  await tellChecks(services, checks);
  return undefined;
}

async function keepUntried(services: Services, given: Given): Promise<undefined> {
  await keep(services, given);
  void services.notices.info(l10n.t('{0} is in use now; it was not tried.', draftOf(given).baseUrl), {
    title: l10n.t('Test Connection'),
    command: Command.testConnection,
  });
}

async function keep({ keys }: Services, given: Given): Promise<void> {
  const { baseUrl, models } = draftOf(given);
  // The key is stored first: an address without its key would be said to lack one.
  if (given.typedKey !== undefined) await keys.set(originOf(baseUrl), given.typedKey);
  await writeSetting('parley.baseUrl', baseUrl);
  await writeSetting('parley.chat.model', models.chat ?? '');
  await writeSetting('parley.embeddings.model', models.embeddings ?? '');
  await writeSetting('parley.audio.model', models.audio ?? '');
}

function draftOf({ baseUrl = '', typedKey, environmentKey, models }: Given): Draft {
  return { baseUrl, apiKey: typedKey ?? environmentKey, models };
}

/**
 * Says that the connection in use stays, where the user had begun to give another. Where there is none, nothing is to be said: the notice
 * would still stand there when there is one.
 */
function sayKept({ notices }: Services, { baseUrl }: Given): void {
  if (baseUrl === undefined || !normaliseBaseUrl(readSetting('parley.baseUrl')).ok) return;
  void notices.info(l10n.t('Nothing was changed. {0}', keptText()), {
    title: l10n.t('Connect'),
    command: Command.connect,
  });
}

function keptText(): string {
  const address = normaliseBaseUrl(readSetting('parley.baseUrl'));
  return address.ok ? l10n.t('{0} stays in use.', address.baseUrl) : l10n.t('No service is connected yet.');
}
