import { commands, l10n } from 'vscode';
import { configuredOrigins } from '../../editor/connection/connection.ts';
import { ask, type goBack, type QuestionStep } from '../../editor/quickInput.ts';
import type { Services } from '../../editor/services.ts';
import { plain } from '../../editor/text/plainText.ts';
import { window } from '../../editor/text/window.ts';
import { Command } from '../../ids/ids.ts';
import { ApiKey, cleanApiKey } from '../../service/apiKey.ts';
import { mayTakeKey } from './mayTakeKey.ts';

export interface KeyQuestion {
  origin: string;
  title: string;
  /** The reason why no key need be typed; without it, one must. */
  mayBeEmpty?: string | undefined;
  step?: QuestionStep;
  /** The key that was typed before, when the question is asked once more. */
  before?: ApiKey | undefined;
  /** The reason why that one does not work; it may then be used anyway. */
  why?: string | undefined;
}

export interface KeyAnswer {
  /** Undefined when none was typed. */
  key: ApiKey | undefined;
  /** Whether the key is to be kept though it is not accepted. */
  anyway: boolean;
}

/** Asks for the key of an origin. */
export async function askKey(question: KeyQuestion): Promise<KeyAnswer | typeof goBack | undefined> {
  const { origin, title, mayBeEmpty, step, before, why } = question;
  const box = window.createInputBox();
  box.title = plain(title);
  box.prompt = plain(mayBeEmpty ?? l10n.t('It is kept by VS Code for {0} and sent nowhere else.', origin));
  box.placeholder = plain(l10n.t('API key for {0}', origin));
  box.password = true;
  const problem = (): string | undefined => {
    if (box.value.trim() === '')
      return mayBeEmpty === undefined ? l10n.t('Paste the key from the console of your service.') : undefined;
    return cleanApiKey(box.value) === undefined
      ? l10n.t('A key has no spaces or accented letters; copy it once more.')
      : undefined;
  };
  const showProblem = (): void => {
    const found = problem();
    box.validationMessage = found === undefined ? undefined : plain(found);
  };
  const read = (anyway: boolean): KeyAnswer | undefined => {
    showProblem();
    if (problem() !== undefined) return undefined;
    const clean = cleanApiKey(box.value);
    return { key: clean === undefined ? undefined : new ApiKey(clean), anyway };
  };
  box.onDidChangeValue(showProblem);
  box.value = before?.reveal() ?? '';
  if (why !== undefined) box.validationMessage = plain(why);
  return ask(box, step, () => read(false), why === undefined ? undefined : () => read(true));
}

/** `Set API Key`: for the one address in the settings, or a choice among several. Gives the origin that got a key. */
export async function setKey({ keys, notices }: Services): Promise<string | undefined> {
  const origins = [...new Set(configuredOrigins())];
  if (origins.length === 0) {
    await commands.executeCommand(Command.connect);
    return undefined;
  }
  const origin = await chooseOrigin(origins, l10n.t('Which service is the key for?'));
  if (origin === undefined || !(await mayTakeKey(origin))) return undefined;
  const answer = await askKey({ origin, title: l10n.t('Parley: Set API Key') });
  if (typeof answer !== 'object' || answer.key === undefined) return undefined;
  await keys.set(origin, answer.key);
  void notices.info(l10n.t('The API key for {0} is stored.', origin), {
    title: l10n.t('Test Connection'),
    command: Command.testConnection,
  });
  return origin;
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
  if (origins.length === 1) return origins[0];
  const items = origins.map((origin) => ({ label: origin, origin }));
  return (await window.showQuickPick(items, { placeHolder, ignoreFocusOut: true }))?.origin;
}
