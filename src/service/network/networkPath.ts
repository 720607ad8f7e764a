import { keyHeader } from '../apiKey.ts';
import type { ServiceRequest, ServiceResponse } from '../request.ts';

/** The head of an answer, and its body as it arrives. A reader that leaves early closes the connection. */
export type PathResponse = Pick<ServiceResponse, 'status' | 'headers'> & { body: AsyncIterable<Uint8Array> };

/** One way for a request to reach its service. It follows no redirects, and its errors are as they come. */
export interface NetworkPath {
  /** `onBytes` is told of bytes that do not show in `body` yet. */
  exchange(request: ServiceRequest, signal: AbortSignal, onBytes: () => void): Promise<PathResponse>;
  close(): Promise<void>;
}

/** The headers of a request. */
export function requestHeaders(request: ServiceRequest): Record<string, string> {
  return {
    accept: request.accept ?? 'application/json',
    'user-agent': 'parley',
    ...(request.apiKey === undefined ? {} : keyHeader(request.apiKey)),
    ...(typeof request.body === 'string' ? { 'content-type': request.contentType ?? 'application/json' } : {}),
  };
}
