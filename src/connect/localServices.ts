import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { type ListedModel, readModelList } from '../service/models/models.ts';

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
  /** The models it offers; undefined when it wants a key first. */
  readonly models: readonly ListedModel[] | undefined;
}

/** How long a port may take to answer, in milliseconds. */
const defaultTimeoutMs = 300;

/**
 * Asks the ports of this machine, all at once, for the models behind them, without a key; names each service as soon as it
 * has answered. Ports that do not answer, or not with a list of models, are left out. Resolves when all are known.
 */
export async function findLocalServices(
  ports: readonly LocalPort[],
  found: (service: LocalService) => void,
  signal: AbortSignal,
  patience = defaultTimeoutMs,
): Promise<void> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(patience)]);
  const ask = async (local: LocalPort): Promise<void> => {
    try {
      // A program may listen on one of the two only.
      const models = await Promise.any(['127.0.0.1', '::1'].map((host) => listOpenModels(host, local.port, limited)));
      if (!signal.aborted) found({ ...local, baseUrl: `http://localhost:${local.port}/v1`, models });
    } catch {
      // Nothing listens there, or another program does.
    }
  };
  await Promise.all(ports.map(ask));
}

/** The models behind a port, or undefined where a key is wanted; throws when the answer is neither. */
async function listOpenModels(host: string, port: number, signal: AbortSignal): Promise<LocalService['models']> {
  // The request goes by Node's own client without an agent: no proxy, no retry, and no connection that outlives the answer.
  const asked = request({
    host,
    port,
    path: '/v1/models',
    agent: false,
    signal,
    headers: { accept: 'application/json' },
  });
  // Errors are told by the promises below; this event may come once more after them.
  asked.on('error', () => {});
  asked.end();
  const [answer] = (await once(asked, 'response', { signal })) as [IncomingMessage];
  const { statusCode: status = 0, headers } = answer;
  const contentType = headers['content-type'];
  const response = { status, headers: { 'content-type': contentType }, body: answer, url: `http://${host}:${port}` };
  const models = await readModelList(response, undefined).catch(() => undefined);
  if (status === 401) return undefined;
  if (status !== 200 || models === undefined) throw new Error('No list of models.');
  return models;
}
