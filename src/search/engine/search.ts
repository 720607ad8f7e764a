import type { EmbeddingModel } from '../embedding/embeddingModel.ts';
import { findHolding, type Holding } from '../query/filter/findHolding.ts';
import { lettersOfRules, parseQuery } from '../query/filter/parseQuery.ts';
import { pathTestOf } from '../query/filter/pathFilter.ts';
import type { Finder } from '../query/finder.ts';
import { mostAsked, type Query, type SearchAnswer } from '../query/query.ts';
import { readTerms } from '../query/queryTerms.ts';
import { type Ranked, rank } from '../query/ranking.ts';
import type { Store } from '../store/store.ts';
import { wordProblem } from '../store/words.ts';
import type { MeaningShare } from './meaningShare.ts';
import { modelInstead } from './modelInstead.ts';

/** Answers a question: applies its operators as filters and ranks the hits of both halves as one list. */
export type Search = (
  roots: readonly string[],
  query: Query,
  embeddingModel: EmbeddingModel | undefined,
  signal: AbortSignal,
) => Promise<SearchAnswer>;

/** @param share the share of the files that meaning can find; an answer states it while it is below 1 */
export function createSearch(store: () => Store, finder: Finder, share: MeaningShare): Search {
  return async (roots, { text: asked, limit, similarTo, ...given }, embeddingModel, signal) => {
    const {
      text,
      filters,
      rules = [],
    } = similarTo === undefined ? parseQuery(asked.slice(0, mostAsked)) : { text: asked, filters: { globs: [] } };
    const isHeld = rules.some(({ isNegative }) => !isNegative);
    const words = similarTo === undefined && !isHeld ? wordProblem(text) : undefined;
    if (words === 'none') return { hits: [], by: 'keywords', words };
    // Operators narrow what was given, and their globs go by the same folders.
    const both = [given, { ...filters, within: given.within }];
    const files = store().filesMatching(roots, await pathTestOf(roots, both, signal));
    const holding = rules.length === 0 ? undefined : await findHolding(store(), rules, files, signal);
    const found =
      similarTo === undefined
        ? await finder.find(text, embeddingModel, files, signal, holding)
        : await finder.findSimilar(text, similarTo, embeddingModel, files, signal);
    const named = found.text === '' ? { ...found, text: lettersOfRules(rules) } : found;
    const ranked = rank(named, store(), limit).map((each) => (isHeld ? asHeld(each, holding) : each));
    const hits = ranked.map(({ chunk: { id: _, ...chunk }, ...rest }) => ({ ...chunk, ...rest }));
    const indexed = embeddingModel !== undefined && found.by === 'both' ? share.of(embeddingModel).share : 1;
    const otherModel = embeddingModel && modelInstead(store(), embeddingModel);
    const stems = similarTo === undefined ? [...readTerms(named.text).words.keys()] : [];
    const looked = holding?.looked ?? 1;
    const leftOut = isFileName(asked.trim()) ? store().excludedNamed(roots, asked.trim()) : undefined;
    return {
      ...{ hits, by: found.by, stems },
      ...(found.fault === undefined ? {} : { fault: found.fault }),
      ...(otherModel === undefined ? {} : { otherModel }),
      ...(indexed < 1 ? { indexed } : {}),
      ...(looked < 1 ? { looked } : {}),
      ...(leftOut === undefined ? {} : { leftOut }),
      ...(words ? { words } : {}),
    };
  };
}

/** Whether a question is nothing but the name of a file: `longline.js`, `dist/app.js`. */
function isFileName(question: string): boolean {
  return question.length < 300 && /^[^\s"*?]*[^\s"*?./][^\s"*?/]*\.[\p{L}\p{N}]{1,15}$/u.test(question);
}

/** A hit that holds what it has to: the lines that show it are those where that begins. */
function asHeld(hit: Ranked, holding: Holding | undefined): Ranked {
  const { chunk } = hit;
  const lines = holding?.linesIn(chunk.text).map((line) => Math.min(chunk.startLine + line, chunk.endLine)) ?? [];
  const [line] = lines;
  if (line === undefined) return { ...hit, isWeak: false };
  const preview = (chunk.text.split('\n')[line - chunk.startLine] ?? '').trim().slice(0, 200);
  return { ...hit, isWeak: false, line, preview, lines: [...new Set(lines)].sort((a, b) => a - b) };
}
