import { commands, type Disposable, l10n, type QuickPickItem, StatusBarAlignment, ThemeColor, window } from 'vscode';
import { setContext } from '../../editor/context.ts';
import { Disposables } from '../../editor/disposables.ts';
import type { Services } from '../../editor/services.ts';
import { Command, type CommandId, ContextKey, type ContextKeyId } from '../../ids.ts';
import type { State } from '../state.ts';
import type { SearchIndex } from './searchIndex.ts';
import { stateText } from './sentences.ts';
import { shortStateText } from './shortStateText.ts';

/** The state of the index in the status bar, once there is one; behind it, what can be done now. */
export function createStatusEntry({ waits }: Services, index: SearchIndex): Disposable {
  const owned = new Disposables();
  const item = owned.add(window.createStatusBarItem('parley.search', StatusBarAlignment.Right));
  item.name = l10n.t('Parley: Code Search');
  item.command = Command.searchActions;

  const known = new Map<ContextKeyId, boolean>();
  function set(key: ContextKeyId, value: boolean): void {
    if (value !== known.get(key)) void setContext(key, value);
    known.set(key, value);
  }

  function show(): void {
    waits.leaveOut(index.state.kind === 'waiting' ? index.sending.wait?.origin : undefined);
    set(ContextKey.searchCanResume, index.state.kind === 'paused' || index.state.kind === 'failed');
    // A run of a moment, after a save, takes nothing away from what was said.
    if (index.phase.kind === 'idle' || index.phase.kind === 'failed') {
      set(ContextKey.searchReady, index.state.kind === 'ready' && !index.status?.damaged);
    }
    const short = shortStateText(index.state);
    if (short === undefined) {
      item.hide();
      return;
    }
    const sentence = stateText(index) ?? '';
    item.text = short;
    item.tooltip = sentence;
    item.accessibilityInformation = { label: sentence };
    item.backgroundColor = index.state.kind === 'failed' ? new ThemeColor('statusBarItem.errorBackground') : undefined;
    item.show();
  }

  owned.add(index.onDidChange(show));
  show();
  return owned;
}

interface Act extends QuickPickItem {
  command: CommandId | 'workbench.action.openSettings';
  argument?: string;
}

/** The list behind the entry: what can be done now, what helps most first. */
export async function showActions(index: SearchIndex, isRunning: boolean): Promise<void> {
  const { state } = index;
  const chosen = await window.showQuickPick(actsFor(state, isRunning), {
    title: l10n.t('Code Search'),
    placeHolder: stateText(index) ?? l10n.t('The workspace is not indexed'),
  });
  if (chosen === undefined) return;
  await commands.executeCommand(chosen.command, ...(chosen.argument === undefined ? [] : [chosen.argument]));
}

function actsFor(state: State, isRunning: boolean): Act[] {
  const resume: Act = { label: l10n.t('Resume Indexing'), command: Command.searchResume };
  const acts: Act[] = [];
  if (state.kind === 'embedding' || state.kind === 'waiting') {
    acts.push({ label: l10n.t('Pause Indexing'), command: Command.searchPause });
  }
  if (isRunning) acts.push({ label: l10n.t('Cancel Indexing'), command: Command.searchCancel });
  if (state.kind === 'paused' || state.kind === 'failed') acts.push(resume);
  if (state.kind === 'paused' && state.by === 'budget') {
    acts.push({
      label: l10n.t('Change Budget'),
      command: 'workbench.action.openSettings',
      argument: 'parley.embeddings.dailyTokenBudget',
    });
  }
  if (state.kind === 'failed') acts.push({ label: l10n.t('Show Log'), command: Command.showLog });
  acts.push({ label: l10n.t('Search'), command: Command.searchQuery });
  if (['unused', 'words', 'stale', 'ready'].includes(state.kind)) {
    acts.push({ label: l10n.t('Index Workspace'), command: Command.searchIndex });
  }
  acts.push(
    { label: l10n.t('Index Report'), command: Command.searchReport },
    { label: l10n.t('Delete Index'), command: Command.searchDeleteIndex },
  );
  return acts;
}
