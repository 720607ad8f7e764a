import {
  CodeLens,
  commands,
  type Disposable,
  type Event,
  EventEmitter,
  l10n,
  languages,
  Range,
  Selection,
  TextEditorRevealType,
  type Uri,
  window,
  workspace,
} from 'vscode';
import { setContext } from '../../editor/context.ts';
import { Disposables } from '../../editor/disposables.ts';
import { Command, ContextKey } from '../../ids.ts';
import { closeDiffs, diffCommand, isOpen, isSame } from './diffEditor.ts';
import { createMarks } from './marks.ts';
import { type Proposal, proposalScheme, proposedText } from './proposal.ts';

/** Shows one proposal at a time: marks and CodeLenses in the editors of its document, and the whole in a diff editor. */
export interface Review extends Disposable {
  readonly proposal: Proposal | undefined;
  /** Shows a proposal in the place of any other. */
  show(proposal: Proposal): Promise<void>;
  /** Takes everything away that `show` put there. */
  clear(): Promise<void>;
}

export function createReview(): Review {
  const owned = new Disposables();
  const textChanged = owned.add(new EventEmitter<Uri>());
  const lensesChanged = owned.add(new EventEmitter<void>());
  let hasLenses = false;
  let proposal: Proposal | undefined;
  let shown = new Disposables();

  owned.add(
    workspace.registerTextDocumentContentProvider(proposalScheme, {
      onDidChange: textChanged.event,
      provideTextDocumentContent: (uri) => (proposal && isSame(uri, proposal.uri) ? proposedText(proposal) : ''),
    }),
  );
  owned.add(window.onDidChangeActiveTextEditor(() => updateContext(proposal)));
  // A window that was reloaded brings its diff editor back, but not the proposal.
  void closeDiffs();

  async function clear(): Promise<void> {
    const last = proposal;
    proposal = undefined;
    shown.dispose();
    lensesChanged.fire();
    last?.lines.dispose();
    await updateContext(undefined);
    if (last !== undefined) await closeDiffs(last.uri);
  }

  async function show(next: Proposal): Promise<void> {
    await clear();
    proposal = next;
    shown = new Disposables();
    const marks = shown.add(createMarks(next));
    const draw = (): void => {
      for (const editor of window.visibleTextEditors) {
        // The left side of the diff editor shows the document too; it has marks of its own, and no column.
        if (editor.document === next.lines.document && editor.viewColumn !== undefined) marks.draw(editor);
      }
    };
    if (!hasLenses) owned.add(registerLenses(() => proposal, lensesChanged.event));
    hasLenses = true;
    lensesChanged.fire();
    shown.add(window.onDidChangeVisibleTextEditors(draw));
    shown.add(
      next.lines.onDidChange(() => {
        textChanged.fire(next.uri);
        lensesChanged.fire();
        // Marks move by themselves; lines that were changed since have no place to draw them anew.
        if (next.lines.isUnchanged()) draw();
      }),
    );
    shown.add(
      workspace.onDidCloseTextDocument((closed) => closed.isClosed && closed === next.lines.document && clear()),
    );
    draw();
    revealFirstHunk(next);
    await commands.executeCommand(...diffCommand(next));
    // The user may have decided before the diff editor was there.
    if (proposal !== next) return closeDiffs(next.uri);
    await updateContext(next);
    // From here on, a proposal of which nothing is open any more is discarded.
    shown.add(window.tabGroups.onDidChangeTabs(({ closed }) => closed.length > 0 && !isOpen(next) && clear()));
  }

  return {
    get proposal() {
      return proposal;
    },
    show,
    clear,
    dispose() {
      shown.dispose();
      proposal?.lines.dispose();
      owned.dispose();
    },
  };
}

/** Brings the first change into sight, with the cursor in place of the selection, which would cover the marks. */
function revealFirstHunk({ lines, hunks }: Proposal): void {
  const line = Math.min(lines.range.first + (hunks[0]?.line ?? 0), lines.document.lineCount - 1);
  for (const editor of window.visibleTextEditors) {
    if (editor.document !== lines.document) continue;
    editor.selection = new Selection(line, 0, line, 0);
    editor.revealRange(editor.selection, TextEditorRevealType.InCenterIfOutsideViewport);
  }
}

/**
 * The provider stays once it is registered: VS Code goes on showing the last lenses of a provider that is gone for half a
 * minute, while one that answers with none clears them at once.
 */
function registerLenses(current: () => Proposal | undefined, changed: Event<void>): Disposable {
  return languages.registerCodeLensProvider('*', {
    onDidChangeCodeLenses: changed,
    provideCodeLenses(asked) {
      const proposal = current();
      if (proposal === undefined || asked !== proposal.lines.document) return [];
      const line = proposal.lines.range.first;
      const [command, ...args] = diffCommand(proposal);
      return [
        { title: `$(check) ${l10n.t('Apply Edit')}`, command: Command.editApply },
        { title: `$(discard) ${l10n.t('Discard Edit')}`, command: Command.editDiscard },
        { title: `$(diff) ${l10n.t('Show Diff')}`, command, arguments: args },
      ].map((lens) => new CodeLens(new Range(line, 0, line, 0), lens));
    },
  });
}

async function updateContext(proposal: Proposal | undefined): Promise<void> {
  const active = window.activeTextEditor?.document.uri;
  const isActive =
    proposal !== undefined &&
    active !== undefined &&
    (isSame(active, proposal.uri) || isSame(active, proposal.lines.document.uri));
  await setContext(ContextKey.editPending, proposal !== undefined);
  await setContext(ContextKey.editInActiveEditor, isActive);
}
