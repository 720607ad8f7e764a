import { createTeamConnection, type OpenStore, type TeamState } from './teamConnection.ts';
import { createTeamFiles, type TeamFiles } from './teamFiles.ts';
import { createTeamHits, type TeamHits } from './teamHits.ts';
import { createTeamVectors, type TeamVectors } from './teamVectors.ts';

/** The index of a team beside the one on this machine, which does without it: a store that cannot be reached fails nothing. */
export interface TeamIndex extends TeamVectors, TeamHits, TeamFiles, TeamState {
  close(): Promise<void>;
}

/** @param open opens the store of the team, at the first use and after a failure; undefined where there is none */
export function createTeamIndex(open: OpenStore, now?: () => number): TeamIndex {
  const connection = createTeamConnection(open, now);
  return {
    ...createTeamVectors(connection),
    ...createTeamHits(connection),
    ...createTeamFiles(connection),
    get isUsed() {
      return connection.isUsed;
    },
    problemIn: connection.problemIn,
    close: connection.close,
  };
}
