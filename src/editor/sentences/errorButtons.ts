import { env, l10n } from 'vscode';
import { Command } from '../../ids/ids.ts';

/** A button: its title and the command behind it. */
export interface Button {
  title: string;
  command: string;
  arguments?: readonly unknown[];
}

export const connect = (): Button => ({ title: l10n.t('Connect'), command: Command.connect });
export const setKey = (): Button => ({ title: l10n.t('Set API Key'), command: Command.setApiKey });
/**
 * Leads to settings. Those of Parley are set for a machine: in a window whose files are on another one, VS Code shows them
 * among the settings of that machine, and finds nothing elsewhere.
 */
export const openSettings = (title: string, query: string): Button =>
  env.remoteName !== undefined && query.startsWith('parley.')
    ? { title, command: 'workbench.action.openRemoteSettings', arguments: [{ query }] }
    : { title, command: 'workbench.action.openSettings', arguments: [query] };
export const pickModel = (): Button => ({ title: l10n.t('Pick Model'), command: Command.chatPickModel });
export const otherFile = (): Button => ({ title: l10n.t('Choose Another File'), command: Command.audioTranslate });
export const showLog = (): Button => ({ title: l10n.t('Show Log'), command: Command.showLog });

export const setTeamStore = (): Button => ({ title: l10n.t('Set Team Index'), command: Command.searchSetTeamStore });
