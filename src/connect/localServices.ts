import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { type ListedModel, readModels } from '../service/models.ts';
import { readText } from '../service/transport.ts';

/** A port of this machine, and the program that usually listens there. */
export interface LocalPort {
  readonly port: number;
  readonly program: string;
}

export const usualPorts: readonly LocalPort[] = [
  { port: 11434, program: 'Ollama' },
  { port: 1234, program: 'LM Studio' },
  { port: 8080, program: 'llama.cpp' },
  { port: 8000, program: 'vLLM' },
];

export interface LocalService extends LocalPort {
  readonly baseUrl: string;
  /** What it offers; undefined when it wants a key first. */
  readonly models: readonly ListedModel[] | undefined;
}

/** How long a port may take to answer, in milliseconds. */
const defaultPatience = 300;

/**
 * Asks the ports of this machine, all at once, for the models behind them, without a key; names each service as soon as it
 * has answered. What does not answer, or not with a list of models, is left out. Resolves when all is known.
 */
export async function findLocalServices(
  ports: readonly LocalPort[],
  found: (service: LocalService) => void,
  signal: AbortSignal,
  patience = defaultPatience,
): Promise<void> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(patience)]);
  const ask = async (local: LocalPort): Promise<void> => {
    try {
      // A program may listen on one of the two only.
      const models = await Promise.any(['127.0.0.1', '::1'].map((host) => listOpenModels(host, local.port, limited)));
      if (!signal.aborted) found({ ...local, baseUrl: `http://localhost:${local.port}/v1`, models });
    } catch {
      // Nobody there, or somebody else.
    }
  };
  await Promise.all(ports.map(ask));
}

/** The models behind a port, or undefined where a key is wanted; throws when the answer is neither. */
async function listOpenModels(host: string, port: number, signal: AbortSignal): Promise<LocalService['models']> {
  // Node's own client without an agent: no proxy, no retry, and no connection that outlives the answer.
  const asked = request({
    host,
    port,
    path: '/v1/models',
    agent: false,
    signal,
    headers: { accept: 'application/json' },
  });
  // Whatever is wrong is told by the promises below; this may come once more after them.
  asked.on('error', () => {});
  asked.end();
  const [answer] = (await once(asked, 'response', { signal })) as [IncomingMessage];
  const text = await readText(answer, 4 * 1024 * 1024);
  if (answer.statusCode === 401) return undefined;
  const models = answer.statusCode === 200 ? readModels(JSON.parse(text)) : undefined;
  if (models === undefined) throw new Error('No list of models.');
  return models;
}
