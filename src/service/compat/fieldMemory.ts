/**
 * How a field is sent to a service that refused it once: not at all, or under another name. Where only a value was refused,
 * `field` is `response_format=verbose_json`.
 */
export type Adjustment = { field: string; renamedTo?: string };

/** The known batch size of embeddings requests: a number of texts that was taken, and the least that was refused. */
export interface BatchSize {
  taken: number;
  refused?: number;
}

/**
 * Memory of what services refused, by origin and model, so that they are asked only once. Kept for as long as `store`
 * keeps it.
 */
export interface FieldMemory {
  adjustments(baseUrl: string, model: string): readonly Adjustment[];
  add(baseUrl: string, model: string, adjustment: Adjustment): void;
  /** Forgets all of an origin, as when the user connects anew. */
  forget(baseUrl: string): void;
  /** How many texts an embeddings request may have; undefined while unknown. */
  batchSize(baseUrl: string, model: string): BatchSize | undefined;
  setBatchSize(baseUrl: string, model: string, size: BatchSize): void;
  /** The name of a server that has to be told to translate (audioServers.ts), once it was found out. */
  audioServer(baseUrl: string, model: string): string | undefined;
  setAudioServer(baseUrl: string, model: string, name: string): void;
  /** The largest request with a recording that may still be taken, in bytes, once a larger one was refused. */
  uploadLimit(baseUrl: string, model: string): number | undefined;
  /** Keeps a limit that is lower than what is known: an answer to what was sent earlier may come late. */
  setUploadLimit(baseUrl: string, model: string, bytes: number): void;
}

/** A small persistent map; in the editor VS Code's `globalState`. */
export interface MemoryStore {
  get(key: string): unknown;
  set(key: string, value: unknown): void;
}

interface Learned {
  adjustments: Adjustment[];
  batchSize?: BatchSize;
  audioServer?: string;
  uploadLimit?: number;
}

/** @param store where to keep it; in memory alone when absent */
export function createFieldMemory(store?: MemoryStore): FieldMemory {
  const key = 'service.learned';
  const all = readAll(store?.get(key));

  function of(baseUrl: string, model: string): Learned {
    const id = `${new URL(baseUrl).origin} ${model}`;
    const found = all.get(id) ?? { adjustments: [] };
    all.set(id, found);
    return found;
  }
  const save = (): void => store?.set(key, [...all]);

  return {
    adjustments: (baseUrl, model) => of(baseUrl, model).adjustments,
    add(baseUrl, model, adjustment) {
      const learned = of(baseUrl, model);
      learned.adjustments = [...learned.adjustments.filter((each) => each.field !== adjustment.field), adjustment];
      save();
    },
    forget(baseUrl) {
      const prefix = `${new URL(baseUrl).origin} `;
      for (const id of all.keys()) if (id.startsWith(prefix)) all.delete(id);
      save();
    },
    batchSize: (baseUrl, model) => of(baseUrl, model).batchSize,
    setBatchSize(baseUrl, model, size) {
      of(baseUrl, model).batchSize = size;
      save();
    },
    audioServer: (baseUrl, model) => of(baseUrl, model).audioServer,
    setAudioServer(baseUrl, model, name) {
      of(baseUrl, model).audioServer = name;
      save();
    },
    uploadLimit: (baseUrl, model) => of(baseUrl, model).uploadLimit,
    /** Keeps a limit that is lower than what is known: an answer to what was sent earlier may come late. */
    setUploadLimit(baseUrl, model, bytes) {
      const learned = of(baseUrl, model);
      learned.uploadLimit = Math.min(learned.uploadLimit ?? bytes, bytes);
      save();
    },
  };
}

/** Reads what was stored, as far as it has the form that this version writes. */
function readAll(stored: unknown): Map<string, Learned> {
  const entries = Array.isArray(stored) ? stored : [];
  return new Map(
    entries.filter(
      (entry): entry is [string, Learned] =>
        Array.isArray(entry) && typeof entry[0] === 'string' && Array.isArray(entry[1]?.adjustments),
    ),
  );
}
