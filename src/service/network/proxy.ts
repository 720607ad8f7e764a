import { BlockList, isIP } from 'node:net';
import { isLoopback } from '../endpoint.ts';

export interface ProxySettings {
  /** Proxy for all hosts but `noProxy` and this machine; undefined: from HTTP_PROXY, HTTPS_PROXY, NO_PROXY. */
  proxy?: string | undefined;
  /** Hosts that are asked without a proxy, in place of NO_PROXY: `host`, `.host`, `*.host`, each with or without `:port`; `*`; addresses as `10.0.0.0/8`, `192.168.*`. */
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
  const exceptions = settings.noProxy ?? variable('NO_PROXY').split(/[,;\s]+/);
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
  const bareHost = address.hostname.replace(/^\[(.*)\]$/, '$1');
  if (text.includes('/')) return isInRange(bareHost, text);
  if (/^\d[\d.]*\.\*$/.test(text)) return isIP(bareHost) === 4 && bareHost.startsWith(text.slice(0, -1));
  // An IPv6 address without brackets has no port.
  const [, name = text, port] = /^(\[.*\]|[^:]*)(?::(\d+))?$/.exec(text) ?? [];
  if (name === '' || (port !== undefined && port !== (address.port || defaultPorts[address.protocol]))) return false;
  const host = address.hostname.toLowerCase().replace(/\.$/, '');
  const bare = name.replace(/^\*?\./, '').replace(/\.$/, '');
  return name === '*' || (host === bare && !name.startsWith('*.')) || host === `[${bare}]` || host.endsWith(`.${bare}`);
}

/** Whether an address is in a range as `10.0.0.0/8` or `fd00::/8` (RFC 4632): a name is in none. */
function isInRange(host: string, range: string): boolean {
  const [, start = '', length = ''] = /^\[?([\da-f.:]{2,45})\]?\/(\d{1,3})$/.exec(range) ?? [];
  const [family, own] = [isIP(start), isIP(host)];
  if (family === 0 || own === 0 || Number(length) > (family === 4 ? 32 : 128)) return false;
  const list = new BlockList();
  list.addSubnet(start, Number(length), family === 4 ? 'ipv4' : 'ipv6');
  return list.check(host, own === 4 ? 'ipv4' : 'ipv6');
}
