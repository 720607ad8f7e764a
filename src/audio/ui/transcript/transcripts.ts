import { type Disposable, type Event, EventEmitter } from 'vscode';
import { createTaskQueue } from '../../../base/taskQueue.ts';
import type { Journal } from '../../transcript/journal.ts';
import type { Transcript } from '../../transcript/transcript.ts';

/** The kept transcripts as they are edited: a page and a text document of one show the same. */
export interface Transcripts extends Disposable {
  get(sha256: string): Promise<Transcript | undefined>;
  /**
   * Edits a transcript, and keeps it.
   * @param change gives the same transcript where nothing changes
   * @returns it as it is now; undefined where it is not kept any more
   */
  edit(sha256: string, change: (transcript: Transcript) => Transcript): Promise<Transcript | undefined>;
  /** Fires when a transcript was edited. */
  readonly onDidChange: Event<Transcript>;
}

export function createTranscripts(journal: Pick<Journal, 'get' | 'update'>): Transcripts {
  const changed = new EventEmitter<Transcript>();
  /** Edits are made one after the other: each begins with what the one before has left. */
  const inTurn = createTaskQueue();
  return {
    get: journal.get,
    edit: (sha256, change) =>
      inTurn(async () => {
        const transcript = await journal.get(sha256);
        const edited = transcript && change(transcript);
        if (edited === undefined || edited === transcript) return edited;
        await journal.update(edited);
        changed.fire(edited);
        return edited;
      }),
    onDidChange: changed.event,
    dispose: () => changed.dispose(),
  };
}
