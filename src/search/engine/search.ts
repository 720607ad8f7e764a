import type { EmbeddingModel } from '../embedding/embeddingModel.ts';
import { findHolding, type Holding } from '../query/filter/findHolding.ts';
import { lettersOfRules, parseQuery } from '../query/filter/parseQuery.ts';
import { pathTestOf } from '../query/filter/pathFilter.ts';
import type { FarVectors } from '../query/findByMeaning.ts';
import type { Finder } from '../query/finder.ts';
import { mostAsked, type Query, type SearchAnswer } from '../query/query.ts';
import { readTerms } from '../query/queryTerms.ts';
import { type Ranked, rank } from '../query/ranking.ts';
import type { Store } from '../store/store.ts';
import type { WordCounts } from '../store/wordIndex.ts';
import { queryWords, wordProblem } from '../store/words.ts';
import type { TeamIndex } from '../team/teamIndex.ts';
import { sourceName } from '../types.ts';
import type { MeaningShare } from './meaningShare.ts';
import { modelInstead } from './modelInstead.ts';

/** Answers a question: applies its operators as filters and ranks the hits of both halves as one list. */
export type Search = (
  roots: readonly string[],
  query: Query,
  embeddingModel: EmbeddingModel | undefined,
  signal: AbortSignal,
) => Promise<SearchAnswer>;

/**
 * @param share the share of the files that meaning can find; an answer states it while it is below 1
 * @param team asked for what has no vector here
 * @param countsAhead how common words are where the index of this machine cannot tell yet
 */
export function createSearch(
  store: () => Store,
  finder: Finder,
  share: MeaningShare,
  team?: TeamIndex,
  countsAhead: (words: readonly string[]) => WordCounts | undefined = () => undefined,
): Search {
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
    const far = embeddingModel && farVectors(store, team, share, roots, embeddingModel, signal);
    const found =
      similarTo === undefined
        ? await finder.find(text, embeddingModel, files, signal, holding, far)
        : await finder.findSimilar(text, similarTo, embeddingModel, files, signal, far);
    const counts = countsAhead(queryWords(found.text)) ?? found.counts;
    const named = found.text === '' ? { ...found, text: lettersOfRules(rules) } : found;
    const ranked = rank({ ...named, counts }, store(), limit).map((each) => (isHeld ? asHeld(each, holding) : each));
    const hits = ranked.map(({ chunk: { id: _, ...chunk }, ...rest }) => ({ ...chunk, ...rest }));
    const indexed = embeddingModel !== undefined && found.by === 'both' ? share.of(embeddingModel).share : 1;
    const otherModel = embeddingModel && modelInstead(store(), embeddingModel);
    const stems = similarTo === undefined ? [...readTerms(named.text).words.keys()] : [];
    const looked = holding?.looked ?? 1;
    const leftOut = isFileName(asked.trim()) ? store().excludedNamed(roots, asked.trim()) : undefined;
    return {
      ...{ hits, by: found.by, stems },
      ...(found.fault === undefined ? {} : { fault: found.fault }),
      ...(otherModel === undefined || far?.asked?.hits ? {} : { otherModel }),
      ...(far?.asked === undefined ? {} : { team: far.asked }),
      ...(indexed < 1 ? { indexed } : {}),
      ...(looked < 1 ? { looked } : {}),
      ...(leftOut === undefined ? {} : { leftOut }),
      ...(words ? { words } : {}),
    };
  };
}

/** The vectors of a team, and what became of the question there; undefined where all texts have theirs here, or there is no team. */
function farVectors(
  store: () => Store,
  team: TeamIndex | undefined,
  share: MeaningShare,
  roots: readonly string[],
  model: EmbeddingModel,
  signal: AbortSignal,
): (FarVectors & { readonly asked: SearchAnswer['team'] }) | undefined {
  const source = sourceName(model);
  if (team === undefined || source === undefined || share.of(model).share === 1) return undefined;
  let asked: SearchAnswer['team'];
  return {
    async isThere() {
      const isThere = await team.isThere(roots, signal);
      const problem = team.problemIn(roots);
      if (!isThere && problem !== undefined) asked = { hits: 0, problem };
      return isThere;
    },
    async near(vector, limit, files) {
      const hits = await team.near({ store, source, roots, vector, limit, files, signal });
      // Of several folders, some may be found by the team index, and others not.
      const problem = team.problemIn(roots);
      if (team.isUsed) asked = { hits: hits?.length ?? 0, ...(problem !== undefined && { problem }) };
      return hits;
    },
    get asked() {
      return asked;
    },
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
