import { l10n, type QuickPickItem, QuickPickItemKind } from 'vscode';
import type { InstructionFile } from '../../../base/workspaceInstructions.ts';
import { window } from '../../../editor/text/window.ts';
import type { ChatSettings } from '../../answering/answering.ts';
import {
  type Configuration,
  type ConfigurationChange,
  isParameter,
  type ParameterName,
  parameterNames,
  resetOf,
} from '../../configuration.ts';
import { numberText, parameterDetail, parameterLabel, parameterValues } from './parameterTexts.ts';

/** What the list of parameters is about. */
export interface ParameterList {
  /** What the conversation has of its own, as it is now. */
  configuration(): Configuration;
  settings(): ChatSettings & { readonly model: string };
  instructions(): readonly InstructionFile[];
  change(change: ConfigurationChange): Promise<void>;
  pickModel(): Promise<void>;
  /** Makes the conversation's model the one that new conversations start with. */
  keepModel(): Promise<void>;
  openSystemPrompt(): Promise<void>;
}

interface Item extends QuickPickItem {
  /** Absent in a heading. Gives whether the list is shown again. */
  readonly run?: () => Promise<boolean>;
}

/** Shows what the conversation is asked with, and lets the user change it, until the list is closed. */
export async function pickParameters(list: ParameterList): Promise<void> {
  for (let isOpen = true; isOpen; ) {
    const chosen = await window.showQuickPick<Item>(itemsOf(list), {
      title: l10n.t('Parameters of This Conversation'),
      placeHolder: l10n.t('What the next question is asked with'),
      matchOnDescription: true,
    });
    isOpen = (await chosen?.run?.()) ?? false;
  }
}

function itemsOf(list: ParameterList): Item[] {
  const own = list.configuration();
  const parameters = parameterNames.map((name) => parameterItem(name, list, own));
  const files = list.instructions().map((file) => instructionItem(file, list, own));
  const heading = (label: string): Item => ({ label, kind: QuickPickItemKind.Separator });
  return [
    ...modelItems(list, own),
    {
      label: l10n.t('System Prompt…'),
      description: own.systemPrompt === undefined ? asInSettings() : ofConversation(),
      run: () => list.openSystemPrompt().then(() => false),
    },
    heading(l10n.t('parameters')),
    ...parameters,
    ...(files.length > 0 ? [heading(l10n.t('instruction files'))] : []),
    ...files,
    ...(isAsInSettings(own) ? [] : [heading(''), resetItem(list, own)]),
  ];
}

function modelItems(list: ParameterList, { model }: Configuration): Item[] {
  const set = list.settings().model;
  return [
    {
      label: l10n.t('Model…'),
      description: model === undefined ? withOrigin(set, asInSettings()) : withOrigin(model, ofConversation()),
      run: () => list.pickModel().then(() => true),
    },
    ...(model === undefined
      ? []
      : [{ label: l10n.t('Use “{0}” for New Conversations', model), run: () => list.keepModel().then(() => true) }]),
  ];
}

function parameterItem(name: ParameterName, list: ParameterList, { parameters }: Configuration): Item {
  const own = parameters[name];
  const set = Object.entries(list.settings().extra ?? {}).find(([field]) => field === name)?.[1];
  const inSettings = typeof set === 'number' ? withOrigin(numberText(set), asInSettings()) : '';
  return {
    label: parameterLabel(name),
    description: own === undefined ? inSettings : withOrigin(numberText(own), ofConversation()),
    detail: parameterDetail(name),
    run: () => askParameter(name, list).then(() => true),
  };
}

function instructionItem({ uri, name }: InstructionFile, list: ParameterList, { leftOut }: Configuration): Item {
  const isSent = !leftOut.has(uri);
  return {
    label: name,
    description: isSent ? l10n.t('goes along') : l10n.t('does not go along'),
    run: () => list.change({ instructions: { [uri]: !isSent } }).then(() => true),
  };
}

function resetItem(list: ParameterList, own: Configuration): Item {
  return { label: l10n.t('Reset to Settings'), run: () => list.change(resetOf(own)).then(() => true) };
}

/** Asks for a value; none takes the parameter back to what the settings say. */
async function askParameter(name: ParameterName, list: ParameterList): Promise<void> {
  const own = list.configuration().parameters[name];
  const read = (text: string): number => Number(text.trim().replace(',', '.'));
  const answer = await window.showInputBox({
    title: parameterLabel(name),
    value: own === undefined ? '' : String(own),
    prompt: l10n.t('{0}; empty: as in the settings', parameterValues(name)),
    validateInput: (text) => (text.trim() === '' || isParameter(name, read(text)) ? undefined : parameterValues(name)),
  });
  if (answer === undefined) return;
  await list.change({ parameters: { [name]: answer.trim() === '' ? null : read(answer) } });
}

function isAsInSettings({ model, systemPrompt, parameters, leftOut }: Configuration): boolean {
  const isNone = model === undefined && systemPrompt === undefined;
  return isNone && Object.keys(parameters).length === 0 && leftOut.size === 0;
}

function asInSettings(): string {
  return l10n.t('as in the settings');
}

function ofConversation(): string {
  return l10n.t('of this conversation');
}

/** What something is, and where that comes from. */
function withOrigin(value: string, origin: string): string {
  return value === '' ? '' : `${value} · ${origin}`;
}
