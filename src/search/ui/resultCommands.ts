import { type Disposable, env, l10n, Uri, ViewColumn, window } from 'vscode';
import type { SearchHit } from '../../editor/api.ts';
import { registerCommand } from '../../editor/commands.ts';
import { Disposables } from '../../editor/disposables.ts';
import type { Notices } from '../../editor/notices.ts';
import { Command, type CommandId, View } from '../../ids.ts';
import type { Asked, Found } from './found.ts';
import type { HitMarks } from './marks.ts';
import { isFile, type ResultsView, type Row } from './results.ts';
import type { Answer, Hit } from './search.ts';

/** Keeps an answer in the results view and moves the focus there. */
export type KeepResults = (asked: Asked, answer: Answer) => Promise<void>;
export type OpenHit = (hit: Hit, how?: Parameters<HitMarks['open']>[1]) => Promise<void>;

export function createKeepResults(found: Found, results: ResultsView): KeepResults {
  return async (asked, answer) => {
    found.keep(asked, answer);
    await results.focus();
  };
}

/** Opens a hit; of a file that is gone, it is said, with what helps. */
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

/** Searches and keeps what it finds; a search that is still running gives way. */
export interface ResultSearch extends Disposable {
  run(asked: Asked): Promise<void>;
  stop(): void;
}

export function createResultSearch(found: Found): ResultSearch {
  let running: AbortController | undefined;
  const stop = (): void => running?.abort();
  return {
    async run(asked) {
      stop();
      const controller = new AbortController();
      running = controller;
      await window.withProgress({ location: { viewId: View.search } }, async () => {
        const answer = await asked.search(asked.filters, controller.signal);
        if (!controller.signal.aborted) found.keep(asked, answer);
      });
    },
    stop,
    dispose: stop,
  };
}

/** The commands on the results: from hit to hit, on one of them, and the same search again. */
export function registerResultCommands(
  notices: Notices,
  found: Found,
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
    const hit = found.step(by);
    // At once, so that a file that is gone does not hold up the way to the next hit.
    if (hit !== undefined) await open(found.setCurrent(hit));
  };

  on(Command.searchNextHit, step(1));
  on(Command.searchPreviousHit, step(-1));
  on(Command.searchRefresh, () => found.asked && search.run(found.asked));
  on(Command.searchClear, () => {
    search.stop();
    found.clear();
  });
  onHit(Command.searchOpenHit, (hit) => open(hit));
  onHit(Command.searchOpenHitToSide, (hit) => open(hit, { viewColumn: ViewColumn.Beside }));
  on(Command.searchCopyPath, (value) => {
    const uri = uriIn(value);
    if (uri !== undefined) return env.clipboard.writeText(uri.scheme === 'file' ? uri.fsPath : uri.toString());
  });
  on(Command.searchDismissHit, (value) => {
    const row = rowOf(value, found);
    if (row !== undefined) found.dismiss(isFile(row) ? row.hits : [row]);
  });
  return owned;
}

function uriIn(value: unknown): Uri | undefined {
  if (typeof value !== 'object' || value === null || !('uri' in value)) return undefined;
  return value.uri instanceof Uri ? value.uri : undefined;
}

/** A hit of the list, or one as other extensions get it, which has no line that shows best why. */
export function toHit(value: unknown): Hit | undefined {
  if (uriIn(value) === undefined) return undefined;
  const hit = value as SearchHit;
  const hasLines = typeof hit.startLine === 'number' && typeof hit.endLine === 'number';
  return hasLines ? { line: hit.startLine, preview: '', ...hit } : undefined;
}

function rowOf(value: unknown, { files }: Found): Row | undefined {
  return files.flatMap((file): Row[] => [file, ...file.hits]).find((row) => row === value);
}
