import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Disposable, type ExtensionContext, l10n, Uri, workspace } from 'vscode';
import { writeWhole } from '../../../base/privateFiles.ts';
import { createTaskQueue } from '../../../base/taskQueue.ts';
import { throttle } from '../../../base/throttle.ts';
import { describeForLog, type Log } from '../../../editor/log.ts';
import type { Notices } from '../../../editor/notices.ts';
import { mostCharacters } from '../../review/checkpoint.ts';
import { joinKeptSets, type KeptReview, type KeptSet, readKeptSet, writeKeptSet } from '../../review/keptSet.ts';
import { areLines } from '../../review/mergeLines.ts';
import { cellScheme } from '../target.ts';
import { allLines } from '../trackedLines.ts';
import type { ChangeSet, ChangeSets } from './changeSet.ts';
import type { ReviewedDocument } from './reviewedDocument.ts';

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
export function keepSets(
  { storageUri }: Pick<ExtensionContext, 'storageUri'>,
  sets: ChangeSets,
  notices: Notices,
  log: Log,
): KeptSets {
  const folder = storageUri && Uri.joinPath(storageUri, 'proposed').fsPath;
  /** The state of each set that was written last, by its id. */
  const written = new Map<string, string>();
  const inTurn = createTaskQueue();

  const fileOf = (id: string): string => join(folder ?? '', `${id}.json`);

  /** Whether an answer comes into a file of the set: what was kept before that holds until it is whole. */
  const isComing = ({ documents }: ChangeSet): boolean =>
    sets.all.some((set) => set.received !== undefined && set.documents.some((each) => documents.includes(each)));

  async function save(): Promise<void> {
    for (const set of sets.all) {
      const state = stateOf(set);
      if (isComing(set) || written.get(set.id) === state) continue;
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

  /** Files of a set that something can be proposed for still. */
  async function usable(files: readonly KeptReview[]): Promise<KeptReview[]> {
    const found: KeptReview[] = [];
    for (const file of files) {
      // A file that something else was proposed for meanwhile is in that set.
      if (sets.find(file.uri) !== undefined) continue;
      if (await isSame(file)) found.push(file);
      else void notices.warn(lostText(file));
    }
    return found;
  }

  const saving = throttle(() => {
    // What cannot be kept, as the disk is full, is there until the window is reloaded.
    void inTurn(save).catch((error: unknown) => log.warn(describeForLog(error)));
  }, savePause);
  const listening = folder === undefined ? undefined : sets.onDidChange(saving);

  return {
    async restore() {
      const found = folder === undefined ? [] : await readdir(folder).catch((): string[] => []);
      const read: KeptSet[] = [];
      // A name begins with the time, so that the oldest is the first.
      for (const name of found.filter((each) => /^\d+-\d+\.json$/.test(each)).sort()) {
        const path = fileOf(name.slice(0, -'.json'.length));
        const { size } = await stat(path);
        const kept = size > largestFile ? undefined : readKeptSet(await readFile(path, 'utf8'));
        const files = await usable(kept?.files ?? []);
        if (kept === undefined || files.length === 0) await rm(path, { force: true });
        else read.push({ ...kept, files });
      }
      sets.restore(
        joinKeptSets(read).map((set) => ({
          ...set,
          files: set.files.map((file) => ({ ...file, uri: Uri.parse(file.uri, true) })),
        })),
      );
      for (const set of sets.all) if (read.some(({ id }) => id === set.id)) written.set(set.id, stateOf(set));
    },
    dispose() {
      listening?.dispose();
      saving.dispose();
    },
  };
}

/** Whether a file is the one that is meant: a cell of a notebook is another one after a reload where its text is another. */
async function isSame({ uri, review }: KeptReview): Promise<boolean> {
  const address = Uri.parse(uri, true);
  if (address.scheme !== cellScheme) return true;
  const cell = await workspace.openTextDocument(address).then(
    (document) => document,
    () => undefined,
  );
  return cell !== undefined && areLines(allLines(cell), review.lines);
}

function lostText({ uri }: KeptReview): string {
  const { path } = Uri.parse(uri, true);
  const name = path.slice(path.lastIndexOf('/') + 1);
  return l10n.t(
    'It cannot be told which cell of {0} changes were proposed for, so they are not proposed any more.',
    name,
  );
}

/**
 * What has to change before a set is written again. What is typed is found out by comparing texts, but in a cell of a notebook,
 * which is known by its text alone.
 */
function stateOf({ documents }: ChangeSet): string {
  const textOf = ({ uri, file }: ReviewedDocument) => (uri.scheme === cellScheme ? file.lines : []);
  return JSON.stringify(
    documents.map((each) => [each.uri, each.file.hunks.map(({ id, set, state }) => [id, set, state]), textOf(each)]),
  );
}

function toKept({ id, title, instruction, documents }: ChangeSet): KeptSet {
  const files = documents.map(({ uri, isNew, file }) => ({ uri: uri.toString(), isNew, review: file }));
  return { id, title, instruction, time: Date.now(), files };
}
