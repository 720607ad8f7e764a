import { isLoopback } from '../endpoint.ts';

export interface ProxySettings {
  /** Proxy for all hosts but `noProxy` and this machine; undefined: from HTTP_PROXY, HTTPS_PROXY, NO_PROXY. */
  proxy?: string | undefined;
  /** Hosts that are asked without a proxy, in place of NO_PROXY: `host`, `.host`, `*.host`, each with or without `:port`; `*`. */
  noProxy?: readonly string[];
  /** Value of the header Proxy-Authorization, before what the proxy's address says. */
  proxyAuthorization?: string | undefined;
}

export interface ProxyServer {
  url: URL;
  /** Value of the header Proxy-Authorization. */
  authorization: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The proxy that an address is asked through, or undefined for none. This machine is never asked through one.
 * @throws TypeError when the proxy's address is invalid
 */
export function chooseProxy(
  address: URL,
  settings: ProxySettings,
  environment: Environment = process.env,
): ProxyServer | undefined {
  const variable = (name: string): string => environment[name.toLowerCase()] || environment[name] || '';
  const fromEnvironment = (address.protocol === 'https:' && variable('HTTPS_PROXY')) || variable('HTTP_PROXY');
  const found = settings.proxy || fromEnvironment;
  const exceptions = settings.noProxy ?? variable('NO_PROXY').split(/[,\s]+/);
  if (found === '' || isLoopback(address.href) || exceptions.some((pattern) => matches(address, pattern))) return;
  const url = new URL(found.includes('://') ? found : `http://${found}`);
  return { url, authorization: settings.proxyAuthorization || basicAuthorization(url) };
}

function basicAuthorization({ username, password }: URL): string | undefined {
  if (username === '') return undefined;
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(credentials).toString('base64')}`;
}

const defaultPorts: Record<string, string> = { 'http:': '80', 'https:': '443' };

/** Whether an address matches a pattern: a name matches its subdomains, too; `*.name` only them. */
function matches(address: URL, pattern: string): boolean {
  const text = pattern.trim().toLowerCase();
  // An IPv6 address without brackets has no port.
  const [, name = text, port] = /^(\[.*\]|[^:]*)(?::(\d+))?$/.exec(text) ?? [];
  if (name === '' || (port !== undefined && port !== (address.port || defaultPorts[address.protocol]))) return false;
  const host = address.hostname.toLowerCase().replace(/\.$/, '');
  const bare = name.replace(/^\*?\./, '').replace(/\.$/, '');
  return name === '*' || (host === bare && !name.startsWith('*.')) || host === `[${bare}]` || host.endsWith(`.${bare}`);
}
