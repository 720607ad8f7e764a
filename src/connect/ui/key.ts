import { commands, l10n, window } from 'vscode';
import { configuredOrigins } from '../../editor/connection.ts';
import { ask, type goBack, type Step } from '../../editor/quickInput.ts';
import type { Services } from '../../editor/services.ts';
import { Command } from '../../ids.ts';
import { ApiKey, cleanApiKey } from '../../service/apiKey.ts';
import { mayTakeKey } from './insecure.ts';

/**
 * Asks for the key of an origin. Resolves to `empty` when none was typed.
 * @param mayBeEmpty why none need be typed; undefined: one must
 */
export async function askKey(
  origin: string,
  title: string,
  mayBeEmpty: string | undefined,
  step?: Step,
): Promise<ApiKey | 'empty' | typeof goBack | undefined> {
  const box = window.createInputBox();
  Object.assign(box, {
    title,
    prompt: mayBeEmpty ?? l10n.t('It is kept by VS Code for {0} and sent nowhere else.', origin),
    placeholder: l10n.t('API key for {0}', origin),
    password: true,
  });
  const problem = (): string | undefined => {
    if (box.value.trim() === '')
      return mayBeEmpty === undefined ? l10n.t('Paste the key from the console of your service.') : undefined;
    return cleanApiKey(box.value) === undefined
      ? l10n.t('A key has no spaces or accented letters; copy it once more.')
      : undefined;
  };
  const showProblem = (): void => {
    box.validationMessage = problem();
  };
  box.onDidChangeValue(showProblem);
  return ask(box, step, () => {
    showProblem();
    if (problem() !== undefined) return undefined;
    const clean = cleanApiKey(box.value);
    return clean === undefined ? 'empty' : new ApiKey(clean);
  });
}

/** `Set API Key`: for the one address in the settings, or a choice among several. */
export async function setKey({ keys, notices }: Services): Promise<void> {
  const origins = [...new Set(configuredOrigins())];
  if (origins.length === 0) {
    await commands.executeCommand(Command.connect);
    return;
  }
  const origin = await chooseOrigin(origins, l10n.t('Which service is the key for?'));
  if (origin === undefined) return;
  if (!(await mayTakeKey(origin))) return;
  const answer = await askKey(origin, l10n.t('Parley: Set API Key'), undefined);
  if (!(answer instanceof ApiKey)) return;
  await keys.set(origin, answer);
  void notices.info(l10n.t('The API key for {0} is stored.', origin), {
    title: l10n.t('Test Connection'),
    command: Command.testConnection,
  });
}

/** `Remove API Key`: the stored key of one origin. */
export async function removeKey({ keys, notices }: Services): Promise<void> {
  const origins = await keys.origins();
  if (origins.length === 0) {
    void notices.info(l10n.t('No API key is stored.'), { title: l10n.t('Set API Key'), command: Command.setApiKey });
    return;
  }
  const origin = await chooseOrigin(origins, l10n.t('Which key is to be removed?'));
  if (origin === undefined) return;
  await keys.remove(origin);
  void notices.info(l10n.t('The API key for {0} is removed.', origin));
}

async function chooseOrigin(origins: readonly string[], placeHolder: string): Promise<string | undefined> {
  return origins.length === 1 ? origins[0] : window.showQuickPick(origins, { placeHolder, ignoreFocusOut: true });
}
