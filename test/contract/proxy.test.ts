import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { ServiceError } from '../../src/base/errors.ts';
import type { Transport } from '../../src/service/request.ts';
import { createTransport, type TransportOptions } from '../../src/service/transport/transport.ts';
import { findFreePort } from '../host/processes.ts';
import { authorityFile, readAuthority, readIssuedPair } from '../service/issued.ts';
import type { ReferenceService } from '../service/options.ts';
import { createReferenceService } from '../service/server.ts';
import { ask, createPatientClock, endpointOf, testKey } from './client.ts';
import { listenIn, nameBehindProxy, type RunningProxy, startSquid, startTinyproxy } from './proxies.ts';

const run = promisify(execFile);
const credentials = 'harbour:s3cret';

let plain: ReferenceService;
let secure: ReferenceService;
before(async () => {
  plain = await createReferenceService();
  secure = await createReferenceService({ tls: readIssuedPair() });
});
after(async () => {
  await plain.close();
  await secure.close();
});

/** Asks the service under another name than this machine's, which would be asked without a proxy. */
async function askBy(service: ReferenceService, host: string, options: Partial<TransportOptions>) {
  const transport: Transport = createTransport({
    clock: createPatientClock(),
    certificates: () => [readAuthority()],
    allowInsecure: () => true,
    ...options,
  });
  try {
    const endpoint = endpointOf(service, 'parley-chat');
    return await ask(transport, { ...endpoint, baseUrl: endpoint.baseUrl.replace('127.0.0.1', host) }, 'say: through');
  } finally {
    await transport.close();
  }
}

const kinds = [
  // To wrong credentials tinyproxy says 401, as a service would; without TLS nobody can tell the two apart.
  { name: 'tinyproxy', start: startTinyproxy, host: '0.0.0.0', wrong: '401', wrongPlain: 'auth' },
  { name: 'squid', start: startSquid, host: nameBehindProxy, wrong: '407', wrongPlain: 'proxy' },
];
for (const { name, start, host, wrong, wrongPlain } of kinds) {
  describe(`through ${name}`, () => {
    let open: RunningProxy;
    let guarded: RunningProxy;
    before(async () => {
      [open, guarded] = await Promise.all([start(), start({ credentials })]);
    });
    after(async () => {
      await Promise.all([open, guarded].map((proxy) => proxy.close()));
    });

    test('a request reaches a service with TLS, whose answer is read to its end', async () => {
      const answer = await askBy(secure, host, { proxy: open.url });
      assert.equal(answer.error, undefined);
      assert.equal(answer.text, 'through');
      assert.equal(secure.requests.at(-1)?.headers['authorization'], `Bearer ${testKey}`);
    });

    test('the proxy sees neither key nor question of a request with TLS', async () => {
      const ear = await listenIn(guarded.port);
      const answer = await askBy(secure, host, { proxy: `http://${credentials}@127.0.0.1:${ear.port}` });
      assert.equal(answer.text, 'through');
      assert.match(ear.heard(), new RegExp(`^CONNECT ${host}:${secure.port} HTTP/1.1\r\n`));
      assert.doesNotMatch(ear.heard(), /Bearer|say: through/i);
      assert.ok(!ear.heard().includes(testKey));
      await ear.close();
    });

    test('a request reaches a service without TLS', async () => {
      const answer = await askBy(plain, host, { proxy: open.url });
      assert.equal(answer.text, 'through');
      assert.equal(plain.requests.at(-1)?.headers['proxy-authorization'], undefined);
    });

    for (const service of ['secure', 'plain'] as const) {
      const target = () => (service === 'secure' ? secure : plain);
      test(`credentials in the address of the proxy are used (${service})`, async () => {
        const answer = await askBy(target(), host, { proxy: `http://${credentials}@127.0.0.1:${guarded.port}` });
        assert.equal(answer.error, undefined);
        assert.equal(answer.text, 'through');
        assert.equal(target().requests.at(-1)?.headers['proxy-authorization'], undefined);
      });

      test(`http.proxyAuthorization is used (${service})`, async () => {
        const proxyAuthorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
        const answer = await askBy(target(), host, { proxy: guarded.url, proxyAuthorization });
        assert.equal(answer.text, 'through');
        assert.equal(target().requests.at(-1)?.headers['proxy-authorization'], undefined);
      });

      test(`quirk 41: missing and wrong credentials are the proxy's refusal (${service})`, async () => {
        const earlier = target().requests.length;
        const missing = await askBy(target(), host, { proxy: guarded.url });
        assert.equal(missing.error?.kind, 'proxy');
        assert.equal(missing.error?.hint, '407');
        const refused = await askBy(target(), host, { proxy: `http://harbour:wr0ng@127.0.0.1:${guarded.port}` });
        assert.equal(refused.error?.kind, service === 'plain' ? wrongPlain : 'proxy');
        if (service === 'secure') assert.equal(refused.error?.hint, wrong);
        assert.ok(!JSON.stringify(refused.error).includes('wr0ng'));
        assert.equal(target().requests.length, earlier);
      });
    }
  });
}

