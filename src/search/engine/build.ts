import { relativePath } from '../../base/paths.ts';
import { createTaskQueue } from '../../base/taskQueue.ts';
import type { Scope } from '../../workspace/fileFilter.ts';
import type { EmbeddingModel } from '../embedding/embeddingModel.ts';
import type { Missing } from '../embedding/embedMissing.ts';
import type { VectorCache } from '../embedding/vectorCache.ts';
import type { HasVector } from '../indexing/examiner.ts';
import { scanAll, scanSome } from '../indexing/scan.ts';
import type { Store } from '../store/store.ts';
import { whenFree } from '../store/transaction.ts';
import type { TeamIndex } from '../team/teamIndex.ts';
import { type IndexProgress, sourceName, spaceKey, type VectorSource } from '../types.ts';
import type { IndexResult, Plan, TeamExchange } from './engineApi.ts';
import type { MeaningShare, Share } from './meaningShare.ts';
import { modelInstead } from './modelInstead.ts';
import { statusOf } from './status.ts';
import type { StoreLifecycle } from './storeLifecycle.ts';

type Report = (progress: IndexProgress) => void;

/** Brings an index up to date. */
export interface Builder {
  /** Updates the keyword half, which sends nothing, and returns what the vector half would send. */
  plan(scope: Scope, source: VectorSource | undefined, signal: AbortSignal, report: Report): Promise<Plan>;
  /** Updates the index; without `embeddingModel`, the keyword half alone. Answers received before an error are kept. */
  index(
    scope: Scope,
    embeddingModel: EmbeddingModel | undefined,
    signal: AbortSignal,
    report: Report,
  ): Promise<IndexResult>;
  /**
   * Updates some files (absolute paths): changed, new or deleted.
   * @param again those of them whose texts are sent even where the file has not changed since: the last try failed
   */
  update(
    scope: Scope,
    files: readonly string[],
    embeddingModel: EmbeddingModel | undefined,
    signal: AbortSignal,
    report: Report,
    again?: readonly string[],
  ): Promise<IndexResult>;
}

/** Changes of the file tables are queued one after another; embedding requests are awaited outside that queue. */
export function createBuilder(
  { store, checkWritable }: StoreLifecycle,
  share: MeaningShare,
  { takeKnown, embedMissing }: Missing,
  cache: VectorCache | undefined,
  team?: TeamIndex,
): Builder {
  const changing = createTaskQueue();

  /** Queues a change of the file tables. It must not wait for a request. */
  function change<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    return changing(() => {
      checkWritable();
      return share.changed(work);
    }, signal);
  }
  const scan = (scope: Scope, signal: AbortSignal, report: Report): Promise<void> =>
    change(signal, () => scanAll(store(), scope, signal, report, vectorTest(store, cache)));

  /** Takes from the team, or gives to it. A source without an origin is known to nobody else. */
  async function exchange(
    way: 'take' | 'give',
    source: VectorSource,
    signal: AbortSignal,
    files?: readonly number[],
  ): Promise<number> {
    const name = sourceName(source);
    if (team === undefined || name === undefined) return 0;
    const space = await whenFree(() => store().space(spaceKey(source)), signal);
    const work = (): Promise<number> => team[way]({ store, space, source: name, files, signal });
    return way === 'take' ? share.changed(work) : work();
  }
  function exchanged(taken: number, given: number): { team?: TeamExchange } {
    if (team?.isUsed !== true) return {};
    const problem = team.problemIn(store().roots());
    return { team: { taken, given, ...(problem && { problem }) } };
  }

  async function embed(
    embeddingModel: EmbeddingModel | undefined,
    signal: AbortSignal,
    report: Report,
    only?: readonly number[],
  ): Promise<IndexResult> {
    if (embeddingModel === undefined) return { ...held(store()), embedded: 0, reused: 0 };
    const taken = await exchange('take', embeddingModel, signal, only);
    const embedded = await share.changed(() => embedMissing(embeddingModel, signal, report, only));
    const given = await exchange('give', embeddingModel, signal, only);
    const now = held(store());
    const space = store().knownSpace(spaceKey(embeddingModel));
    const refused = space === undefined ? 0 : store().refusedTexts(space);
    const reused = Math.max(0, now.chunks - embedded - refused);
    return { ...now, embedded, reused, ...(refused > 0 && { refused }), ...exchanged(taken, given) };
  }

  return {
    async plan(scope, source, signal, report) {
      await scan(scope, signal, report);
      if (source === undefined) {
        return { ...statusOf(store(), share), pending: { files: 0, chunks: 0, tokens: 0 }, known: 0 };
      }
      await share.changed(() => takeKnown(source, signal));
      const taken = await exchange('take', source, signal);
      const space = await whenFree(() => store().space(spaceKey(source)), signal);
      // The status comes first: it opens the vector files and detects lost vectors.
      const status = statusOf(store(), share, source);
      const pending = store().amountWithout(space);
      const known = store().texts() - pending.chunks;
      return { ...status, pending, known, space, isAnew: store().isFullerElsewhere(space), ...exchanged(taken, 0) };
    },
    async index(scope, embeddingModel, signal, report) {
      await scan(scope, signal, report);
      return embed(embeddingModel, signal, report);
    },
    async update(scope, files, embeddingModel, signal, report, again = []) {
      let before: Share | undefined;
      const news = await change(signal, () => {
        before = share.kept();
        return scanSome(store(), scope, files, signal, vectorTest(store, cache));
      });
      const ids = [...new Set([...news, ...idsOf(store(), scope, again)])];
      const since = share.changes();
      // Another model was chosen: a save does not begin an index of it, which the user is asked about.
      const isOfOther = embeddingModel !== undefined && modelInstead(store(), embeddingModel) !== undefined;
      const result = await embed(isOfOther ? undefined : embeddingModel, signal, report, ids);
      const isAlone = share.changes() === since + (embeddingModel === undefined || isOfOther ? 0 : 1);
      const wasWhole = before?.share === 1 && embeddingModel !== undefined && before.key === spaceKey(embeddingModel);
      // An index that was complete, and got nothing without a vector, need not be counted again.
      if (before !== undefined && isAlone && wasWhole && isWhole(store(), before.key, ids)) share.keep(before);
      return result;
    },
  };
}

/** The counts of an index and of the files left out, as the result of a run. */
function held(store: Store): Pick<IndexResult, 'files' | 'chunks' | 'skipped'> {
  const { files, chunks } = store.counts();
  const skipped = Object.values(store.excluded()).reduce((sum, count) => sum + count, 0);
  return { files, chunks, skipped };
}

/** The files of an index by their absolute paths; what is none is left out. */
function idsOf(store: Store, { roots }: Scope, files: readonly string[]): number[] {
  return roots.flatMap((root) =>
    files.flatMap((file) => {
      const path = relativePath(root, file);
      return (path === undefined ? undefined : store.fileId(root, path)) ?? [];
    }),
  );
}

/** A test for whether a text has a vector; undefined while there are no vectors at all. */
function vectorTest(store: () => Store, cache: VectorCache | undefined): HasVector | undefined {
  if (!store().hasVectors() && !cache?.hasAny()) return undefined;
  return (hash) => store().hasVector(hash) || cache?.has(hash) === true;
}

/** Whether all texts of these files have their vector. */
function isWhole(store: Store, key: string, files: readonly number[]): boolean {
  const space = store.knownSpace(key);
  return space !== undefined && store.amountWithout(space, files).chunks === 0;
}
