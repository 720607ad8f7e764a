import { isPlainObject } from '../../base/jsonText.ts';

/**
 * How a field is sent to a service that refused it once: not at all, under another name, or with the one value that it takes.
 * Where only a value was refused, `field` is `response_format=verbose_json`.
 */
export type Adjustment = { field: string; renamedTo?: string; value?: boolean | number };

/** The known batch size of embeddings requests: a number of texts that was taken, and the least that was refused. */
export interface BatchSize {
  taken: number;
  refused?: number;
}

/** How well a model did with a form in which it was asked for something. */
export interface FormRecord {
  /** How many answers could be used whole, and how many could not. */
  readonly worked: number;
  readonly failed: number;
  /** The service refused the form itself, such as a request that offers tools. */
  readonly isRefused?: boolean | undefined;
}

/** All that was learned of one model. */
export interface LearnedOfModel {
  readonly origin: string;
  readonly model: string;
  readonly adjustments: readonly Adjustment[];
  readonly batchSize?: BatchSize;
  readonly audioServer?: string;
  /** Whether there is `audio/transcriptions`. */
  readonly transcriptions?: boolean;
  /** In bytes, with the time at which it was learned, in milliseconds since 1970, and what the user had set then. */
  readonly uploadLimit?: number;
  readonly uploadLimitAt?: number | undefined;
  readonly uploadLimitSet?: number | undefined;
  /** By the name of the form. */
  readonly forms?: Readonly<Record<string, FormRecord>>;
}

/**
 * Memory of what services refused, by origin and model, so that they are asked only once. Kept for as long as `store`
 * keeps it, of the models that something was learned of last.
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
  /** Whether the service has `audio/transcriptions`; undefined while unknown. */
  transcriptions(baseUrl: string, model: string): boolean | undefined;
  setTranscriptions(baseUrl: string, model: string, isThere: boolean): void;
  /**
   * The largest request with a recording that may still be taken, in bytes, where a larger one was refused in the last days: a service, or
   * what is before it, may take more by now.
   * @param set what the user has set, in bytes: another one than when it was learned goes before it
   */
  uploadLimit(baseUrl: string, model: string, set?: number): number | undefined;
  /** Keeps a limit that is lower than what is known: an answer to what was sent earlier may come late. */
  setUploadLimit(baseUrl: string, model: string, bytes: number, set?: number): void;
  /** How well the model did with each form, by the name of the form. */
  forms(baseUrl: string, model: string): Readonly<Record<string, FormRecord>>;
  noteForm(baseUrl: string, model: string, form: string, outcome: FormOutcome): void;
  /** All that is known, what was learned last at the end. */
  all(): readonly LearnedOfModel[];
  /** Forgets all of one model, by what `all` says of it. */
  forgetModel(learned: Pick<LearnedOfModel, 'origin' | 'model'>): void;
}

export type FormOutcome = 'worked' | 'failed' | 'refused';

/** A small persistent map; in the editor a file that all windows share. */
export interface MemoryStore {
  get(key: string): unknown;
  set(key: string, value: unknown): void;
  /** Changes a value that others change at the same time, from what they made of it; one without has no others. */
  change?(key: string, to: (before: unknown) => unknown): void;
}

type Learned = Omit<LearnedOfModel, 'origin' | 'model'>;

/** The most models that are remembered. */
const mostModels = 100;
/** Answers that are counted of one form; from then on later ones count more. */
const mostCounted = 20;
const nothing: Learned = { adjustments: [] };

/** How long a limit of uploads is remembered, in milliseconds: a week. */
const uploadLimitAge = 7 * 24 * 3_600_000;

/**
 * @param store where to keep it; in memory alone when absent
 * @param now milliseconds since 1970
 */
