import { commands, type Disposable, Uri } from 'vscode';
import { registerCommand } from '../../../editor/commands.ts';
import { Disposables } from '../../../editor/disposables.ts';
import { Command, type CommandId } from '../../../ids/ids.ts';
import type { AudioParts } from '../audioServices.ts';

/** The commands of the list of translations. Each takes the row that it was chosen on. */
export function registerJobCommands({ jobs, services: { notices } }: AudioParts): Disposable {
  const owned = new Disposables();

  function add(command: CommandId, run: (path: string) => unknown): void {
    owned.add(
      registerCommand(command, notices, (row: unknown) => {
        const path = typeof row === 'object' && row !== null && 'path' in row ? row.path : undefined;
        return typeof path === 'string' ? run(path) : undefined;
      }),
    );
  }

  add(Command.audioPause, jobs.pause);
  add(Command.audioCancel, jobs.cancel);
  add(Command.audioRemove, jobs.remove);
  add(Command.audioResume, (path) => {
    const isPaused = jobs.all.some((job) => job.path === path && job.state === 'paused');
    // One that has ended is begun again: what came back of it is on the disk.
    return isPaused
      ? jobs.resume(path)
      : commands.executeCommand(Command.audioTranslate, Uri.file(path), [Uri.file(path)]);
  });
  owned.add(registerCommand(Command.audioClear, notices, () => jobs.remove()));
  return owned;
}
