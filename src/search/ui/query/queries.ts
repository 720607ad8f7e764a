import type { Disposable, Memento } from 'vscode';
import { registerCommand } from '../../../editor/commands.ts';
import { Disposables } from '../../../editor/disposables.ts';
import type { Services } from '../../../editor/services.ts';
import { Command } from '../../../ids/ids.ts';
import { queryLimit } from '../../query/query.ts';
import { queryOf, search } from '../index/runSearch.ts';
import type { SearchIndex } from '../index/searchIndex.ts';
import type { Asked, KeptHits } from '../results/keptHits.ts';
import type { OpenHit, ResultSearch } from '../results/resultCommands.ts';
import { noFilters } from '../shared/filters.ts';
import { type ChosenFilters, pickFilters } from './pickFilters.ts';
import { pickPastSearch } from './pickPastSearch.ts';
import { showQuery } from './queryCommand.ts';
import type { QueryList } from './queryList.ts';
import { createSearchHistory, type PastSearch } from './searchHistory.ts';

/** The search UI: the list, its filters, and their history. */
export interface Queries extends Disposable {
  /** Opens the list. */
  show(): void;
}

interface Results {
  readonly keptHits: KeptHits;
  readonly search: ResultSearch;
  readonly open: OpenHit;
}

export function createQueries(services: Services, index: SearchIndex, results: Results, memory: Memento): Queries {
  const owned = new Disposables();
  const { notices } = services;
  const { keptHits } = results;
  const history = createSearchHistory(memory);
  /** Filters for the next search: the last chosen ones, until they or the results are cleared. */
  let filters = noFilters;
  let list: QueryList | undefined;

  const askedOf = ({ text, filters: narrowed }: PastSearch): Asked => ({
    text,
    filters: narrowed,
    search: (next, signal) => search(index, queryOf(text, next, queryLimit), signal),
  });

  function remember(past: PastSearch): void {
    filters = past.filters;
    void history.add(past);
  }

  function show(text = ''): void {
    const start = { text, filters, history: history.entries() };
    list = showQuery(services, index, start, {
      open: (hit, past) => {
        remember(past);
        return results.open(hit);
      },
      peek: (hit) => results.open(hit, { preserveFocus: true }),
      keep: async (past, answer) => {
        remember(past);
        await results.search.keep(askedOf(past), answer);
      },
      filter: async (past) => {
        const chosen = await pickFilters(past.filters);
        filters = chosen?.filters ?? past.filters;
        show(withTyped(past.text, chosen?.typed));
      },
    });
  }

  async function narrow(next: PastSearch['filters'] | undefined): Promise<void> {
    if (next === undefined) return;
    filters = next;
    if (keptHits.asked === undefined) show();
    else await results.search.run({ ...keptHits.asked, filters });
  }

  async function narrowBy(chosen: ChosenFilters | undefined): Promise<void> {
    if (chosen?.typed === undefined) return narrow(chosen?.filters);
    // An operator belongs to the question, which goes on in the list.
    filters = chosen.filters;
    show(withTyped(history.entries()[0]?.text ?? '', chosen.typed));
  }

  owned.add(
    registerCommand(Command.searchFilter, notices, async () =>
      list?.isOpen ? list.filter() : narrowBy(await pickFilters(keptHits.asked?.filters ?? filters)),
    ),
  );
  owned.add(registerCommand(Command.searchClearFilters, notices, () => narrow(noFilters)));
  owned.add(
    registerCommand(Command.searchHistory, notices, async () => {
      const past = await pickPastSearch(history);
      if (past === undefined) return;
      remember(past);
      await results.search.run(askedOf(past));
    }),
  );
  owned.add(registerCommand(Command.searchPeekHit, notices, () => list?.peek()));
  owned.add(registerCommand(Command.searchKeepHits, notices, () => list?.keep()));
  owned.add(
    keptHits.onDidChange(() => {
      if (keptHits.asked === undefined) filters = noFilters;
    }),
  );
  return { show: () => show(), dispose: () => owned.dispose() };
}

/** A question with an operator behind it. */
const withTyped = (text: string, typed: string | undefined): string => [text, typed].filter(Boolean).join(' ');
