import { commands, type Disposable, Uri } from 'vscode';
import { registerCommand } from '../../../editor/commands.ts';
import { Disposables } from '../../../editor/disposables.ts';
import { Command, type CommandId } from '../../../ids/ids.ts';
import { keyOf, readJobKey } from '../../jobs/audioJob.ts';
import type { AudioParts } from '../audioServices.ts';
import { taskText } from '../tasks/taskText.ts';

/** The commands of the list of translations. Each takes the row that it was chosen on. */
export function registerJobCommands({ jobs, services: { notices } }: AudioParts): Disposable {
  const owned = new Disposables();

  function add(command: CommandId, run: (key: string) => unknown): void {
    owned.add(
      registerCommand(command, notices, (row: unknown) => {
        const key = typeof row === 'object' && row !== null && 'key' in row ? row.key : undefined;
        return typeof key === 'string' ? run(key) : undefined;
      }),
    );
  }

  add(Command.audioPause, jobs.pause);
  add(Command.audioCancel, jobs.cancel);
  add(Command.audioRemove, jobs.remove);
  add(Command.audioResume, (key) => {
    const isPaused = jobs.all.some((job) => keyOf(job) === key && job.state === 'paused');
    const { path, task = 'translate' } = readJobKey(key);
    // One that has ended is begun again: what came back of it is on the disk.
    return isPaused
      ? jobs.resume(key)
      : commands.executeCommand(taskText(task).command, Uri.file(path), [Uri.file(path)]);
  });
  owned.add(registerCommand(Command.audioClear, notices, () => jobs.remove()));
  return owned;
}
