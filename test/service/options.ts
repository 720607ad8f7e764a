import type { IncomingMessage, ServerResponse } from 'node:http';

/** A recording the service "knows": its English text, and where in the recording each part is said (seconds). */
export interface KnownTranslation {
  text: string;
  segments?: { start: number; end: number; text: string }[];
  /** What is said in it, for a server that does not translate. Default: German, the text after a few German words. */
  spoken?: { language: string; text: string; segments?: { start: number; end: number; text: string }[] };
}

/** Texts of tokens, each with how likely it is and others in its place are, in percent. */
export type LikelyTokens = Readonly<Record<string, Readonly<Record<string, number>>>>;

export interface ReferenceServiceOptions {
  /** The one valid bearer key. `null`: a local service that asks for none. */
  key?: string | null;
  /** What comes before `/chat/completions`. Default `/openai/v1`. */
  basePath?: string;
  /** 0, the default, takes a free port. */
  port?: number;
  /** Whether `GET models` is offered; without it the path answers 404. Default true. */
  models?: boolean;
  /** Pause between two streamed tokens, milliseconds. Default 0. */
  tokenDelayMs?: number;
  /** Streamed tokens per second, by the clock: what a late timer held up comes at once. Default: as `tokenDelayMs` says. */
  tokensPerSecond?: number;
  /** Put `usage` on the chunk that carries `finish_reason` too, as some services do. Default false. */
  usageOnFinish?: boolean;
  /** Tells the tokens of a text below `/tokenize`, in the form of one of these servers. Default: it does not. */
  tokenizer?: 'vllm' | 'llama.cpp';
  /** The answer to a question that this knows, instead of one by the rules of README.md. */
  answer?: (question: string, model: string) => string | undefined;
  /** For a token: itself and what could have stood in its place, each in percent. Other tokens are as README.md says. */
  likely?: LikelyTokens;
  /** Headers that stand on every answer, such as rate limits. Default none. */
  headers?: Readonly<Record<string, string>>;
  /** Chat fields this service does not take: 400 naming the field. Default none. */
  refusedFields?: string[];
  /** How it says so: in the OpenAI shape with `param`, in words alone, or as FastAPI does. Default `param`. */
  refusalForm?: 'param' | 'words' | 'detail';
  /**
   * The models think, and say so in this field; a message that calls tools is refused without what was thought before it,
   * as by DeepSeek. Default: they do not think, and no message has such a field.
   */
  thoughts?: 'reasoning_content' | 'reasoning' | 'thinking';
  /** Entries that `GET models` lists beside its own, or instead of them by the same id. */
  listed?: Readonly<Record<string, unknown>>[];
  /** The name of the file part of a translation upload. Default `file`. */
  fileField?: string;
  /**
   * How translations are answered. `whisper.cpp`: as its server does, which says so in the header `Server`, takes any field,
   * translates only with `translate=true`, and takes speech for English without `language=auto`. Default `openai`.
   */
  audioServer?: 'openai' | 'whisper.cpp';
  /**
   * Whether `audio/transcriptions` is there: with times of words, which are beside the segments; `plain`: without the field that asks for
   * times. Default false: the path answers 404.
   */
  transcriptions?: boolean | 'plain';
  /** Uploads over this many bytes get 413. Default 25 MiB. */
  maxUploadBytes?: number;
  /** Known recordings by SHA-256 (hex), added to those of `translationsFile`. */
  translations?: Map<string, KnownTranslation>;
  /** JSON array of {file, sha256, text, segments}. Default `test/fixtures/translations.json`, if it is there. */
  translationsFile?: string;
  /** Where the fault `redirect` points. Default: another loopback origin on which nobody listens. */
  redirectTo?: string;
  /** How long `slow-first-byte` waits, milliseconds. Default: until `release()` or until the client goes. */
  slowFirstByteMs?: number;
  /** Speak TLS with this pair (see selfSigned.ts). */
  tls?: { key: string; cert: string };
}

/** One part of a multipart body, as it was received. */
export interface RecordedPart {
  name: string;
  filename?: string;
  contentType?: string;
  /** Bytes of the part's content. */
  length: number;
  sha256: string;
  /** The content of a part that is not a file. */
  value?: string;
}

export interface RecordedRequest {
  method: string;
  /** Path and query as they came. */
  path: string;
  /** Names in lower case. The key is in here: this log is for tests alone and is never printed. */
  headers: Record<string, string>;
  /** A JSON body, parsed; undefined until it has come, or when it was not JSON. */
  body: unknown;
  /** Bytes of the body received so far. */
  bytes: number;
  /** Multipart bodies: the parts in the order they came. */
  parts?: RecordedPart[];
  /** The fault that was played, if any. */
  fault?: string;
  /** The answer's status, once its head was sent. */
  status?: number;
  /** The client closed the connection before the answer was complete. */
  aborted: boolean;
  /** The exchange is over, in whatever way. */
  finished: boolean;
  /** Milliseconds since the epoch. */
  at: number;
}

export interface ReferenceService {
  /** The same as `baseUrl`. */
  url: string;
  /** Up to and with the version segment: what a user would put into `parley.baseUrl`. */
  baseUrl: string;
  origin: string;
  port: number;
  requests: RecordedRequest[];
  /** Resolves with the first request, past or coming, for which the predicate holds; asked again at each change. */
  waitForRequest(predicate: (request: RecordedRequest) => boolean): Promise<RecordedRequest>;
  /** Plays this fault for every request from now on, whatever the model; `undefined` ends that. */
  setFault(name: string | undefined): void;
  /** From now on models are of this release: answers have another fingerprint, and end in its name. */
  setRelease(name: string): void;
  /** Lets all requests go on that wait in `slow-first-byte` or `hold`. */
  release(): void;
  /** How many sockets of clients are open. */
  connections(): Promise<number>;
  /** Destroys open sockets and stops listening. */
  close(): Promise<void>;
}

export type Settings = Required<
  Omit<
    ReferenceServiceOptions,
    'tls' | 'answer' | 'tokenizer' | 'slowFirstByteMs' | 'tokensPerSecond' | 'translationsFile' | 'thoughts'
  >
> & {
  slowFirstByteMs: number | undefined;
  tokensPerSecond: number | undefined;
  thoughts: ReferenceServiceOptions['thoughts'] | undefined;
  /** What was thought before a call, by its id. */
  thoughtsByCall: Map<string, string>;
  release: string;
  tokenizer: ReferenceServiceOptions['tokenizer'] | undefined;
  answer: ReferenceServiceOptions['answer'] | undefined;
};

/** One request on its way through the service. */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  record: RecordedRequest;
  settings: Settings;
  /** The whole body, once read. */
  body: Buffer;
  /** Fires when the connection closes before the answer was complete. */
  gone: AbortSignal;
  /** Fires when the test lets what waits go on. */
  released: AbortSignal;
  /** The fault to be played, without a `-once` ending. */
  fault: string | undefined;
}
