import { randomUUID } from 'node:crypto';
import { type Disposable, type Event, EventEmitter, l10n, workspace } from 'vscode';
import { Disposables } from '../../../editor/disposables.ts';
import type { Notices } from '../../../editor/notices.ts';
import { window } from '../../../editor/text/window.ts';
import { View } from '../../../ids/ids.ts';
import type { PanelState } from '../../../webview/shared/protocol/protocol.ts';
import { findContext, type WorkspaceSearch } from '../../context/workspaceContext.ts';
import type { Attachments } from './attachments.ts';

/** Attaches code of the workspace that fits a question, as chips that can be looked through and removed before it is sent. */
export interface QuestionSearch extends Disposable {
  readonly state: PanelState['search'];
  run(question: string): Promise<void>;
  /** Stops, for a question that is sent, or a conversation that is left: later results belong to neither. */
  stop(): void;
  readonly onDidChange: Event<void>;
}

/**
 * @param searcher undefined when the code search did not start
 * @param onDidSwitch fires when the surface shows another conversation
 */
export function createQuestionSearch(
  searcher: WorkspaceSearch | undefined,
  onDidSwitch: Event<void>,
  attachments: Attachments,
  notices: Notices,
): QuestionSearch {
  const owned = new Disposables();
  const changed = owned.add(new EventEmitter<void>());
  let running: AbortController | undefined;

  function stop(): void {
    running?.abort();
    running = undefined;
    changed.fire();
  }

  async function run(question: string): Promise<void> {
    if (searcher?.isAvailable() !== true || question.trim() === '') return;
    stop();
    const controller = new AbortController();
    running = controller;
    changed.fire();
    try {
      const found = await findContext(searcher, question, randomUUID, controller.signal);
      if (controller.signal.aborted) return;
      for (const attachment of found) attachments.add(attachment);
      if (found.length === 0) void notices.info(l10n.t('Nothing in the workspace was found for this question.'));
    } catch (error) {
      if (!controller.signal.aborted) void notices.error(error, () => run(question));
    } finally {
      if (running === controller) stop();
    }
  }

  owned.add(onDidSwitch(stop));
  owned.add(workspace.onDidGrantWorkspaceTrust(() => changed.fire()));
  owned.add(workspace.onDidChangeWorkspaceFolders(() => changed.fire()));
  owned.add({ dispose: () => running?.abort() });

  return {
    get state() {
      if (searcher?.isAvailable() !== true) return undefined;
      return running === undefined ? 'ready' : 'busy';
    },
    run: async (question) => window.withProgress({ location: { viewId: View.chat } }, () => run(question)),
    stop,
    onDidChange: changed.event,
    dispose: () => owned.dispose(),
  };
}
