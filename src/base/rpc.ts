import { type ErrorKind, errorKinds, ServiceError } from './errors.ts';

/** One end of a channel: a worker thread, or its parent port. */
export interface Port {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (message: unknown) => void): unknown;
}

/** The context that a handler is given beside its parameters. */
export interface CallContext {
  /** Fires when the caller cancels. */
  signal: AbortSignal;
  /** Tells the caller something before the result. */
  emit(event: unknown): void;
}
export type Handlers = Record<string, (params: never, context: CallContext) => unknown>;

/** The methods of the other end, each with the shapes it takes, tells and gives. */
export type Methods = Record<string, { params: unknown; event?: unknown; result: unknown }>;

export interface CallOptions<Event> {
  signal?: AbortSignal | undefined;
  onEvent?: ((event: Event) => void) | undefined;
}

export interface Rpc<M extends Methods> {
  /** Rejects with the handler's ServiceError, or an Error with its message; with `cancelled` when the signal fires. */
  call<K extends keyof M & string>(
    method: K,
    params: M[K]['params'],
    options?: CallOptions<M[K]['event']>,
  ): Promise<M[K]['result']>;
  /** Ends every open call with this error. */
  fail(error: Error): void;
}

type Message =
  | { type: 'call'; id: number; method: string; params: unknown }
  | { type: 'cancel'; id: number }
  | { type: 'event'; id: number; event: unknown }
  | { type: 'result'; id: number; result: unknown }
  | { type: 'error'; id: number; error: ErrorData };

/** An error as data: a class does not survive the way between threads. */
interface ErrorData {
  kind?: ErrorKind;
  name: string;
  message: string;
  details?: object;
}

/** Calls over a channel, in both directions, with cancellation. Both ends are this program: shapes are not checked. */
export function createRpc<M extends Methods>(port: Port, handlers: Handlers): Rpc<M> {
  const send = (message: Message): void => port.postMessage(message);
  const calls = createCalls(send);
  const runner = createRunner(handlers, send);

  port.on('message', (received) => {
    const message = received as Message;
    switch (message.type) {
      case 'call':
        void runner.run(message.id, message.method, message.params);
        break;
      case 'cancel':
        runner.cancel(message.id);
        break;
      case 'event':
        calls.get(message.id)?.onEvent?.(message.event);
        break;
      case 'result':
        calls.get(message.id)?.resolve(message.result);
        break;
      case 'error':
        calls.get(message.id)?.reject(fromData(message.error));
        break;
    }
  });

  return {
    call(method, params, options = {}) {
      const answer = calls.begin(method, params, options as CallOptions<unknown>);
      return answer as Promise<M[typeof method]['result']>;
    },
    fail(error) {
      calls.fail(error);
      runner.cancelAll();
    },
  };
}

interface OpenCall {
  resolve(result: unknown): void;
  reject(error: Error): void;
  onEvent: ((event: unknown) => void) | undefined;
}

/** The calls of this end that the other has not answered yet. */
function createCalls(send: (message: Message) => void) {
  const open = new Map<number, OpenCall>();
  let lastId = 0;
  return {
    get: (id: number): OpenCall | undefined => open.get(id),
    begin: (method: string, params: unknown, { signal, onEvent }: CallOptions<unknown>): Promise<unknown> =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(new ServiceError('cancelled'));
        const id = ++lastId;
        // The other end is told, and answers when it has finished: what it stored must be on the disk by then.
        const cancel = (): void => send({ type: 'cancel', id });
        const settle = (): void => {
          open.delete(id);
          signal?.removeEventListener('abort', cancel);
        };
        signal?.addEventListener('abort', cancel, { once: true });
        open.set(id, {
          onEvent,
          resolve: (result) => {
            settle();
            resolve(result);
          },
          reject: (error) => {
            settle();
            reject(error);
          },
        });
        try {
          send({ type: 'call', id, method, params });
        } catch (error) {
          // What cannot be cloned was not sent, and nobody will answer.
          settle();
          reject(error);
        }
      }),
    fail(error: Error): void {
      for (const call of [...open.values()]) call.reject(error);
    },
  };
}

/** Runs the calls that the other end makes of this one. */
function createRunner(handlers: Handlers, send: (message: Message) => void) {
  const running = new Map<number, AbortController>();
  return {
    async run(id: number, method: string, params: unknown): Promise<void> {
      const controller = new AbortController();
      running.set(id, controller);
      try {
        const handler = handlers[method];
        if (handler === undefined) throw new Error(`No handler for ${method}.`);
        const emit = (event: unknown): void => send({ type: 'event', id, event });
        send({ type: 'result', id, result: await handler(params as never, { signal: controller.signal, emit }) });
      } catch (error) {
        send({ type: 'error', id, error: toData(error) });
      } finally {
        running.delete(id);
      }
    },
    cancel: (id: number): void => running.get(id)?.abort(),
    cancelAll(): void {
      for (const controller of running.values()) controller.abort();
    },
  };
}

function toData(error: unknown): ErrorData {
  if (error instanceof ServiceError) {
    return { kind: error.kind, name: error.name, message: error.message, details: error.toJSON() };
  }
  if (error instanceof Error) return { name: error.name, message: error.message };
  return { name: 'Error', message: String(error) };
}

function fromData(data: ErrorData): Error {
  if (data.kind !== undefined && errorKinds.includes(data.kind))
    return new ServiceError(data.kind, { ...data.details });
  return Object.assign(new Error(data.message), { name: data.name });
}
