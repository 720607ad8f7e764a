import { type Disposable, type Event, EventEmitter } from 'vscode';
import { createTaskQueue } from '../../../base/taskQueue.ts';
import type { AudioTask } from '../../../service/audio/audio.ts';
import type { Journal } from '../../transcript/journal.ts';
import { readTextId, taskOf } from '../../transcript/textId.ts';
import type { Transcript } from '../../transcript/transcript.ts';

/** The kept transcripts as they are edited: a page and a text document of one show the same. */
export interface Transcripts extends Disposable {
  /** @param id as `textIdOf` makes it */
  get(id: string): Promise<Transcript | undefined>;
  /**
   * Edits a transcript, and keeps it.
   * @param change gives the same transcript where nothing changes
   * @returns it as it is now; undefined where it is not kept any more
   */
  edit(id: string, change: (transcript: Transcript) => Transcript): Promise<Transcript | undefined>;
  /** How many translations of a recording are kept, the one in use among them. */
  versionCount(id: string): Promise<number>;
  versions(id: string): Promise<Transcript[]>;
  /** Has another translation of a recording in use; undefined where there is no such. */
  useVersion(id: string, createdAt: string): Promise<Transcript | undefined>;
  removeVersion(id: string, createdAt: string): Promise<void>;
  /** Fires when a transcript was edited, or another version of it is in use. */
  readonly onDidChange: Event<Transcript>;
}

type JournalOfTranscripts = Pick<
  Journal,
  'get' | 'find' | 'list' | 'update' | 'versions' | 'versionCount' | 'useVersion' | 'removeVersion'
>;

/** Where the texts of each task are kept. */
export type TextStores = Readonly<Record<AudioTask, { readonly journal: JournalOfTranscripts }>>;

/** All texts that are kept, the newest first. */
export async function listTexts(stores: TextStores): Promise<Transcript[]> {
  const all = await Promise.all(Object.values(stores).map(({ journal }) => journal.list()));
  return all.flat().sort((a, b) => b.createdAt.localeCompare(a.createdAt));
}

/** The text that a name stands for. */
export function textOf(stores: TextStores, id: string): Promise<Transcript | undefined> {
  const [journal, sha256] = placeOf(stores, id);
  return journal.get(sha256);
}

function placeOf(stores: TextStores, id: string): [JournalOfTranscripts, sha256: string] {
  const name = readTextId(id);
  return [stores[taskOf(name)].journal, name.sha256];
}

export function createTranscripts(stores: TextStores): Transcripts {
  const changed = new EventEmitter<Transcript>();
  /** Edits are made one after the other: each begins with what the one before has left. */
  const inTurn = createTaskQueue();
  return {
    get: (id) => textOf(stores, id),
    edit: (id, change) =>
      inTurn(async () => {
        const transcript = await textOf(stores, id);
        const edited = transcript && change(transcript);
        if (edited === undefined || edited === transcript) return edited;
        await stores[taskOf(edited)].journal.update(edited);
        changed.fire(edited);
        return edited;
      }),
    async versionCount(id) {
      const [journal, sha256] = placeOf(stores, id);
      return 1 + (await journal.versionCount(sha256));
    },
    versions(id) {
      const [journal, sha256] = placeOf(stores, id);
      return journal.versions(sha256);
    },
    useVersion: (id, createdAt) =>
      inTurn(async () => {
        const [journal, sha256] = placeOf(stores, id);
        const used = await journal.useVersion(sha256, createdAt);
        if (used !== undefined) changed.fire(used);
        return used;
      }),
    removeVersion(id, createdAt) {
      const [journal, sha256] = placeOf(stores, id);
      return journal.removeVersion(sha256, createdAt);
    },
    onDidChange: changed.event,
    dispose: () => changed.dispose(),
  };
}
