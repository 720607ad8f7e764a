import { isIP } from 'node:net';
import { IndexStoreError } from '../../indexStoreError.ts';

/** A server, as a connection string names it. It holds the password, so it goes to no log and no error. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string | undefined;
  readonly database: string;
  /** Whether the connection is encrypted, and the certificate checked. */
  readonly isEncrypted: boolean;
  /** Whether the login is bound to that encryption where the server can: what `channel_binding` asks for. */
  readonly bindsChannel: boolean;
}

/** What libpq calls modes that encrypt in any case. They all check the certificate here. */
const encrypting = ['require', 'verify-ca', 'verify-full'];
const plain = ['disable', 'allow', 'prefer'];
const bindings = ['disable', 'prefer', 'require'];
const known = ['sslmode', 'host', 'application_name', 'channel_binding'];

/**
 * The server of a connection string, `postgres://user:password@host:port/database?sslmode=…`
 * (https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING). What is not on this machine is
 * encrypted, whatever the string says. Throws `bad-address`, or `no-tls` for a string that asks for less.
 */
export function parseAddress(text: string): ServerAddress {
  // A user without a host, as before a folder of sockets, is no URL for anybody but libpq.
  const url = URL.parse(text.trim().replace(/^([a-z]+:\/\/[^/?#@]*@)(?=[/?]|$)/i, '$1localhost'));
  if (url === null) throw new IndexStoreError('bad-address', 'form');
  if (!['postgres:', 'postgresql:'].includes(url.protocol)) throw new IndexStoreError('bad-address', 'scheme');
  const unknown = [...url.searchParams.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined) throw new IndexStoreError('bad-address', 'parameter');
  const host = (url.searchParams.get('host') ?? decoded(url.hostname)).replace(/^\[|\]$/g, '');
  const mode = url.searchParams.get('sslmode') ?? undefined;
  if (mode !== undefined && ![...encrypting, ...plain].includes(mode))
    throw new IndexStoreError('bad-address', 'sslmode');
  const binding = url.searchParams.get('channel_binding') ?? 'disable';
  if (!bindings.includes(binding)) throw new IndexStoreError('bad-address', 'channel_binding');
  if (host === '' || /[,\s]/.test(host)) throw new IndexStoreError('bad-address', 'host');
  const isLocal = isThisMachine(host);
  if (!isLocal && mode !== undefined && plain.includes(mode)) throw new IndexStoreError('no-tls');
  const user = decoded(url.username);
  if (user === '') throw new IndexStoreError('bad-address', 'user');
  const database = decoded(url.pathname.slice(1)) || user;
  return {
    host,
    port: url.port === '' ? 5432 : Number(url.port),
    user,
    password: url.password === '' ? undefined : decoded(url.password),
    database,
    isEncrypted: mode === undefined ? !isLocal : encrypting.includes(mode),
    bindsChannel: binding !== 'disable',
  };
}

/** The address as it is shown: without the password. */
export function shownAddress({ host, port, user, database }: ServerAddress): string {
  const name = isIP(host) === 6 ? `[${host}]` : host;
  return `postgres://${encodeURIComponent(user)}@${name}:${port}/${encodeURIComponent(database)}`;
}

/** A folder of sockets, or a name or number of the loopback. A name that only resolves to it proves nothing. */
function isThisMachine(host: string): boolean {
  return host.startsWith('/') || host === 'localhost' || host === '::1' || (isIP(host) === 4 && /^127\./.test(host));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new IndexStoreError('bad-address', 'escape');
  }
}
