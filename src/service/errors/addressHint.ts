const endpoint = '/(?:chat/completions|completions|embeddings|audio/(?:translations|transcriptions)|models)';
/** The endpoints at the end of an address, as often as it repeats them; one model of the list may follow. */
const endpoints = new RegExp(`(?:${endpoint})+(?:(?<=/models)/[^/]+)?$`);
const endpointTwice = new RegExp(`(?:${endpoint}){2}(?:/|$)`);

/** The longest address that is looked at, in characters. */
const longest = 2_000;

/**
 * The base URL to try in place of the one behind `url`, where the service has nothing: a part that stands twice is
 * taken once, and a version segment is added where there is none. Undefined when the address looks right.
 */
export function betterBaseUrl(url: string): string | undefined {
  // Longer addresses are never meant, and the patterns may take long on them.
  if (url.length > longest) return undefined;
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return undefined;
  const called = parsed.pathname.replace(/\/+$/, '');
  const path = called.replace(endpoints, '');
  // /v1/v1, /openai/v1/openai/v1
  const single = path.replace(/((?:\/[^/]+)+)\1$/, '$1');
  const versioned = /\/v\d/.test(single) ? single : `${single}/v1`;
  return versioned === path && !endpointTwice.test(called) ? undefined : parsed.origin + versioned;
}
