import { commands, type Disposable, l10n, ProgressLocation, type Uri, workspace } from 'vscode';
import { registerCommand } from '../../../editor/commands.ts';
import { setContext } from '../../../editor/contextKeys.ts';
import { Disposables } from '../../../editor/disposables.ts';
import type { Notices } from '../../../editor/notices.ts';
import { openSettings } from '../../../editor/sentences/errorText.ts';
import type { Services } from '../../../editor/services.ts';
import { window } from '../../../editor/text/window.ts';
import { Command, ContextKey } from '../../../ids.ts';
import type { ChangeReader } from '../../changes.ts';
import { chooseRepository, rootOf } from './chooseRepository.ts';
import { findGit, type GitRepository } from './gitExtension.ts';
import { writeMessage } from './writeMessage.ts';

/** Generate Commit Message: writes a message for what is staged into the box of its repository. */
export function registerCommitMessage(services: Services, parts: { readonly files: ChangeReader }): Disposable {
  const { notices } = services;
  const runs = createRuns();
  const owned = new Disposables();
  owned.add(runs);
  let isFollowing = false;

  async function generate(source: unknown): Promise<void> {
    const repository = await findRepository(source, notices);
    if (repository === undefined) return;
    // The box is in the view of source control, which may be closed.
    if (rootOf(source) === undefined) await commands.executeCommand('workbench.view.scm');
    await runs.startOrStop(repository, (run) => writeMessage({ ...services, ...parts }, repository, run));
  }

  async function findRepository(source: unknown, notices: Notices): Promise<GitRepository | undefined> {
    if (!workspace.isTrusted) {
      const manage = { title: l10n.t('Manage Workspace Trust'), command: 'workbench.trust.manage' };
      return void notices.warn(l10n.t('Changes are read only in folders you trust.'), manage);
    }
    const git = await findGit();
    if (git === undefined) {
      const settings = openSettings(l10n.t('Open Setting'), '@id:git.enabled');
      return void notices.warn(l10n.t('VS Code’s git is turned off, or git is not installed here.'), settings);
    }
    if (!isFollowing) owned.add(git.onDidCloseRepository(({ rootUri }) => runs.stop(rootUri)));
    isFollowing = true;
    const repository = await chooseRepository(git, source);
    if (repository === 'none') return void notices.warn(l10n.t('No git repository is open here.'));
    return repository;
  }

  owned.add(registerCommand(Command.scmCommitMessage, notices, generate));
  owned.add(registerCommand(Command.scmStopCommitMessage, notices, (source) => runs.stop(rootOf(source))));
  return owned;
}

/** The messages that are being written: one at a time for each repository. */
interface Runs extends Disposable {
  /** Starts for a repository, with progress in the view of source control, or stops what runs for it. */
  startOrStop(repository: GitRepository, write: (run: AbortController) => Promise<void>): Promise<void>;
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
    async startOrStop({ rootUri: root }, write) {
      const key = root.toString();
      if (running.has(key)) return stop(root);
      const controller = new AbortController();
      running.set(key, { root, controller });
      try {
        await showState();
        await window.withProgress({ location: ProgressLocation.SourceControl }, () => write(controller));
      } finally {
        running.delete(key);
        await showState();
      }
    },
    stop,
    dispose: () => stop(undefined),
  };
}
