import { l10n } from 'vscode';
import type { State } from '../state.ts';
import { filesText, numberText, timeText } from './sentences.ts';

/** What the index is or does, in the width of a status bar; undefined when there is nothing to say. */
export function shortStateText(state: State): string | undefined {
  switch (state.kind) {
    case 'unused':
      return undefined;
    case 'listing':
      return `$(search) ${l10n.t('Listing files')}`;
    case 'reading':
      return `$(search) ${l10n.t('Reading {0} of {1}', numberText(state.done), numberText(state.of))}`;
    case 'consent':
      return `$(question) ${l10n.t('Index the workspace?')}`;
    case 'embedding':
      return `$(search) ${l10n.t('Indexing {0} of {1}', numberText(state.done), numberText(state.of))}`;
    case 'waiting':
      return `$(watch) ${l10n.t('Indexing waits until {0}', timeText(state.until))}`;
    case 'paused':
      return `$(debug-pause) ${
        state.by === 'user' ? l10n.t('Indexing paused') : l10n.t('Indexing paused until tomorrow')
      }`;
    case 'failed':
      return `$(error) ${l10n.t('Indexing failed')}`;
    case 'words':
      return `$(search) ${l10n.t('Keywords only')}`;
    case 'stale':
      return `$(search) ${l10n.t('Indexed {0}', percentText(state))}`;
    case 'ready':
      return `$(search) ${filesText(state.files)}`;
  }
}

/** Never 100 % before all is done. */
function percentText({ done, of }: { done: number; of: number }): string {
  return (of === 0 ? 0 : Math.floor((done / of) * 100) / 100).toLocaleString(undefined, { style: 'percent' });
}
