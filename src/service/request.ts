import { readCharset } from '../base/encoding/charset.ts';
import type { ServiceError } from '../base/errors.ts';
import type { ApiKey } from './apiKey.ts';

/** A form with one file, which is read from the disk while it is sent, again for every try. */
export interface Upload {
  /** Names and values, sent before the file and in this order. */
  fields: readonly (readonly [name: string, value: string])[];
  /** `name`: what the service is told the file is called; the last part of `path` by itself. */
  file: { field: string; path: string; contentType: string; name?: string };
  /**
   * Called as the file goes out, with how many of its bytes the network took so far in this try, and how many they are. The
   * editor's way to the network tells nothing.
   */
  onSent?: ((sent: number, size: number) => void) | undefined;
}

/**
 * Called before each wait, in milliseconds, so that it can be shown.
 * @param failed what is tried again after it; undefined where the service asked for the wait
 */
export type OnWait = (waitMs: number, failed?: ServiceError) => void;

export interface ServiceRequest {
  method: 'GET' | 'POST';
  url: string;
  apiKey?: ApiKey | undefined;
  /** Serialised JSON, or a form with a file. */
  body?: string | Upload;
  /** What a serialised body is, where it is not JSON. */
  contentType?: string | undefined;
  accept?: string;
  /** It has neither key nor body, and may be redirected to another host. */
  isOpen?: boolean;
  onWait?: OnWait | undefined;
  /** Called before each further try, with why there is one. */
  onRetry?: ((error: ServiceError) => void) | undefined;
  /** A mark of the caller's, by which it finds the request among the exchanges again. It is not sent. */
  tag?: string | undefined;
}

export interface ServiceResponse {
  status: number;
  headers: Readonly<Record<string, string | undefined>>;
  /** The bytes as they arrive. Ends with a ServiceError when the connection breaks, stalls or is cancelled. */
  body: AsyncIterable<Uint8Array>;
  url: string;
}

/** Sends one request, and retries it where that is safe. A status other than 2xx is thrown as a ServiceError. */
export interface Transport {
  send(request: ServiceRequest, signal: AbortSignal): Promise<ServiceResponse>;
  close(): Promise<void>;
}

/**
 * The body as text, at most `limit` bytes of it; the connection is closed when there is more. `contentType` may name
 * another charset than UTF-8.
 */
export async function readText(body: AsyncIterable<Uint8Array>, limit: number, contentType = ''): Promise<string> {
  const decoder = new TextDecoder(readCharset(contentType));
  let text = '';
  let size = 0;
  for await (const bytes of body) {
    size += bytes.length;
    text += decoder.decode(bytes, { stream: true });
    if (size > limit) break;
  }
  return text + decoder.decode();
}
