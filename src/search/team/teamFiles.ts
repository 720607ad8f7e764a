import type { Store } from '../store/store.ts';
import type { PublishProgress } from '../types.ts';
import type { IndexStoreReason } from './indexStoreError.ts';
import { publishFiles } from './publishFiles.ts';
import type { TeamConnection } from './teamConnection.ts';
import type { PublishedCounts, PublishResult } from './teamStore.ts';

/** Stores the files of an index for a team, so that those without vectors of their own find their texts by meaning. */
export interface TeamFiles {
  /** Brings what is stored of each root to the index on this machine. @throws ServiceError `cancelled` */
  publish(request: PublishRequest): Promise<PublishResult>;
}

interface PublishRequest {
  readonly store: () => Store;
  readonly roots: readonly string[];
  readonly withTexts: boolean;
  readonly signal: AbortSignal;
  readonly report: (progress: PublishProgress) => void;
}

export function createTeamFiles(connection: TeamConnection): TeamFiles {
  return {
    async publish({ store, roots, withTexts, signal, report }) {
      const counts = { stored: 0, forgotten: 0, refused: 0 };
      const ofFiles = roots.reduce((sum, root) => sum + store().countsOf(root).files, 0);
      let files = 0;
      const onDone = (more: Partial<PublishedCounts>, read: number): void => {
        counts.stored += more.stored ?? 0;
        counts.forgotten += more.forgotten ?? 0;
        counts.refused += more.refused ?? 0;
        files += read;
        report({ files, ofFiles });
      };
      let problem: IndexStoreReason | undefined;
      for (const root of roots) {
        await connection.use(root, signal, (team) => publishFiles(team, { store, root, withTexts, signal, onDone }));
        const own = connection.problemIn([root]);
        problem = own ?? problem;
        // The repository of another folder may be one that this user writes to.
        if (own !== undefined && own !== 'no-rights') break;
      }
      return problem === undefined ? counts : { ...counts, problem };
    },
  };
}
