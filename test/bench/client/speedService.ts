import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

export interface SpeedService {
  /** Answers with the whole stream of tokens. */
  tokensUrl: string;
  /** Answers with headers and one event at once. */
  firstUrl: string;
  close(): Promise<unknown>;
}

export async function startSpeedService(): Promise<SpeedService> {
  const worker = new Worker(new URL('./speedServer.ts', import.meta.url));
  const [port] = (await once(worker, 'message')) as [number];
  const origin = `http://127.0.0.1:${port}`;
  return { tokensUrl: `${origin}/tokens/v1`, firstUrl: `${origin}/first/v1`, close: () => worker.terminate() };
}
