import { createHash } from 'node:crypto';
import { originOf } from './endpoint.ts';
import type { ServiceRequest } from './transport.ts';

/** What shares a limit: an origin and a key, of which only a digest is kept. The id of requests at the gate. */
export function laneOf({ url, apiKey }: Pick<ServiceRequest, 'url' | 'apiKey'>): string {
  const key = apiKey === undefined ? '' : createHash('sha256').update(apiKey.reveal()).digest('base64url').slice(0, 12);
  return `${originOf(url)} ${key}`;
}

export function originOfLane(id: string): string {
  return id.slice(0, id.indexOf(' '));
}

/** The host (and port) of a lane, to be shown. */
export function hostOfLane(id: string): string {
  return new URL(originOfLane(id)).host;
}