describe('a proxy', () => {
  let proxy: RunningProxy;
  before(async () => {
    proxy = await startSquid();
  });
  after(() => proxy.close());

  /** Whether a service is asked through the proxy: its name is known to nobody else. */
  const goesThrough = async (options: Partial<TransportOptions>, service = secure): Promise<boolean> => {
    const answer = await askBy(service, nameBehindProxy, options);
    assert.ok(answer.text === 'through' || answer.error?.kind === 'dns', JSON.stringify(answer.error));
    return answer.text === 'through';
  };

  test('quirk 41: that is down is named as such, for TLS and without', async () => {
    const nobody = `http://127.0.0.1:${await findFreePort()}`;
    for (const service of [secure, plain]) {
      const answer = await askBy(service, nameBehindProxy, { proxy: nobody });
      assert.equal(answer.error?.kind, 'proxy');
      assert.equal(answer.error?.hint, 'ECONNREFUSED');
    }
  });

  test('that cannot reach the service says so', async () => {
    const answer = await askBy(secure, 'unknown.invalid', { proxy: proxy.url });
    assert.equal(answer.error?.kind, 'proxy');
    assert.match(answer.error?.hint ?? '', /^50\d$/);
  });

  test('whose address is none is the fault of the proxy setting', async () => {
    assert.equal((await askBy(secure, nameBehindProxy, { proxy: 'http://' })).error?.kind, 'proxy');
    assert.equal((await askBy(secure, nameBehindProxy, { proxy: 'socks5://127.0.0.1:1' })).error?.kind, 'proxy');
  });

  test('is left out for the hosts of noProxy', async () => {
    const leftOut = [[nameBehindProxy], ['.test'], ['*.test'], ['*'], [`${nameBehindProxy}:${secure.port}`]];
    for (const noProxy of leftOut) assert.equal(await goesThrough({ proxy: proxy.url, noProxy }), false, `${noProxy}`);
    const kept = [['other.test'], [`${nameBehindProxy}:1`], [`*.${nameBehindProxy}`], ['ervice.test'], []];
    for (const noProxy of kept) assert.equal(await goesThrough({ proxy: proxy.url, noProxy }), true, `${noProxy}`);
  });

  test('is never asked about this machine', async () => {
    for (const host of ['127.0.0.1', 'localhost']) {
      const answer = await askBy(plain, host, { proxy: `http://127.0.0.1:${await findFreePort()}` });
      assert.equal(answer.text, 'through');
    }
  });

  test('comes from the environment where the settings name none', async () => {
    const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'];
    const saved = names.map((name) => [name, process.env[name]] as const);
    const only = (variables: Record<string, string>): void => {
      for (const name of names) delete process.env[name];
      Object.assign(process.env, variables);
    };
    try {
      only({ HTTPS_PROXY: proxy.url });
      assert.equal(await goesThrough({}), true);
      assert.equal(await goesThrough({}, plain), false);
      only({ http_proxy: `127.0.0.1:${proxy.port}` });
      assert.equal(await goesThrough({}), true);
      assert.equal(await goesThrough({}, plain), true);
      only({ HTTPS_PROXY: proxy.url, NO_PROXY: `other.test, ${nameBehindProxy}` });
      assert.equal(await goesThrough({}), false);
      // As with http.proxySupport "off".
      only({ HTTPS_PROXY: proxy.url });
      assert.equal(await goesThrough({ noProxy: ['*'] }), false);
    } finally {
      only(Object.fromEntries(saved.filter(([, value]) => value !== undefined)) as Record<string, string>);
    }
  });

  test('that answers CONNECT with nonsense, or with nothing, is named as such', async () => {
    const odd = createServer();
    odd.on('connect', (_request, socket) => socket.end(secondTime ? '' : 'SSH-2.0-harbour\r\n\r\n'));
    let secondTime = false;
    await new Promise<void>((resolve) => odd.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(odd.address() as AddressInfo).port}`;
    assert.equal((await askBy(secure, nameBehindProxy, { proxy: url })).error?.kind, 'proxy');
    secondTime = true;
    assert.equal((await askBy(secure, nameBehindProxy, { proxy: url })).error?.kind, 'proxy');
    odd.close();
  });
});

describe('a certificate of an authority of one’s own', () => {
  test('quirk 41: is trusted where the authority is given, and named as the fault where it is not', async () => {
    assert.equal((await askBy(secure, '127.0.0.1', {})).text, 'through');
    assert.equal((await askBy(secure, '127.0.0.1', { certificates: () => [] })).error?.kind, 'tls');
    assert.equal(
      (await askBy(secure, '127.0.0.1', { certificates: () => [], rejectUnauthorized: false })).text,
      'through',
    );
  });

  for (const variable of ['SSL_CERT_FILE', 'NODE_EXTRA_CA_CERTS']) {
    test(`is trusted where the authority is in the store that ${variable} names`, async () => {
      const program = `
        import { createTransport } from ${JSON.stringify(join(import.meta.dirname, '../../src/service/transport/transport.ts'))};
        import { readCertificates } from ${JSON.stringify(join(import.meta.dirname, '../../src/service/network/certificates.ts'))};
        import { systemClock } from ${JSON.stringify(join(import.meta.dirname, '../../src/base/clock.ts'))};
        const transport = createTransport({ clock: systemClock, certificates: readCertificates });
        const said = await transport.send({ method: 'GET', url: process.argv[1] }, new AbortController().signal)
          .catch((error) => error);
        console.log(said.kind ?? said.status);
        await transport.close();`;
      const given = { ...process.env, SSL_CERT_FILE: '', NODE_EXTRA_CA_CERTS: '', SSL_CERT_DIR: '/nonexistent' };
      const args = ['--no-warnings', '--input-type=module', '-e', program, `${secure.baseUrl}/models`];
      const without = await run(process.execPath, args, { env: given });
      assert.equal(without.stdout.trim(), 'tls');
      const { stdout } = await run(process.execPath, args, { env: { ...given, [variable]: authorityFile } });
      // It was let in, and then asked for a key.
      assert.equal(stdout.trim(), 'auth');
    });
  }

  test('is an error of its own kind, which names no key', async () => {
    const { error } = await askBy(secure, '127.0.0.1', { certificates: () => [] });
    assert.ok(error instanceof ServiceError);
    assert.ok(!JSON.stringify(error).includes(testKey));
  });
});
