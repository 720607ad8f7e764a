import { createHash } from 'node:crypto';
import { originOf } from '../endpoint.ts';
import type { ServiceRequest } from '../request.ts';

/** The id of requests that share a rate limit: their origin and key, of which only a digest is kept. */
export function laneOf({ url, apiKey }: Pick<ServiceRequest, 'url' | 'apiKey'>): string {
  const key = apiKey === undefined ? '' : createHash('sha256').update(apiKey.reveal()).digest('base64url').slice(0, 12);
  return `${originOf(url)} ${key}`;
}

export function originOfLane(id: string): string {
  return id.slice(0, id.indexOf(' '));
}
