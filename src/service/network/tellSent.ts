import { isConnectFailure } from '../errors/networkError.ts';
import { ConnectFailure } from './connector.ts';
import type { NetworkPath } from './networkPath.ts';

/** Tells of each request that left this machine, or may have: of all but those for which there was no connection. */
export function tellSent(path: NetworkPath, onSent: () => void): NetworkPath {
  return {
    async exchange(...asked) {
      try {
        const answer = await path.exchange(...asked);
        onSent();
        return answer;
      } catch (error) {
        if (!(error instanceof ConnectFailure) && !isConnectFailure(error)) onSent();
        throw error;
      }
    },
    close: () => path.close(),
  };
}
