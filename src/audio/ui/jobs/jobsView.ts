import { basename } from 'node:path';
import { type DataTransfer, type Disposable, EventEmitter, l10n, ThemeColor, ThemeIcon, Uri } from 'vscode';
import { systemClock } from '../../../base/clock.ts';
import { throttle } from '../../../base/throttle.ts';
import { setContext } from '../../../editor/contextKeys.ts';
import { Disposables } from '../../../editor/disposables.ts';
import { plain } from '../../../editor/text/plainText.ts';
import { type PlainTreeItem, treeItem } from '../../../editor/text/shown.ts';
import { window } from '../../../editor/text/window.ts';
import { Command, ContextKey, View } from '../../../ids/ids.ts';
import { type AudioJob, isEnded, type JobState, type JobSubject, keyOf, readJobKey } from '../../jobs/audioJob.ts';
import type { AudioJobs } from '../../jobs/jobs.ts';
import { stateText } from './jobText.ts';

/** The view that lists what is translated, and takes recordings that are dropped on it. It is there where a service is connected for these. */
export interface JobsView extends Disposable {
  /** Draws the list anew. */
  refresh(): void;
}

/** The time between two drawings of the list, in milliseconds. */
const drawingPause = 1_000;

/** A row, which is the same for as long as its recording is listed. */
export interface JobRow extends JobSubject {
  /** Names its job among all. */
  readonly key: string;
}

const icons: Readonly<Record<JobState, ThemeIcon>> = {
  waiting: new ThemeIcon('clock'),
  cutting: new ThemeIcon('loading~spin'),
  sending: new ThemeIcon('loading~spin'),
  paused: new ThemeIcon('debug-pause'),
  done: new ThemeIcon('check', new ThemeColor('testing.iconPassed')),
  failed: new ThemeIcon('error', new ThemeColor('list.errorForeground')),
  cancelled: new ThemeIcon('circle-slash'),
  interrupted: new ThemeIcon('debug-disconnect'),
};

/** The green check is for text alone. */
function iconOf({ state, result, error }: AudioJob): ThemeIcon {
  if (state === 'done' && result === 'no-speech') return new ThemeIcon('circle-outline');
  if (state === 'done' && result === 'untranslated') return new ThemeIcon('info');
  return error?.kind === 'not-audio' && error.param === 'none' ? new ThemeIcon('mute') : icons[state];
}

/** @param translate takes what was dropped */
export function createJobsView(jobs: AudioJobs, translate: (uris: readonly Uri[]) => void): JobsView {
  const owned = new Disposables();
  const rows = new Map<string, JobRow>();
  function rowOf(key: string): JobRow {
    const row = rows.get(key) ?? { key, ...readJobKey(key) };
    rows.set(key, row);
    return row;
  }
  const changed = owned.add(new EventEmitter<JobRow | undefined>());
  /** What each row shows, by the key of its job. */
  let shown = new Map<string, string>();
  const view = owned.add(
    window.createTreeView<JobRow>(View.translations, {
      treeDataProvider: {
        onDidChangeTreeData: changed.event,
        getChildren: (row) => (row === undefined ? inOrder(jobs.all).map((job) => rowOf(keyOf(job))) : []),
        getTreeItem: ({ key }) => toItem(jobs.all.find((job) => keyOf(job) === key) ?? gone(key)),
      },
      dragAndDropController: {
        dragMimeTypes: [],
        dropMimeTypes: ['text/uri-list', 'files'],
        async handleDrop(_target, data) {
          const uris = await urisIn(data);
          if (uris.length > 0) translate(uris);
        },
      },
    }),
  );
  const refresh = owned.add(
    throttle(() => {
      const now = new Map(
        inOrder(jobs.all).map((job) => [keyOf(job), `${job.state} ${stateText(job, systemClock.now())}`]),
      );
      const isSameList = [...now.keys()].join('\n') === [...shown.keys()].join('\n');
      const others = [...now].filter(([key, text]) => shown.get(key) !== text);
      shown = now;
      for (const key of rows.keys()) if (!now.has(key)) rows.delete(key);
      // A row that is drawn again takes the buttons from under the mouse: no more of them than have to be.
      if (!isSameList) changed.fire(undefined);
      else for (const [key] of others) changed.fire(rowOf(key));
      const open = jobs.all.filter((job) => !isEnded(job)).length;
      view.badge =
        open === 0
          ? undefined
          : { value: open, tooltip: plain(l10n.t('Recordings that are being translated: {0}', open)) };
      void setContext(ContextKey.audioHasJobs, jobs.all.length > 0);
      void setContext(ContextKey.audioHasEnded, jobs.all.some(isEnded));
    }, drawingPause),
  );
  return { refresh, dispose: () => owned.dispose() };
}

const names = new Intl.Collator(undefined, { numeric: true });

/** What goes on, what is to be looked at, what waits, what is done; each by the names, 2 before 10. */
function inOrder(jobs: readonly AudioJob[]): AudioJob[] {
  const place = ({ state }: AudioJob): number => places[state];
  return jobs.toSorted((a, b) => place(a) - place(b) || names.compare(a.fileName, b.fileName));
}

const places: Readonly<Record<JobState, number>> = {
  ...{ cutting: 0, sending: 0, paused: 0 },
  ...{ failed: 1, interrupted: 1, cancelled: 1 },
  ...{ waiting: 2, done: 3 },
};

/** VS Code may ask for a row that was just taken off the list. */
function gone(key: string): AudioJob {
  const subject = readJobKey(key);
  return { ...subject, fileName: basename(subject.path), state: 'done' };
}

function toItem(job: AudioJob): PlainTreeItem {
  const { path, fileName, state, task } = job;
  const item = treeItem(plain(fileName));
  item.id = keyOf(job);
  const text = stateText(job, systemClock.now());
  item.description = plain(text);
  item.tooltip = plain(`${path}\n${text}`);
  item.iconPath = iconOf(job);
  item.contextValue = contextOf(state);
  if (state === 'done') item.command = { title: '', command: Command.audioOpen, arguments: [Uri.file(path), task] };
  return item;
}

/** What the menus of a row go by. */
function contextOf(state: JobState): 'running' | 'paused' | 'done' | 'stopped' {
  if (state === 'paused' || state === 'done') return state;
  return state === 'failed' || state === 'cancelled' || state === 'interrupted' ? 'stopped' : 'running';
}

/** The most files of one drop. */
const mostDropped = 1_000;

async function urisIn(data: DataTransfer): Promise<Uri[]> {
  const list = (await data.get('text/uri-list')?.asString()) ?? '';
  const lines = list.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#'));
  return lines.slice(0, mostDropped).flatMap((line) => {
    try {
      return [Uri.parse(line, true)];
    } catch {
      return [];
    }
  });
}
