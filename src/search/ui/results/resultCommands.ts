import { commands, type Disposable, env, l10n, Uri, ViewColumn } from 'vscode';
import type { SearchHit } from '../../../editor/api.ts';
import { registerCommand } from '../../../editor/commands.ts';
import { Disposables } from '../../../editor/disposables.ts';
import type { Notices } from '../../../editor/notices.ts';
import { window } from '../../../editor/text/window.ts';
import { Command, type CommandId, View } from '../../../ids/ids.ts';
import type { Hit, HitsAnswer } from '../index/runSearch.ts';
import type { HitMarks } from './hitMarks.ts';
import type { Asked, KeptHits } from './keptHits.ts';
import { isFile, isIndex, isMore, type ResultsView, type Row } from './resultsView.ts';

export type OpenHit = (hit: Hit, how?: Parameters<HitMarks['open']>[1]) => Promise<void>;

/** Opens a hit; for a deleted file, shows a message with a remedy. */
export function createOpenHit(marks: HitMarks, notices: Notices): OpenHit {
  return async (hit, how) => {
    try {
      await marks.open(hit, how);
    } catch {
      void notices.warn(l10n.t('The file of this hit is gone.'), {
        title: l10n.t('Search Again'),
        command: Command.searchQuery,
      });
    }
  };
}

/** Searches for the results view, one at a time: the latest one counts, and a running one is cancelled. */
export interface ResultSearch extends Disposable {
  /** Searches and keeps the results. */
  run(asked: Asked): Promise<void>;
  /** Keeps an answer, or that of a search, and moves the focus to it. */
  keep(asked: Asked, answer?: HitsAnswer): Promise<void>;
  stop(): void;
}

/** So soon, in milliseconds, nobody has turned to something else. */
const nobodyTurnsMs = 1_000;

export function createResultSearch(keptHits: KeptHits, view: ResultsView): ResultSearch {
  let running: AbortController | undefined;
  const stop = (): void => running?.abort();

  /** Whether the results are kept; not when the search was stopped. */
  async function searchFor(asked: Asked): Promise<boolean> {
    stop();
    const controller = new AbortController();
    running = controller;
    const answer = await window.withProgress({ location: { viewId: View.search } }, () =>
      asked.search(asked.filters, controller.signal),
    );
    if (controller.signal.aborted) return false;
    keptHits.keep(asked, answer);
    return true;
  }

  return {
    async run(asked) {
      await searchFor(asked);
    },
    async keep(asked, answer) {
      stop();
      if (answer !== undefined) {
        keptHits.keep(asked, answer);
        return view.selectFirst();
      }
      // Its progress is shown there; what the user turns to meanwhile keeps the focus.
      const started = performance.now();
      const focused = commands.executeCommand(`${View.search}.focus`);
      const [isKept] = await Promise.all([searchFor(asked), focused]);
      if (isKept) await view.selectFirst(performance.now() - started < nobodyTurnsMs);
    },
    stop,
    dispose: stop,
  };
}

/** The commands on the results: step from hit to hit, act on one, and repeat the search. */
export function registerResultCommands(
  notices: Notices,
  keptHits: KeptHits,
  search: ResultSearch,
  open: OpenHit,
): Disposable {
  const owned = new Disposables();
  const on = (id: CommandId, run: (value: unknown) => unknown): void => {
    owned.add(registerCommand(id, notices, run));
  };

  const onHit = (id: CommandId, run: (hit: Hit) => unknown): void =>
    on(id, (value) => {
      const hit = toHit(value);
      return hit === undefined ? undefined : run(hit);
    });
  const step = (by: 1 | -1) => async (): Promise<void> => {
    const hit = keptHits.step(by);
    // The current hit is set before opening, so that a deleted file does not block the way to the next one.
    if (hit !== undefined) await open(keptHits.setCurrent(hit));
  };

  on(Command.searchNextHit, step(1));
  on(Command.searchPreviousHit, step(-1));
  on(Command.searchMoreHits, () => keptHits.showMore());
  on(Command.searchRefresh, () => keptHits.asked && search.run(keptHits.asked));
  on(Command.searchClear, () => {
    search.stop();
    keptHits.clear();
  });
  onHit(Command.searchOpenHit, (hit) => open(hit));
  onHit(Command.searchOpenHitToSide, (hit) => open(hit, { viewColumn: ViewColumn.Beside }));
  on(Command.searchCopyPath, (value) => {
    const uri = uriIn(value);
    if (uri !== undefined) return env.clipboard.writeText(uri.scheme === 'file' ? uri.fsPath : uri.toString());
  });
  on(Command.searchDismissHit, (value) => {
    const row = rowOf(value, keptHits);
    if (row !== undefined && !isMore(row) && !isIndex(row)) keptHits.dismiss(isFile(row) ? row.hits : [row]);
  });
  return owned;
}

function uriIn(value: unknown): Uri | undefined {
  if (typeof value !== 'object' || value === null || !('uri' in value)) return undefined;
  return value.uri instanceof Uri ? value.uri : undefined;
}

/** A hit from the list, or one as other extensions get it, which has no best line. */
export function toHit(value: unknown): Hit | undefined {
  if (uriIn(value) === undefined) return undefined;
  const hit = value as SearchHit;
  const hasLines = typeof hit.startLine === 'number' && typeof hit.endLine === 'number';
  return hasLines ? { line: hit.startLine, lines: [], preview: '', isWeak: false, stems: [], ...hit } : undefined;
}

function rowOf(value: unknown, { files }: KeptHits): Row | undefined {
  return files.flatMap((file): Row[] => [file, ...file.hits]).find((row) => row === value);
}
