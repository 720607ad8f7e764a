import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Disposable, type ExtensionContext, Uri } from 'vscode';
import { writeWhole } from '../../../base/privateFiles.ts';
import { throttle } from '../../../base/throttle.ts';
import { describeForLog, type Log } from '../../../editor/log.ts';
import { mostCharacters } from '../../review/checkpoint.ts';
import { readKeptSet, writeKeptSet } from '../../review/keptSet.ts';
import type { ChangeSet, ChangeSets } from './changeSet.ts';

/** The sets that wait for decisions, on the disk, so that they outlive a reload of the window. */
export interface KeptSets extends Disposable {
  /** Adds the sets that were kept when the window was open last. */
  restore(): Promise<void>;
}

/** The time between two looks at what has changed, in milliseconds. */
const savePause = 300;
/** A larger file is none that was written here, in bytes. */
const largestFile = 4 * mostCharacters;

/** Keeps sets with their workspace. Without a folder there is none: windows would take over each other's sets. */
export function keepSets({ storageUri }: ExtensionContext, sets: ChangeSets, log: Log): KeptSets {
  const folder = storageUri && Uri.joinPath(storageUri, 'proposed').fsPath;
  /** The state of each set that was written last, by its id. */
  const written = new Map<string, string>();
  let turn: Promise<void> = Promise.resolve();

  const fileOf = (id: string): string => join(folder ?? '', `${id}.json`);

  async function save(): Promise<void> {
    for (const set of sets.all) {
      const state = stateOf(set);
      if (set.received !== undefined || written.get(set.id) === state) continue;
      const json = writeKeptSet(toKept(set));
      if (json === undefined) await rm(fileOf(set.id), { force: true });
      else await writeWhole(fileOf(set.id), json);
      written.set(set.id, state);
    }
    const ids = new Set(sets.all.map(({ id }) => id));
    for (const id of written.keys()) {
      if (ids.has(id)) continue;
      await rm(fileOf(id), { force: true });
      written.delete(id);
    }
  }

  const saving = throttle(() => {
    // What cannot be kept, as the disk is full, is there until the window is reloaded.
    turn = turn.then(save).catch((error: unknown) => log.warn(describeForLog(error)));
  }, savePause);
  const listening = folder === undefined ? undefined : sets.onDidChange(saving);

  return {
    async restore() {
      const found = folder === undefined ? [] : await readdir(folder).catch((): string[] => []);
      // A name begins with the time, so that the oldest is the first.
      for (const name of found.filter((each) => /^\d+-\d+\.json$/.test(each)).sort()) {
        const path = fileOf(name.slice(0, -'.json'.length));
        const { size } = await stat(path);
        const kept = size > largestFile ? undefined : readKeptSet(await readFile(path, 'utf8'));
        // A file that something else was proposed for meanwhile is in that set.
        const files = kept?.files.filter(({ uri }) => sets.find(uri) === undefined) ?? [];
        if (kept === undefined || files.length === 0) {
          await rm(path, { force: true });
          continue;
        }
        const set = sets.add({ ...kept, files: files.map((file) => ({ ...file, uri: Uri.parse(file.uri, true) })) });
        written.set(set.id, stateOf(set));
      }
    },
    dispose() {
      listening?.dispose();
      saving.dispose();
    },
  };
}

/** What has to change before a set is written again. What is typed is found out by comparing texts. */
function stateOf({ documents }: ChangeSet): string {
  return JSON.stringify(documents.map(({ uri, file }) => [uri, file.hunks.map(({ id, state }) => [id, state])]));
}

function toKept({ id, title, instruction, documents }: ChangeSet) {
  const files = documents.map(({ uri, isNew, file }) => ({ uri: uri.toString(), isNew, review: file }));
  return { id, title, instruction, files };
}
