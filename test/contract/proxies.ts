/** Starts real proxies on free ports, for the tests of how a request goes through them. */
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort, startProcessGroup, stopProcessGroup } from '../host/processes.ts';
import { ensureProxies } from '../host/proxies.ts';

export interface RunningProxy {
  readonly port: number;
  readonly url: string;
  close(): Promise<void>;
}

export interface ProxyOptions {
  /** `user:password` that the proxy asks for. Default: it asks for none. */
  readonly credentials?: string;
}

/** The name that squid, and nobody else, finds on this machine. */
export const nameBehindProxy = 'service.test';

export async function startTinyproxy({ credentials }: ProxyOptions = {}): Promise<RunningProxy> {
  const { tinyproxy, libraryPath } = await ensureProxies();
  return start(libraryPath, (port, folder) => ({
    command: [tinyproxy, '-d', '-c', join(folder, 'conf')],
    files: {
      conf: `Port ${port}
Listen 127.0.0.1
Timeout 60
MaxClients 50
LogFile "${join(folder, 'log')}"
${credentials === undefined ? '' : `BasicAuth ${credentials.replace(':', ' ')}`}
`,
    },
  }));
}

export async function startSquid({ credentials }: ProxyOptions = {}): Promise<RunningProxy> {
  const { squid, squidRoot, libraryPath } = await ensureProxies();
  return start(libraryPath, (port, folder) => ({
    command: [squid, '-N', '-f', join(folder, 'conf')],
    files: {
      hosts: `127.0.0.1 ${nameBehindProxy}\n`,
      // Squid asks its helper on one line: name and password, each escaped as in an address.
      'auth.sh': `while read -r user password; do
  if [ "$user:$password" = "${credentials}" ]; then echo OK; else echo ERR; fi
done
`,
      conf: `http_port 127.0.0.1:${port}
visible_hostname localhost
pid_filename none
cache deny all
cache_log ${join(folder, 'log')}
access_log none
coredump_dir ${folder}
pinger_enable off
unlinkd_program ${join(squidRoot, 'usr/lib/squid/unlinkd')}
hosts_file ${join(folder, 'hosts')}
mime_table ${join(squidRoot, 'usr/share/squid')}/mime.conf
icon_directory ${join(squidRoot, 'usr/share/squid')}/icons
error_directory ${join(squidRoot, 'usr/share/squid')}/errors/templates
shutdown_lifetime 0 seconds
${process.getuid?.() === 0 ? 'cache_effective_user nobody' : ''}
${credentials === undefined ? '' : `auth_param basic program /bin/sh ${join(folder, 'auth.sh')}\nacl known proxy_auth REQUIRED`}
http_access allow ${credentials === undefined ? 'all' : 'known'}
`,
    },
  }));
}

/** Writes the files of a proxy, starts it, and waits until it listens. */
async function start(
  libraryPath: string,
  describe: (port: number, folder: string) => { command: string[]; files: Record<string, string> },
): Promise<RunningProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-proxy-'));
  const port = await findFreePort();
  const { command, files } = describe(port, folder);
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text, { mode: 0o644 });
  // Squid as root becomes `nobody`, who has to read and write here.
  await chmod(folder, 0o777);
  const [program = '', ...args] = command;
  const child = startProcessGroup(program, args, { ...process.env, LD_LIBRARY_PATH: libraryPath });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (bytes) => (output += String(bytes)));
  while (!(await listens(port))) {
    if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}: ${output}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      await stopProcessGroup(child);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}

/** Stands before a proxy and writes down the heads that it is sent, until the bytes are no longer text. */
export async function listenIn(port: number): Promise<RunningProxy & { readonly heard: () => string }> {
  const heard: Buffer[] = [];
  const server = createServer((client) => {
    const onward = connect(port, '127.0.0.1');
    client.on('data', (bytes) => heard.push(bytes));
    client.pipe(onward).pipe(client);
    for (const socket of [client, onward]) socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const own = (server.address() as AddressInfo).port;
  return {
    port: own,
    url: `http://127.0.0.1:${own}`,
    heard: () => Buffer.concat(heard).toString('latin1'),
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}
