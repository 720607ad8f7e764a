import { env, l10n } from 'vscode';
import { timeText } from '../../../editor/sentences/formatUnits.ts';
import { type PlainText, withIcon } from '../../../editor/text/plainText.ts';
import { filesText, numberText } from '../shared/sentences.ts';
import type { State } from '../shared/state.ts';

/** The state of the index, short enough for a status bar; undefined when there is nothing to say. */
export function shortStateText(state: State): PlainText | undefined {
  switch (state.kind) {
    case 'unused':
      return undefined;
    case 'deleted':
      return withIcon('search', l10n.t('Not indexed'));
    case 'listing':
      return withIcon('search', l10n.t('Listing files'));
    case 'reading':
      return withIcon('search', l10n.t('Reading {0} of {1}', numberText(state.done), numberText(state.of)));
    case 'updating':
      return withIcon('search', l10n.t('Updating {0}', filesText(state.files)));
    case 'consent':
      return withIcon('question', l10n.t('Index the workspace?'));
    case 'embedding':
      return withIcon('search', l10n.t('Indexing {0} of {1}', numberText(state.done), numberText(state.of)));
    case 'waiting':
      return withIcon('watch', l10n.t('Indexing waits until {0}', timeText(state.until)));
    case 'paused':
      return withIcon(
        'debug-pause',
        state.by === 'user' ? l10n.t('Indexing paused') : l10n.t('Indexing paused until tomorrow'),
      );
    case 'failed':
      return withIcon('error', l10n.t('Indexing failed'));
    case 'words':
      return withIcon('search', l10n.t('Keywords only'));
    case 'stale':
      return withIcon('search', l10n.t('Indexed {0}', percentText(state)));
    case 'ready':
      return withIcon('search', filesText(state.files));
  }
}

/** The percentage, which stays below 100 until all is done. */
function percentText({ done, of }: { done: number; of: number }): string {
  return (of === 0 ? 0 : Math.floor((done / of) * 100) / 100).toLocaleString(env.language, { style: 'percent' });
}
