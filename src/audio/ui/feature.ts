import { stat } from 'node:fs/promises';
import { commands, type Disposable, l10n, Uri } from 'vscode';
import { adjustmentText } from '../../editor/adjustmentText.ts';
import type { ParleyCommands, TranslatedFile } from '../../editor/api.ts';
import { CommandFailure, checkArgument, forCaller } from '../../editor/commandError.ts';
import { registerCommand } from '../../editor/commands.ts';
import { Disposables } from '../../editor/disposables.ts';
import type { Services } from '../../editor/services.ts';
import { Command } from '../../ids.ts';
import { createJournal, type FileIdentity } from '../journal.ts';
import { createTranslator } from '../translate.ts';
import { createTurns } from '../turns.ts';
import { registerDecorations } from './decorations.ts';
import { pickSaved } from './openSaved.ts';
import { registerPanels } from './panel.ts';
import type { AudioParts } from './parts.ts';
import { pickRecordings } from './pickRecordings.ts';
import { findObstacle, type Obstacle, translateForCaller, translatePicked } from './translateCommand.ts';

/** Recordings to English text: the command in the explorer and the palette, the result panel, the marks in the explorer. */
export function registerAudio(services: Services): Disposable {
  const owned = new Disposables();
  const journal = createJournal(Uri.joinPath(services.context.globalStorageUri, 'translations').fsPath);
  const parts: AudioParts = {
    services,
    journal,
    translator: createTranslator(
      services.client,
      (adjustment) => void services.notices.info(adjustmentText(adjustment)),
    ),
    turns: createTurns(),
    panels: owned.add(registerPanels(services, journal)),
    decorations: owned.add(registerDecorations(journal, identify)),
  };
  // Not by registerCommand: another extension that calls it must see it fail.
  owned.add(commands.registerCommand(Command.audioTranslate, (...args: unknown[]) => translate(args, parts)));
  owned.add(registerCommand(Command.audioOpen, services.notices, (uri) => openTranslation(uri, parts)));
  return owned;
}

/** @param args `()` from the palette, `(uri, uris)` from the explorer, `(uri | uris)` from another extension (editor/api.ts) */
async function translate(args: readonly unknown[], parts: AudioParts): Promise<TranslatedFile[] | undefined> {
  if (args.length === 1 && args[0] !== undefined && args[0] !== null) {
    return translateForOthers(parts)(args[0] as Uri | readonly Uri[]);
  }
  const selected = toUris(args[1]);
  try {
    const given = selected.length > 0 ? selected : toUris(args[0]);
    const obstacle = findObstacle(given);
    if (obstacle !== undefined) {
      const { sentence, action } = obstacleText(obstacle);
      void parts.services.notices.warn(sentence, action);
      return undefined;
    }
    // Asked first: without a service there is nothing to pick for.
    await parts.services.connection.endpoint('audio');
    const uris = given.length > 0 ? given : await pickRecordings();
    if (uris !== undefined) await translatePicked(uris, parts);
  } catch (error) {
    // Not awaited: a notice stays until the user closes it.
    void parts.services.notices.error(error, () => commands.executeCommand(Command.audioTranslate, ...args));
  }
  return undefined;
}

function translateForOthers(parts: AudioParts): ParleyCommands['parley.audio.translate'] {
  return (recordings) =>
    forCaller(parts.services.log, async () => {
      const uris = toUris(recordings);
      const count = Array.isArray(recordings) ? recordings.length : 1;
      checkArgument(uris.length === count && count > 0, 'recordings', l10n.t('one or more URIs'));
      const obstacle = findObstacle(uris);
      if (obstacle !== undefined) throw new CommandFailure(obstacle, obstacleText(obstacle).sentence);
      return translateForCaller(uris, parts);
    });
}

/** Shows the saved translation of a recording; without one, lets the user pick from all. */
async function openTranslation(uri: unknown, { journal, panels, decorations, services }: AudioParts): Promise<void> {
  const [wanted] = toUris(uri);
  if (wanted !== undefined) {
    const file = await identify(wanted);
    const saved = file === undefined ? undefined : await journal.find(file);
    if (saved !== undefined) panels.show(saved, wanted.fsPath);
    else void services.notices.info(l10n.t('This recording is not translated yet.'), translateAction(wanted));
    return;
  }
  if ((await journal.list()).length === 0) {
    void services.notices.info(l10n.t('No recording is translated yet.'), translateAction());
    return;
  }
  const picked = await pickSaved(journal, async ({ sha256 }) => {
    await journal.remove(sha256);
    decorations.refresh(undefined);
  });
  if (picked !== undefined) panels.show(picked, picked.path);
}

const translateAction = (uri?: Uri) => ({
  title: l10n.t('Translate'),
  command: Command.audioTranslate,
  arguments: uri === undefined ? [] : [uri, [uri]],
});

function obstacleText(obstacle: Obstacle) {
  return obstacle === 'untrusted'
    ? {
        sentence: l10n.t('Recordings are sent to a service only from folders you trust.'),
        action: { title: l10n.t('Manage Workspace Trust'), command: 'workbench.trust.manage' },
      }
    : {
        sentence: l10n.t('Only recordings that are files on a disk can be translated.'),
        action: { title: l10n.t('Open Folder'), command: 'vscode.openFolder' },
      };
}

function toUris(value: unknown): Uri[] {
  const values = Array.isArray(value) ? value : [value];
  return values.filter((each) => each instanceof Uri);
}

/** What tells whether a file is the one that was translated; undefined when it is gone. */
async function identify(uri: Uri): Promise<FileIdentity | undefined> {
  const stats = await stat(uri.fsPath).catch(() => undefined);
  if (stats === undefined) return undefined;
  return { path: uri.fsPath, size: stats.size, mtimeMs: Math.floor(stats.mtimeMs) };
}
