import { commands, type Disposable, l10n, ProgressLocation, type Uri, workspace } from 'vscode';
import { registerCommand } from '../../../editor/commands.ts';
import { setContext } from '../../../editor/contextKeys.ts';
import { Disposables } from '../../../editor/disposables.ts';
import type { Notices } from '../../../editor/notices.ts';
import { openSettings } from '../../../editor/sentences/errorButtons.ts';
import type { Services } from '../../../editor/services.ts';
import { window } from '../../../editor/text/window.ts';
import { Command, ContextKey } from '../../../ids/ids.ts';
import type { WorkspaceFiles } from '../../../workspace/workspaceFiles.ts';
import { createGeneratedMessages } from '../../commit/generatedMessages.ts';
import { chooseRepository, rootOf } from './chooseRepository.ts';
import { findGit, type GitApi, type GitRepository } from './gitExtension.ts';
import { writeMessage } from './writeMessage.ts';

/** Generate Commit Message: writes a message for what is staged into the box of its repository. */
export function registerCommitMessage(services: Services, parts: { readonly files: WorkspaceFiles }): Disposable {
  const { notices } = services;
  const owned = new Disposables();
  const generated = createGeneratedMessages();
  const runs = createRuns();
  owned.add(runs);

  async function generate(source: unknown, options?: unknown): Promise<void> {
    const git = await findTrustedGit(notices);
    if (git === undefined) return;
    const repository = await chooseRepository(git, source);
    if (repository === undefined) return;
    if (repository === 'none') return void notices.warn(l10n.t('No git repository is open here.'));
    // The box is in the view of source control, which may be closed.
    if (rootOf(source) === undefined) await commands.executeCommand('workbench.view.scm');
    await runs.startOrStop(git, repository, (run) =>
      writeMessage({ ...services, ...parts, generated }, repository, run, saysAll(options)),
    );
  }

  owned.add(registerCommand(Command.scmCommitMessage, notices, generate));
  owned.add(registerCommand(Command.scmStopCommitMessage, notices, (source) => runs.stop(rootOf(source))));
  return owned;
}

/** The button of the notice that nothing is staged. VS Code's own menus give groups of resources in this place. */
const saysAll = (options: unknown): boolean =>
  typeof options === 'object' && options !== null && 'isAll' in options && options.isAll === true;

/** VS Code's git; undefined in an untrusted workspace, or where there is none, which the user is told. */
async function findTrustedGit(notices: Notices): Promise<GitApi | undefined> {
  if (!workspace.isTrusted) {
    const manage = { title: l10n.t('Manage Workspace Trust'), command: 'workbench.trust.manage' };
    return void notices.warn(l10n.t('Changes are read only in folders you trust.'), manage);
  }
  const git = await findGit();
  if (git !== undefined) return git;
  const settings = openSettings(l10n.t('Open Setting'), '@id:git.enabled');
  return void notices.warn(l10n.t('VS Code’s git is turned off, or git is not installed here.'), settings);
}

/** The messages that are being written: one at a time for each repository. */
interface Runs extends Disposable {
  /** Starts for a repository, with progress in the view of source control, or stops what runs for it. It stops when the repository is closed, too. */
  startOrStop(git: GitApi, repository: GitRepository, write: (run: AbortController) => Promise<void>): Promise<void>;
  /** @param root undefined for all */
  stop(root: Uri | undefined): void;
}

function createRuns(): Runs {
  const running = new Map<string, { readonly root: Uri; readonly controller: AbortController }>();
  const showState = async (): Promise<void> => {
    // VS Code names the roots in its own way where the files are on another machine: it knows them as URIs alone.
    await setContext(ContextKey.scmWriting, running.size > 0 && [...running.values()].map(({ root }) => root));
  };
  const stop = (root: Uri | undefined): void => {
    for (const [key, { controller }] of running) if (root === undefined || key === root.toString()) controller.abort();
  };
  return {
    async startOrStop(git, { rootUri: root }, write) {
      const key = root.toString();
      if (running.has(key)) return stop(root);
      const controller = new AbortController();
      running.set(key, { root, controller });
      const closing = git.onDidCloseRepository(({ rootUri }) => rootUri.toString() === key && controller.abort());
      try {
        await showState();
        await window.withProgress({ location: ProgressLocation.SourceControl }, () => write(controller));
      } finally {
        closing.dispose();
        running.delete(key);
        await showState();
      }
    },
    stop,
    dispose: () => stop(undefined),
  };
}
