import { commands, type Disposable, Uri } from 'vscode';
import { createTaskQueue } from '../../base/taskQueue.ts';
import { registerCommand } from '../../editor/commands.ts';
import { Disposables } from '../../editor/disposables.ts';
import type { Services } from '../../editor/services.ts';
import { Command } from '../../ids.ts';
import { createJournal } from '../journal.ts';
import type { AudioParts } from './audioServices.ts';
import { registerDecorations } from './decorations.ts';
import { openTranslation } from './openTranslation.ts';
import { registerPanels } from './transcriptPanel.ts';
import { translate } from './translateCommand.ts';

/** Recordings to English text: the command in the explorer and the palette, the result panel, the marks in the explorer. */
export function registerAudio(services: Services): Disposable {
  const owned = new Disposables();
  const journal = createJournal(Uri.joinPath(services.context.globalStorageUri, 'translations').fsPath);
  const parts: AudioParts = {
    services,
    journal,
    turns: createTaskQueue(),
    panels: owned.add(registerPanels(services, journal)),
    decorations: owned.add(registerDecorations(journal)),
  };
  // The command is not registered by registerCommand: another extension that calls it must see it fail.
  owned.add(commands.registerCommand(Command.audioTranslate, (...args: unknown[]) => translate(args, parts)));
  owned.add(registerCommand(Command.audioOpen, services.notices, (uri) => openTranslation(uri, parts)));
  return owned;
}
