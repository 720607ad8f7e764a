import { commands, type Disposable, l10n, type QuickPickItem, StatusBarAlignment, ThemeColor } from 'vscode';
import { setContext } from '../../../editor/contextKeys.ts';
import { Disposables } from '../../../editor/disposables.ts';
import type { Services } from '../../../editor/services.ts';
import { plain } from '../../../editor/text/plainText.ts';
import { window } from '../../../editor/text/window.ts';
import { Command, type CommandId, ContextKey, type ContextKeyId } from '../../../ids/ids.ts';
import { needsAnew, stateText } from '../shared/sentences.ts';
import type { State } from '../shared/state.ts';
import type { UploadQuestion } from './run/uploadQuestion.ts';
import type { SearchIndex } from './searchIndex.ts';
import { shortStateText } from './shortStateText.ts';

/** The state of the index in the status bar, once there is one; a click lists the possible actions. */
export function createStatusEntry({ waits }: Services, index: SearchIndex): Disposable {
  const owned = new Disposables();
  const item = owned.add(window.createStatusBarItem('parley.search', StatusBarAlignment.Right));
  item.name = plain(l10n.t('Parley: Code Search'));
  item.command = Command.searchActions;

  const known = new Map<ContextKeyId, boolean>();
  function set(key: ContextKeyId, value: boolean): void {
    if (value !== known.get(key)) void setContext(key, value);
    known.set(key, value);
  }

  function show(): void {
    waits.leaveOut(index.state.kind === 'waiting' ? index.sending.wait?.origin : undefined);
    set(ContextKey.searchAsks, index.state.kind === 'consent');
    set(ContextKey.searchCanResume, index.state.kind === 'paused' || index.state.kind === 'failed');
    // A short run after a save leaves the ready flag as it was.
    if (index.phase.kind === 'idle' || index.phase.kind === 'failed') {
      set(ContextKey.searchReady, index.state.kind === 'ready' && !index.status?.damaged);
    }
    const short = shortStateText(index.state);
    if (short === undefined) {
      item.hide();
      return;
    }
    // In a status bar, a count alone does not say whose it is.
    const sentence = plain([l10n.t('Parley: Code Search'), stateText(index)].filter(Boolean).join(' · '));
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
  command?: CommandId | 'workbench.action.openSettings';
  argument?: string;
  /** The action, where it is not a command. */
  run?(): unknown;
}

/** Shows the possible actions, the most helpful first. */
export async function showActions(index: SearchIndex, question: UploadQuestion, isRunning: boolean): Promise<void> {
  const { state } = index;
  const asked = question.asked;
  const chosen = await window.showQuickPick(asked ? actsForAsked(question) : actsFor(state, isRunning), {
    title: l10n.t('Code Search'),
    placeHolder: asked?.question ?? stateText(index) ?? l10n.t('The workspace is not indexed'),
  });
  if (chosen === undefined) return;
  await chosen.run?.();
  if (chosen.command === undefined) return;
  await commands.executeCommand(chosen.command, ...(chosen.argument === undefined ? [] : [chosen.argument]));
}

/** While the question before an upload waits, the menu answers it. */
function actsForAsked(question: UploadQuestion): Act[] {
  const { asked } = question;
  const ifAsked = (run: () => unknown) => (): unknown => (question.asked === asked ? run() : undefined);
  return [
    { label: asked?.yes ?? '', detail: asked?.summary ?? '', run: ifAsked(() => question.answer(true)) },
    { label: l10n.t('Show the Question'), command: Command.searchAnswer },
    { label: l10n.t('Show Details'), run: ifAsked(() => question.showDetails()) },
    { label: l10n.t('Cancel Indexing'), run: ifAsked(() => question.answer(false)) },
    { label: l10n.t('Search'), command: Command.searchQuery },
  ];
}

function actsFor(state: State, isRunning: boolean): Act[] {
  const isAnew = state.kind === 'failed' && needsAnew(state.error);
  const resume: Act = {
    label: isAnew ? l10n.t('Build Anew') : l10n.t('Resume Indexing'),
    command: Command.searchResume,
  };
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
  if (['unused', 'deleted', 'words', 'stale', 'ready'].includes(state.kind)) {
    acts.push({ label: l10n.t('Index Workspace'), command: Command.searchIndex });
  }
  acts.push(
    { label: l10n.t('Index Report'), command: Command.searchReport },
    { label: l10n.t('Delete Index'), command: Command.searchDeleteIndex },
  );
  return acts;
}
