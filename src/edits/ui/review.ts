import { commands, type Disposable, EventEmitter, Selection, TextEditorRevealType, type Uri, workspace } from 'vscode';
import { setContext } from '../../editor/contextKeys.ts';
import { Disposables } from '../../editor/disposables.ts';
import { window } from '../../editor/text/window.ts';
import { ContextKey } from '../../ids.ts';
import { closeDiffs, diffCommand, isOpen, isSame } from './diffEditor.ts';
import { type Proposal, proposalScheme, proposedText } from './proposal.ts';
import { createLenses } from './proposalLenses.ts';
import { keepMarked } from './proposalMarks.ts';

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
  let proposal: Proposal | undefined;
  let shown = new Disposables();
  const lenses = owned.add(createLenses(() => proposal));

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
    lenses.refresh();
    last?.lines.dispose();
    await updateContext(undefined);
    if (last !== undefined) await closeDiffs(last.uri);
  }

  async function show(next: Proposal): Promise<void> {
    await clear();
    proposal = next;
    shown = new Disposables();
    lenses.refresh();
    shown.add(keepMarked(next));
    shown.add(
      next.lines.onDidChange(() => {
        textChanged.fire(next.uri);
        lenses.refresh();
      }),
    );
    shown.add(
      workspace.onDidCloseTextDocument((closed) => closed.isClosed && closed === next.lines.document && clear()),
    );
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

async function updateContext(proposal: Proposal | undefined): Promise<void> {
  const active = window.activeTextEditor?.document.uri;
  const isActive =
    proposal !== undefined &&
    active !== undefined &&
    (isSame(active, proposal.uri) || isSame(active, proposal.lines.document.uri));
  await setContext(ContextKey.editPending, proposal !== undefined);
  await setContext(ContextKey.editInActiveEditor, isActive);
}
