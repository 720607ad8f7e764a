import { type Disposable, EventEmitter, l10n, languages, Range } from 'vscode';
import { Disposables } from '../../editor/disposables.ts';
import { codeLens } from '../../editor/text/shown.ts';
import { Command } from '../../ids.ts';
import { diffCommand } from './diffEditor.ts';
import type { Proposal } from './proposal.ts';

/** Apply, Discard and Show Diff above the lines of the proposal that is shown. */
export interface Lenses extends Disposable {
  /** Call when there is another proposal, or none, and when its lines have moved. */
  refresh(): void;
}

/**
 * The provider is registered with the first proposal and stays: VS Code goes on showing the last lenses of a provider that is gone
 * for half a minute, while one that answers with none clears them at once.
 */
export function createLenses(current: () => Proposal | undefined): Lenses {
  const owned = new Disposables();
  const changed = owned.add(new EventEmitter<void>());
  let isRegistered = false;
  return {
    refresh() {
      if (!isRegistered && current() !== undefined) {
        isRegistered = true;
        owned.add(
          languages.registerCodeLensProvider('*', {
            onDidChangeCodeLenses: changed.event,
            provideCodeLenses: (asked) => {
              const proposal = current();
              return proposal !== undefined && asked === proposal.lines.document ? lensesOf(proposal) : [];
            },
          }),
        );
      }
      changed.fire();
    },
    dispose: () => owned.dispose(),
  };
}

function lensesOf(proposal: Proposal) {
  const line = proposal.lines.range.first;
  const place = new Range(line, 0, line, 0);
  const [command, ...args] = diffCommand(proposal);
  return [
    codeLens(place, 'check', l10n.t('Apply Edit'), Command.editApply),
    codeLens(place, 'discard', l10n.t('Discard Edit'), Command.editDiscard),
    codeLens(place, 'diff', l10n.t('Show Diff'), command, args),
  ];
}
