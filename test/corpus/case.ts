import type { ErrorKind } from '../../src/base/errors.ts';

/**
 * One answer of a service, sound or broken, and what a client should make of it. The contract tests hold Parley to every
 * case; the bench gives the same answers to other clients.
 */
export interface CorpusCase {
  /** Unique, short, in words: `stream cut before finish_reason`. */
  name: string;
  /** Rows of QUIRKS.md this case stands for. */
  quirks?: readonly number[];
  operation: 'chat' | 'embeddings';
  /** Chat: whether the request asks for a stream. */
  stream?: boolean;
  /** Embeddings: the texts of the request. */
  inputs?: readonly string[];
  /** Default 200. */
  status?: number;
  /** Default `content-type: text/event-stream` for a stream, `application/json` otherwise. */
  headers?: Readonly<Record<string, string>>;
  /** Written piece by piece, each its own write; a string is one piece. */
  body: string | Uint8Array | readonly (string | Uint8Array)[];
  /** `cut`: the socket is destroyed after the body, without its end. Default `end`. */
  ending?: 'end' | 'cut';
  expected: Expected;
}

export type Expected =
  | {
      ok: true;
      /** Text of the first choice, or of every choice. */
      text?: string | readonly string[];
      reasoning?: string;
      toolCalls?: readonly { id?: string; name: string; arguments: string }[];
      functionCall?: { name: string; arguments: string };
      finishReason?: string;
      /** Tokens of prompt and completion, or `unknown` when the service did not say. */
      usage?: { prompt: number; completion: number } | 'unknown';
      /** Embeddings: the vectors in the order of the inputs. */
      vectors?: readonly (readonly number[])[];
    }
  | {
      ok: false;
      kind: ErrorKind | readonly ErrorKind[];
      /** Words of the service that the message must carry. */
      says?: string;
      /** Text that came before the failure and must not be lost. */
      partial?: string;
    };
