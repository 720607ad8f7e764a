import { isLoopback, originOf } from '../endpoint.ts';
import { isConnectFailure } from '../errors/networkError.ts';
import { ConnectFailure } from './connector.ts';
import type { NetworkPath } from './networkPath.ts';

/**
 * Takes the direct way, and where no connection can be made the editor's, once: nothing was sent yet. An origin
 * that the editor's way reached is asked by it from then on, until that fails as well.
 */
export function createPathChoice(
  direct: NetworkPath,
  editor: NetworkPath,
  onSwitch: (origin: string) => void,
): NetworkPath {
  const byEditor = new Set<string>();
  return {
    async exchange(request, signal, onBytes) {
      const origin = originOf(request.url);
      if (byEditor.has(origin)) {
        try {
          return await editor.exchange(request, signal, onBytes);
        } catch (error) {
          if (!signal.aborted) byEditor.delete(origin);
          throw error;
        }
      }
      try {
        return await direct.exchange(request, signal, onBytes);
      } catch (error) {
        if (!(error instanceof ConnectFailure) || signal.aborted || isLoopback(origin)) throw error;
        const answer = await editor.exchange(request, signal, onBytes).catch((failed: unknown) => {
          // Where neither has a connection, the direct way's error is the better explanation. Any other of the editor's way may
          // have come after the request was sent, which must not be sent again.
          throw isConnectFailure(failed) ? error : failed;
        });
        byEditor.add(origin);
        onSwitch(origin);
        return answer;
      }
    },
    close: async () => {
      await Promise.all([direct.close(), editor.close()]);
    },
  };
}
