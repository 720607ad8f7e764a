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
  /** Fires when a transcript was edited. */
  readonly onDidChange: Event<Transcript>;
}

/** Where the texts of each task are kept. */
export type TextStores = Readonly<Record<AudioTask, { readonly journal: Journal }>>;

/** All texts that are kept, the newest first. */
export async function listTexts(stores: TextStores): Promise<Transcript[]> {
  const all = await Promise.all(Object.values(stores).map(({ journal }) => journal.list()));
  return all.flat().sort((a, b) => b.createdAt.localeCompare(a.createdAt));
}

/** The text that a name stands for. */
export function textOf(stores: TextStores, id: string): Promise<Transcript | undefined> {
  const name = readTextId(id);
  return stores[taskOf(name)].journal.get(name.sha256);
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
    onDidChange: changed.event,
    dispose: () => changed.dispose(),
  };
}
