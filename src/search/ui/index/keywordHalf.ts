import { ServiceError } from '../../../base/errors.ts';
import { window } from '../../../editor/text/window.ts';
import { View } from '../../../ids/ids.ts';
import type { IndexProgress, VectorSource } from '../../types.ts';
import type { SearchClient } from '../../worker/searchClient.ts';
import type { IndexPhase } from '../shared/state.ts';
import { indexScope } from './indexScope.ts';

/** The half of the index that finds by keywords. It is brought up to date once a session, which sends nothing. */
export interface KeywordHalf {
  /** Updates it, or joins the update of this session. */
  prepare(): Promise<void>;
  /** Records that it was updated by other means than `prepare`. */
  markPrepared(): void;
  /** The next `prepare` updates it again. */
  forget(): void;
}

/** The index as its keyword half needs it. */
interface IndexOfKeywords {
  /** Where the update shows. */
  setPhase(phase: IndexPhase): void;
  refresh(): Promise<void>;
  /** The model whose known vectors are taken in as well, which sends nothing; undefined where those are in the index already. */
  knownSource(): Promise<VectorSource | undefined>;
}

export function createKeywordHalf(client: SearchClient, index: IndexOfKeywords): KeywordHalf {
  let prepared: Promise<void> | undefined;

  async function readFiles(): Promise<void> {
    let failure: ServiceError | undefined;
    try {
      index.setPhase({ kind: 'reading' });
      const onEvent = (progress: IndexProgress): void => index.setPhase({ kind: 'reading', progress });
      const source = await index.knownSource();
      await window.withProgress(
        { location: { viewId: View.search } },
        async (): Promise<unknown> =>
          source === undefined
            ? client.index(indexScope(), undefined, { onEvent })
            : client.plan(indexScope(), source, { onEvent }),
      );
      await index.refresh();
    } catch (error) {
      prepared = undefined;
      // The index can still be searched, though nothing new is stored.
      if (!(error instanceof ServiceError && error.kind === 'storage') || error.hint === 'damaged') throw error;
      failure = error;
      await index.refresh();
    } finally {
      index.setPhase(failure === undefined ? { kind: 'idle' } : { kind: 'failed', error: failure });
    }
  }

  return {
    prepare: () => {
      prepared ??= readFiles();
      return prepared;
    },
    markPrepared: () => {
      prepared = Promise.resolve();
    },
    forget: () => {
      prepared = undefined;
    },
  };
}