export function createFieldMemory(
  store: MemoryStore = new Map<string, unknown>(),
  now: () => number = Date.now,
): FieldMemory {
  const key = 'service.learned';
  const read = (): Map<string, Learned> => readAll(store.get(key));
  // Two windows may learn at a time: each change is one of what is kept then.
  const change = (make: (all: Map<string, Learned>) => void): void => {
    const to = (stored: unknown): unknown => {
      const all = readAll(stored);
      make(all);
      return [...all].slice(-mostModels);
    };
    if (store.change === undefined) store.set(key, to(store.get(key)));
    else store.change(key, to);
  };
  const idOf = (baseUrl: string, model: string): string => `${new URL(baseUrl).origin} ${model}`;
  const of = (baseUrl: string, model: string): Learned => read().get(idOf(baseUrl, model)) ?? nothing;

  function learn(baseUrl: string, model: string, by: (before: Learned) => Learned): void {
    const id = idOf(baseUrl, model);
    change((all) => {
      const before = all.get(id) ?? nothing;
      all.delete(id);
      all.set(id, by(before));
    });
  }

  function forgetIf(isForgotten: (id: string) => boolean): void {
    change((all) => {
      for (const id of [...all.keys()]) if (isForgotten(id)) all.delete(id);
    });
  }

  return {
    adjustments: (baseUrl, model) => of(baseUrl, model).adjustments,
    add: (baseUrl, model, adjustment) =>
      learn(baseUrl, model, (before) => ({
        ...before,
        adjustments: [...before.adjustments.filter((each) => each.field !== adjustment.field), adjustment],
      })),
    forget(baseUrl) {
      const prefix = `${new URL(baseUrl).origin} `;
      forgetIf((id) => id.startsWith(prefix));
    },
    batchSize: (baseUrl, model) => of(baseUrl, model).batchSize,
    setBatchSize: (baseUrl, model, batchSize) => learn(baseUrl, model, (before) => ({ ...before, batchSize })),
    audioServer: (baseUrl, model) => of(baseUrl, model).audioServer,
    setAudioServer: (baseUrl, model, audioServer) => learn(baseUrl, model, (before) => ({ ...before, audioServer })),
    transcriptions: (baseUrl, model) => {
      const { transcriptions } = of(baseUrl, model);
      return typeof transcriptions === 'boolean' ? transcriptions : undefined;
    },
    setTranscriptions: (baseUrl, model, transcriptions) =>
      learn(baseUrl, model, (before) => ({ ...before, transcriptions })),
    uploadLimit: (baseUrl, model, set) => {
      const { uploadLimit, uploadLimitSet } = withoutOldLimit(of(baseUrl, model), now());
      return set === undefined || set === uploadLimitSet ? uploadLimit : undefined;
    },
    setUploadLimit: (baseUrl, model, bytes, set) =>
      learn(baseUrl, model, (before) => {
        const { uploadLimit, uploadLimitSet, ...others } = withoutOldLimit(before, now());
        const known = set === undefined || set === uploadLimitSet ? uploadLimit : undefined;
        return { ...others, uploadLimit: Math.min(known ?? bytes, bytes), uploadLimitAt: now(), uploadLimitSet: set };
      }),
    forms: (baseUrl, model) => of(baseUrl, model).forms ?? {},
    noteForm: (baseUrl, model, form, outcome) =>
      learn(baseUrl, model, (before) => ({
        ...before,
        forms: { ...before.forms, [form]: counted(before.forms?.[form], outcome) },
      })),
    all: () =>
      [...read()].map(([id, learned]) => {
        const at = id.indexOf(' ');
        return { ...withoutOldLimit(learned, now()), origin: id.slice(0, at), model: id.slice(at + 1) };
      }),
    forgetModel: ({ origin, model }) => forgetIf((id) => id === `${origin} ${model}`),
  };
}

/** Without a limit of uploads that is too old, or was learned before these were dated. */
function withoutOldLimit(learned: Learned, now: number): Learned {
  const { uploadLimit, uploadLimitAt, uploadLimitSet, ...others } = learned;
  if (uploadLimit === undefined) return learned;
  const age = now - (uploadLimitAt ?? Number.NEGATIVE_INFINITY);
  // A clock that was set back makes no limit last.
  return age >= 0 && age < uploadLimitAge ? learned : others;
}

function counted(before: FormRecord = { worked: 0, failed: 0 }, outcome: FormOutcome): FormRecord {
  if (outcome === 'refused') return { ...before, isRefused: true };
  const share = Math.max(before.worked, before.failed) >= mostCounted ? 0.5 : 1;
  const next = { worked: Math.floor(before.worked * share), failed: Math.floor(before.failed * share) };
  next[outcome]++;
  // A service that refuses tools now and then takes them again in an answer that has made use of them.
  return outcome === 'worked' || before.isRefused === undefined ? next : { ...next, isRefused: before.isRefused };
}

/** Reads what was stored, as far as it has the form that this version writes. */
function readAll(stored: unknown): Map<string, Learned> {
  const entries = Array.isArray(stored) ? stored : [];
  return new Map(
    entries.flatMap((entry): [string, Learned][] => {
      if (!Array.isArray(entry) || typeof entry[0] !== 'string' || !Array.isArray(entry[1]?.adjustments)) return [];
      const [id, learned] = entry as [string, Learned];
      const { forms, ...kept } = learned;
      const others = { ...kept, adjustments: kept.adjustments.filter((each) => typeof each?.field === 'string') };
      const sound = Object.entries(isPlainObject(forms) ? forms : {}).filter(([, each]) => isRecord(each));
      return [[id, sound.length === 0 ? others : { ...others, forms: Object.fromEntries(sound) }]];
    }),
  );
}

function isRecord(value: unknown): value is FormRecord {
  return isPlainObject(value) && Number.isFinite(value['worked']) && Number.isFinite(value['failed']);
}
