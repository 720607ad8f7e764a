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
 * as it is: neither key nor question go there.
 */
export async function followRedirect(
  request: ServiceRequest,
  exchange: (request: ServiceRequest) => Promise<PathResponse>,
): Promise<PathResponse> {
  let url = request.url;
  for (let redirects = 0; ; redirects++) {
    const answer = await exchange({ ...request, url });
    const target = URL.parse(answer.headers['location'] ?? '', url);
    const follows = followed[request.method].has(answer.status) && target?.origin === new URL(url).origin;
    if (!follows || redirects === most) return answer;
    // The body is read so that the connection can be used again.
    await readText(answer.body, 65_536);
    url = target.href;
  }
}
