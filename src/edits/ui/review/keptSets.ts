import type { Disposable } from 'vscode';
import { createTaskQueue } from '../../../base/taskQueue.ts';
import { throttle } from '../../../base/throttle.ts';
import type { WorkspaceFolderOfFiles } from '../../../editor/files/workspaceFolder.ts';
import { describeForLog, type Log } from '../../../editor/log.ts';
import type { Notices } from '../../../editor/notices.ts';
import { writeKeptSet } from '../../review/keptSet.ts';
import { createSetFiles } from '../../review/setFiles.ts';
import type { ChangeSet, ChangeSets } from './changeSet.ts';
import { createTakeOver, type KnownSet, stateOf, toKept } from './takeOver.ts';

/**
 * The sets that wait for decisions, on the disk, so that they outlive a reload of the window. Windows on one workspace have the same: what
 * one of them proposes, or decides on, is so in the others.
 */
export interface KeptSets extends Disposable {
  /** Adds the sets that were kept when the window was open last, or that another has; from then on they are followed. */
  restore(): Promise<void>;
}

/** The time between two looks at what has changed, in milliseconds. */
const savePause = 300;

/** @param folder where they are; undefined in a window without a folder: windows would take over each other's sets */
export function keepSets(
  folder: WorkspaceFolderOfFiles | undefined,
  sets: ChangeSets,
  notices: Notices,
  log: Log,
): KeptSets {
  const inTurn = createTaskQueue();
  // What cannot be kept, as the disk is full, is there until the window is reloaded.
  const run = (task: () => Promise<void>): void =>
    void inTurn(task).catch((error: unknown) => log.warn(describeForLog(error)));
  if (folder === undefined) return { restore: async () => {}, dispose: () => {} };

  const files = createSetFiles(folder.path);
  /** By the id of the set. */
  const known = new Map<string, KnownSet>();
  /** Something another window has written waits until a set here is whole, or decided on. */
  let isBehind = false;
  const saving = throttle(() => run(save), savePause);
  const taking = throttle(() => run(take), savePause);
  const isComing = ({ documents }: ChangeSet): boolean =>
    // What was kept before an answer comes in holds until it is whole.
    sets.all.some((set) => set.received !== undefined && set.documents.some((each) => documents.includes(each)));
  const isUnsaved = (set: ChangeSet): boolean => known.get(set.id)?.state !== stateOf(set);

  async function save(): Promise<void> {
    await folder?.ready;
    for (const set of sets.all) {
      if (isComing(set) || !isUnsaved(set)) continue;
      const [state, kept] = [stateOf(set), toKept(set, Date.now())];
      const json = writeKeptSet(kept);
      if (json === undefined) await files.remove(set.id);
      const digest = json === undefined ? undefined : await files.write(set.id, json);
      known.set(set.id, { state, digest, time: kept.time });
    }
    const ids = new Set(sets.all.map(({ id }) => id));
    for (const id of known.keys()) {
      if (ids.has(id)) continue;
      await files.remove(id);
      known.delete(id);
    }
    if (isBehind) taking();
  }

  const takeOver = createTakeOver({ files, sets, known, isComing, isUnsaved, notices });

  async function take(): Promise<void> {
    const taken = await takeOver();
    isBehind = taken === 'behind';
    // Whoever deleted the folder has decided on nothing: all is written again.
    if (taken === 'no folder') await writeAgain();
  }

  async function writeAgain(): Promise<void> {
    known.clear();
    await files.follow(taking);
    await save();
  }

  const listening = sets.onDidChange(saving);
  return {
    restore: () =>
      inTurn(async () => {
        await folder.ready;
        await files.follow(taking);
        await take();
      }),
    dispose() {
      listening.dispose();
      saving.dispose();
      taking.dispose();
      files.close();
    },
  };
}
