import { isLoopback } from '../endpoint.ts';
import type { PathResponse } from '../network/networkPath.ts';
import { readText, type ServiceRequest } from '../request.ts';

/** The most redirects in a row: more are a loop. */
const most = 3;
/** Statuses that are followed; 301, 302 and 303 would make a GET of a POST. */
const followed: Record<ServiceRequest['method'], ReadonlySet<number>> = {
  GET: new Set([301, 302, 307, 308]),
  POST: new Set([307, 308]),
};

/**
 * Asks, and follows redirects within the origin, with method, body and key kept. An answer that points elsewhere is given
 * as it is: neither key nor question go there. What has neither goes where it is sent, as the files of a release do.
 */
export async function followRedirect(
  request: ServiceRequest,
  exchange: (request: ServiceRequest) => Promise<PathResponse>,
): Promise<PathResponse> {
  let url = request.url;
  for (let redirects = 0; ; redirects++) {
    const answer = await exchange({ ...request, url });
    const target = URL.parse(answer.headers['location'] ?? '', url);
    const mayGo = target !== null && (target.origin === new URL(url).origin || isOpenTo(request, target));
    const follows = followed[request.method].has(answer.status) && mayGo;
    if (!follows || redirects === most) return answer;
    // The body is read so that the connection can be used again.
    await readText(answer.body, 65_536);
    url = target.href;
  }
}

/** Whether a request that carries nothing of the user's may go to another host. */
function isOpenTo(request: ServiceRequest, target: URL): boolean {
  const { isOpen, apiKey, body } = request;
  const isSafe = target.protocol === 'https:' || (isLoopback(request.url) && isLoopback(target.href));
  return isOpen === true && apiKey === undefined && body === undefined && isSafe;
}
