import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { checkKey, DEFAULT_KEY } from './auth.ts';
import { createFaultPicker, faultOfModel, playFault } from './faults.ts';
import { readOperation } from './operations.ts';
import type { Exchange, RecordedRequest, ReferenceService, ReferenceServiceOptions, Settings } from './options.ts';
import { Refusal, sendRefusal } from './replies.ts';
import { loadTranslations } from './translations.ts';

/** Starts the test double on 127.0.0.1. See README.md. */
export async function createReferenceService(options: ReferenceServiceOptions = {}): Promise<ReferenceService> {
  const settings = readSettings(options);
  const requests: RecordedRequest[] = [];
  const waiting = new Set<() => void>();
  const notify = () => {
    for (const look of [...waiting]) look();
  };
  const pickFault = createFaultPicker();
  let everyFault: string | undefined;
  let released = new AbortController();

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const exchange = openExchange(request, response, settings, notify);
    requests.push(exchange.record);
    if (settings.audioServer !== 'openai') response.setHeader('server', settings.audioServer);
    for (const [name, value] of Object.entries(settings.headers)) response.setHeader(name, value);
    notify();
    try {
      exchange.body = await readBody(exchange);
      checkKey(request, settings.key);
      const operation = readOperation(exchange);
      notify();
      const header = request.headers['x-parley-fault'];
      const name = (typeof header === 'string' ? header : undefined) ?? everyFault ?? faultOfModel(operation.model);
      exchange.fault = pickFault(name, exchange.record.path);
      if (exchange.fault !== undefined) exchange.record.fault = exchange.fault;
      notify();
      exchange.released = released.signal;
      if (!(await playFault(exchange))) await operation.run();
    } catch (error) {
      if (exchange.gone.aborted) return;
      const refusal = error instanceof Refusal ? error : new Refusal(500, String(error), { type: 'server_error' });
      sendRefusal(exchange, refusal);
    }
    notify();
  };

  const server = options.tls ? createHttpsServer(options.tls, answer) : createHttpServer(answer);
  // Longer than any client keeps an idle connection: none is closed here while a request is on its way to it.
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(settings.port, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const origin = `${options.tls ? 'https' : 'http'}://127.0.0.1:${port}`;
  const baseUrl = origin + settings.basePath;
  return {
    url: baseUrl,
    baseUrl,
    origin,
    port,
    requests,
    waitForRequest: (predicate) =>
      new Promise((resolve) => {
        const look = () => {
          const found = requests.find(predicate);
          if (!found) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
    setFault: (name) => {
      everyFault = name;
    },
    setRelease: (name) => {
      settings.release = name;
    },
    release: () => {
      released.abort();
      released = new AbortController();
    },
    connections: () => promisify(server.getConnections.bind(server))(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function readSettings(options: ReferenceServiceOptions): Settings {
  // Bundled into one file, this code does not know where it came from: then there is no table to find.
  const here: string | undefined = import.meta.dirname;
  const table = options.translationsFile ?? (here && join(here, '../fixtures/translations.json'));
  return {
    key: options.key === undefined ? DEFAULT_KEY : options.key,
    basePath: options.basePath ?? '/openai/v1',
    port: options.port ?? 0,
    models: options.models ?? true,
    tokenDelayMs: options.tokenDelayMs ?? 0,
    tokensPerSecond: options.tokensPerSecond,
    usageOnFinish: options.usageOnFinish ?? false,
    refusedFields: options.refusedFields ?? [],
    refusalForm: options.refusalForm ?? 'param',
    thoughts: options.thoughts,
    thoughtsByCall: new Map(),
    release: '',
    tokenizer: options.tokenizer,
    answer: options.answer,
    likely: options.likely ?? {},
    headers: options.headers ?? {},
    listed: options.listed ?? [],
    fileField: options.fileField ?? 'file',
    transcriptions: options.transcriptions ?? false,
    audioServer: options.audioServer ?? 'openai',
    maxUploadBytes: options.maxUploadBytes ?? 25 * 1024 * 1024,
    translations: new Map([...loadTranslations(table), ...(options.translations ?? [])]),
    redirectTo: options.redirectTo ?? 'http://127.0.0.1:9/elsewhere',
    slowFirstByteMs: options.slowFirstByteMs,
  };
}

function openExchange(
  request: IncomingMessage,
  response: ServerResponse,
  settings: Settings,
  notify: () => void,
): Exchange {
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const record: RecordedRequest = {
    method: request.method ?? '',
    path: request.url ?? '',
    headers,
    body: undefined,
    bytes: 0,
    aborted: false,
    finished: false,
    at: Date.now(),
  };
  const gone = new AbortController();
  response.on('close', () => {
    // `finished` is already set where the service itself cut the connection.
    record.aborted = !record.finished && !response.writableFinished;
    record.finished = true;
    if (!response.writableFinished) gone.abort();
    notify();
  });
  const released = AbortSignal.abort();
  return { request, response, record, settings, body: Buffer.alloc(0), gone: gone.signal, released, fault: undefined };
}

async function readBody({ request, record }: Exchange): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    record.bytes += chunk.length;
  }
  return Buffer.concat(chunks);
}
