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
  /** How many translations of a recording are kept, the one in use among them. */
  versionCount(sha256: string): Promise<number>;
  versions(sha256: string): Promise<Transcript[]>;
  /** Has another translation of a recording in use; undefined where there is no such. */
  useVersion(sha256: string, createdAt: string): Promise<Transcript | undefined>;
  removeVersion(sha256: string, createdAt: string): Promise<void>;
  /** Fires when a transcript was edited, or another version of it is in use. */
  readonly onDidChange: Event<Transcript>;
}

type JournalOfTranscripts = Pick<
  Journal,
  'get' | 'update' | 'versions' | 'versionCount' | 'useVersion' | 'removeVersion'
>;

export function createTranscripts(journal: JournalOfTranscripts): Transcripts {
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
    versionCount: async (sha256) => 1 + (await journal.versionCount(sha256)),
    versions: journal.versions,
    useVersion: (sha256, createdAt) =>
      inTurn(async () => {
        const used = await journal.useVersion(sha256, createdAt);
        if (used !== undefined) changed.fire(used);
        return used;
      }),
    removeVersion: journal.removeVersion,
    onDidChange: changed.event,
    dispose: () => changed.dispose(),
  };
}
