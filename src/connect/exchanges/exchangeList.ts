import type { ApiKey } from '../../service/apiKey.ts';

/** What was sent: a JSON text, or a form with a file, of which the content is not kept. */
export type SentBody =
  | { readonly kind: 'json'; readonly text: string }
  | {
      readonly kind: 'form';
      readonly fields: readonly (readonly [name: string, value: string])[];
      /** The field of the file, and the name by which the service is told of it. */
      readonly file: { readonly field: string; readonly name: string; readonly contentType: string };
    };

/** A request of this window and its answer, as far as it has come. */
export interface Exchange {
  readonly id: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly accept: string;
  /** The key that went along; its text is shown to nobody. */
  readonly key: ApiKey | undefined;
  readonly body: SentBody | undefined;
  /** The mark by which its caller finds it again. */
  readonly tag?: string | undefined;
  readonly state: 'running' | 'ended' | 'failed' | 'stopped';
  readonly status?: number | undefined;
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
  /** The answer as it came; cut at `longestKept`. */
  readonly answer: string;
  readonly isCut: boolean;
  /** Milliseconds from sending to the first byte of the answer, and to its end. */
  readonly firstByteMs?: number | undefined;
  readonly totalMs?: number | undefined;
  /** What went wrong with the connection: the code of an error. */
  readonly failure?: string | undefined;
}

/** The most exchanges that are kept. */
const mostExchanges = 100;
/** The longest answer that is kept, in characters; of a longer one, the beginning. */
export const longestKept = 256 * 1024;
/** The most characters that all bodies take together; of older exchanges the bodies go first. */
const longestTogether = 16 * 1024 * 1024;

/** The last exchanges of this window, in memory alone. */
export interface ExchangeList {
  /** The newest first. */
  readonly all: readonly Exchange[];
  find(id: number): Exchange | undefined;
  /** Adds one, and gives what changes it. */
  add(exchange: Omit<Exchange, 'id'>): (change: Partial<Exchange>) => void;
  /** Forgets all, those under way as well. */
  clear(): void;
}

/** @param onChange is called with the id of an exchange that was added or is another now */
export function createExchangeList(onChange: (id: number) => void = () => undefined): ExchangeList {
  let list: readonly Exchange[] = [];
  let lastId = 0;
  return {
    get all() {
      return list;
    },
    find: (id) => list.find((each) => each.id === id),
    add(exchange) {
      lastId++;
      const id = lastId;
      list = withinBounds([{ ...exchange, id }, ...list]);
      onChange(id);
      return (change) => {
        if (!list.some((each) => each.id === id)) return;
        list = withinBounds(list.map((each) => (each.id === id ? { ...each, ...change } : each)));
        onChange(id);
      };
    },
    clear() {
      list = [];
    },
  };
}

function withinBounds(exchanges: readonly Exchange[]): readonly Exchange[] {
  let size = 0;
  return exchanges.slice(0, mostExchanges).map((exchange) => {
    const own = exchange.answer.length + (exchange.body?.kind === 'json' ? exchange.body.text.length : 0);
    size += own;
    if (size <= longestTogether || own === 0) return exchange;
    const body = exchange.body?.kind === 'json' ? ({ kind: 'json', text: '' } as const) : exchange.body;
    return { ...exchange, body, answer: '', isCut: true };
  });
}
