import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import { chunkerVersion } from '../../src/search/chunker/chunker.ts';
import type { ReferenceService } from '../service/options.ts';
import { createReferenceService } from '../service/server.ts';
import { rowsOf, sealed, unit, withHeader, withRows } from '../support/sharedFiles.ts';
import { type CommandLine, commandLine, serviceArgs, withKey } from './commandLine.ts';

const fileName = 'vectors.parley-index';

describe('a shared file of vectors', () => {
  let service: ReferenceService;
  before(async () => {
    service = await createReferenceService();
  });
  after(() => service.close());

  /** One who has an index by meaning, and the file that was written from it. */
  async function exported(
    t: TestContext,
    args: readonly string[] = [],
    files?: number,
  ): Promise<[CommandLine, string]> {
    const first = commandLine(t, files);
    assert.equal((await first.run(['index', ...serviceArgs(service), '--yes'], withKey)).code, 0);
    const file = join(first.data, fileName);
    const { code, stderr } = await first.run(['export', '--to', file, ...args]);
    assert.equal(code, 0, stderr);
    return [first, file];
  }
  const keys = (t: TestContext): { privatePath: string; publicPath: string } => {
    const pair = generateKeyPairSync('ed25519');
    const folder = commandLine(t).data;
    const [privatePath, publicPath] = [join(folder, 'private.pem'), join(folder, 'public.pem')];
    writeFileSync(privatePath, pair.privateKey.export({ type: 'pkcs8', format: 'pem' }));
    writeFileSync(publicPath, pair.publicKey.export({ type: 'spki', format: 'pem' }));
    return { privatePath, publicPath };
  };

  test('a second clone takes it, and sends nothing for what has not changed', async (t) => {
    const [first, file] = await exported(t);
    const second = commandLine(t);
    const from = service.requests.length;
    const taken = await second.json(['import', '--from', file]);
    assert.deepEqual([taken.code, taken.value.taken, taken.value.known, taken.value.without], [0, 3, 0, 0]);
    assert.deepEqual(taken.value.header, {
      ...{ format: 1, model: 'parley-embed', origin: service.origin },
      ...{ dimensions: 256, chunker: chunkerVersion, count: 3 },
    });
    const indexed = await second.json(['index', ...serviceArgs(service), '--yes'], withKey);
    assert.deepEqual([indexed.code, (indexed.value.result as { embedded: number }).embedded], [0, 0]);
    assert.equal(service.requests.length, from, 'no request');

    const answers = await Promise.all(
      [first, second].map((cli) => cli.json(['query', 'ship1', ...serviceArgs(service)], withKey)),
    );
    const [a, b] = answers.map(({ value }) => (value.hits as { root: string }[]).map(({ root: _, ...hit }) => hit));
    assert.deepEqual(b, a, 'the same hits, with the same scores');
    assert.equal(answers[1]?.value.by, 'both');
  });

  test('only what the file lacks is asked for', async (t) => {
    const [, file] = await exported(t);
    const second = commandLine(t, 4);
    const taken = await second.json(['import', '--from', file]);
    assert.deepEqual([taken.value.taken, taken.value.without], [3, 1]);
    const indexed = await second.json(['index', ...serviceArgs(service), '--yes'], withKey);
    assert.equal((indexed.value.result as { embedded: number }).embedded, 1);
    const again = await second.json(['import', '--from', file]);
    assert.deepEqual([again.value.taken, again.value.known, again.value.without], [0, 4, 0]);
  });

  test('it holds no text, no path, and the same bytes whoever writes it', async (t) => {
    const [first, file] = await exported(t);
    const bytes = readFileSync(file);
    for (const word of ['topic', 'ship', 'f1.ts', first.root]) assert.ok(!bytes.includes(word), word);
    const [, other] = await exported(t);
    assert.ok(readFileSync(other).equals(bytes));
    assert.equal(statSync(file).mode & 0o077, 0);
  });

  test('what was cut off, damaged or is something else is refused, and nothing is taken', async (t) => {
    const [, file] = await exported(t);
    const bytes = readFileSync(file);
    const flipped = (at: number): Buffer => {
      const copy = Buffer.from(bytes);
      copy[at] = (copy[at] ?? 0) ^ 1;
      return copy;
    };
    const cli = commandLine(t);
    const path = join(cli.data, 'other.parley-index');
    const refused: [string, Buffer | string][] = [
      ['cut off in its end', bytes.subarray(0, -1)],
      ['cut off in a row', bytes.subarray(0, -80)],
      ['cut off in its header', bytes.subarray(0, 40)],
      ['longer than it says', Buffer.concat([bytes, Buffer.alloc(7)])],
      ['with what is no signature', Buffer.concat([bytes, Buffer.alloc(65)])],
      ['a bit of a row is another', flipped(bytes.length - 60)],
      ['a bit of a hash is another', flipped(bytes.length - 32 - (40 + 2 * 256) * 3 + 1)],
      ['a bit of the checksum is another', flipped(bytes.length - 1)],
      ['a count beyond all bounds', withHeader(bytes, { count: 4_000_000_000 })],
      ['a length below one', withHeader(bytes, { dimensions: 0 })],
      ['a name that is none', withHeader(bytes, { model: 7 })],
    ];
    for (const [what, content] of refused) {
      writeFileSync(path, content);
      const { code, stderr } = await cli.run(['import', '--from', path]);
      assert.equal(code, 2, what);
      assert.match(stderr, /damaged or was cut off, so nothing of it was taken/, what);
    }
    for (const content of ['', 'PARLEY', '<!DOCTYPE html><title>Sign in</title>', '\u0000'.repeat(4_000)]) {
      writeFileSync(path, content);
      assert.match(
        (await cli.run(['import', '--from', path])).stderr,
        /no shared file of Parley/,
        content.slice(0, 20),
      );
    }
    writeFileSync(path, withHeader(bytes, { format: 2 }));
    assert.match((await cli.run(['import', '--from', path])).stderr, /made by a newer version/);
    for (const from of [join(cli.data, 'nothing'), cli.data]) {
      assert.match((await cli.run(['import', '--from', from])).stderr, /is not there, or cannot be read/);
    }
    assert.deepEqual((await cli.json(['report'])).value.model, undefined, 'no vector came from any of them');
    writeFileSync(path, bytes);
    assert.equal((await cli.run(['import', '--from', path])).code, 0);
  });

  test('rows that no exporter writes are refused, though their checksums are right', async (t) => {
    const [, file] = await exported(t);
    const bytes = readFileSync(file);
    const rows = rowsOf(bytes);
    const cli = commandLine(t);
    const path = join(cli.data, fileName);
    const long = Buffer.from(rows[0] as Buffer);
    long.writeFloatLE(3e30, 36);
    const endless = Buffer.from(rows[0] as Buffer);
    endless.writeFloatLE(Number.POSITIVE_INFINITY, 36);
    const none = Buffer.from(rows[0] as Buffer);
    none.writeFloatLE(Number.NaN, 36);
    const [a, b, c] = rows as [Buffer, Buffer, Buffer];
    for (const [what, hostile] of Object.entries({
      'a vector that comes before all others': [sealed(long), b, c],
      'an endless vector': [sealed(endless), b, c],
      'no number': [sealed(none), b, c],
      'a text twice': [a, a, c],
      'another order': [b, a, c],
    })) {
      writeFileSync(path, withRows(bytes, hostile));
      const { code, stderr } = await cli.run(['import', '--from', path]);
      assert.deepEqual([code, /damaged or was cut off/.test(stderr)], [2, true], what);
    }
    writeFileSync(path, withRows(bytes, [a, b, c]));
    assert.equal((await cli.run(['import', '--from', path])).code, 0, 'the same rows as they were');
  });

  test('a signature is made and checked; a wrong one, none, and what is no key are refused', async (t) => {
    const { privatePath, publicPath } = keys(t);
    const [first, file] = await exported(t, ['--sign', privatePath]);
    const cli = commandLine(t);
    const checked = await cli.json(['import', '--from', file, '--verify', publicPath]);
    assert.deepEqual([checked.code, checked.value.signature], [0, 'checked']);
    const unchecked = await cli.run(['import', '--from', file]);
    assert.match(unchecked.stderr, /signed; --verify with a public key checks it/);

    const stranger = keys(t);
    const wrong = await cli.run(['import', '--from', file, '--verify', stranger.publicPath]);
    assert.deepEqual([wrong.code, /not signed with the key to this public one/.test(wrong.stderr)], [2, true]);
    const unsigned = join(first.data, 'unsigned.parley-index');
    await first.run(['export', '--to', unsigned]);
    assert.match((await cli.run(['import', '--from', unsigned, '--verify', publicPath])).stderr, /is not signed/);
    // The signature of another file does not fit, though the key is right.
    const mixed = Buffer.concat([
      withHeader(readFileSync(unsigned), { origin: 'https://b.example' }),
      readFileSync(file).subarray(-64),
    ]);
    writeFileSync(unsigned, mixed);
    assert.match(
      (await cli.run(['import', '--from', unsigned, '--verify', publicPath])).stderr,
      /not signed with the key/,
    );

    const rsa = join(first.data, 'rsa.pem');
    writeFileSync(
      rsa,
      generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ type: 'spki', format: 'pem' }),
    );
    for (const key of [rsa, file, join(first.data, 'nothing')]) {
      const { code, stderr } = await cli.run(['import', '--from', file, '--verify', key]);
      assert.deepEqual([code, /takes an Ed25519 key as PEM/.test(stderr)], [2, true], key);
    }
    const bad = await first.run(['export', '--to', unsigned, '--sign', publicPath]);
    assert.match(bad.stderr, /takes an Ed25519 key as PEM/);
    assert.ok(readFileSync(unsigned).equals(mixed), 'the file that was there stays');
    assert.deepEqual(
      readdirSync(first.data).filter((name) => name.startsWith('unsigned')),
      ['unsigned.parley-index'],
    );
  });

  test('another model, another service and another length are refused with a word why', async (t) => {
    const [, file] = await exported(t);
    const bytes = readFileSync(file);
    const [second] = await exported(t);
    const path = join(second.data, 'other.parley-index');
    const from = async (change: object, ...args: string[]) => {
      writeFileSync(path, withHeader(bytes, change));
      return second.run(['import', '--from', path, ...args]);
    };
    assert.match((await from({ model: 'parley-embed-2' })).stderr, /vectors of the model parley-embed-2/);
    assert.match((await from({ documentPrefix: 'passage: ' })).stderr, /vectors of the model parley-embed,/);
    assert.match((await from({ origin: 'https://b.example' })).stderr, /that https:\/\/b\.example gave.*--any-service/);
    assert.equal((await from({ origin: 'https://b.example' }, '--any-service')).code, 0);
    assert.equal((await from({ origin: undefined })).code, 0, 'a file that names no service');
    const shorter = rowsOf(bytes).map((row) => sealed(Buffer.concat([row.subarray(0, 36), unit(4)])));
    writeFileSync(path, withRows(withHeader(bytes, { dimensions: 4 }), shorter));
    assert.match((await second.run(['import', '--from', path])).stderr, /another length than those of the index/);
  });

  test('an address is downloaded without a key, and a redirect to another host is followed', async (t) => {
    const [, file] = await exported(t);
    const bytes = readFileSync(file);
    const asked: string[] = [];
    const store = await serve(t, (request, response) => {
      asked.push(String(request.headers.authorization));
      response.end(bytes);
    });
    const release = await serve(t, (_, response) => response.writeHead(302, { location: `${store}/signed?t=1` }).end());
    const cli = commandLine(t);
    const taken = await cli.json(['import', '--from', `${release}/vectors`], withKey);
    assert.deepEqual([taken.code, taken.value.taken], [0, 3]);
    assert.deepEqual(asked, ['undefined']);
    const left = readdirSync(String(taken.value.directory)).filter((name) => name.endsWith('.part'));
    assert.deepEqual(left, []);
  });

  test('an endless, cut or strange answer ends, is refused, and leaves nothing', async (t) => {
    const [, file] = await exported(t);
    const bytes = readFileSync(file);
    let answer: RequestListener = () => {};
    const address = await serve(t, (request, response) => answer(request, response));
    const cli = commandLine(t);
    const from = async (listener: RequestListener) => {
      answer = listener;
      return cli.run(['import', '--from', address]);
    };
    const endless = await from((_, response) => {
      response.write(bytes);
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      };
      response.on('drain', more);
      more();
    });
    assert.match(endless.stderr, /damaged or was cut off/);
    const noise = await from((_, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536, 'x')));
      };
      response.on('drain', more);
      more();
    });
    assert.match(noise.stderr, /no shared file of Parley/);
    assert.match((await from((_, response) => response.end(bytes.subarray(0, 100)))).stderr, /damaged or was cut off/);
    assert.match(
      (await from((_, response) => response.end('<html>Sign in</html>'))).stderr,
      /a login may stand before/,
    );
    assert.match((await from((_, response) => response.writeHead(404).end('{}'))).stderr, /There is nothing at/);
    const folders = readdirSync(join(cli.data, 'indexes'), { recursive: true, encoding: 'utf8' });
    assert.deepEqual(folders, [], 'no part, and no folder for an index that there is not');
    for (const bad of ['http://files.example/v', 'ftp://files.example/v', 'https://user:secret@files.example/v']) {
      const { code, stderr } = await cli.run(['import', '--from', bad]);
      assert.deepEqual([code, /https address without a user name/.test(stderr)], [2, true], bad);
      assert.ok(!stderr.includes('secret'));
    }
  });

  test('a place that is a folder, is not there or is not to be written to is a word why, and nothing is left', async (t) => {
    const [first, file] = await exported(t);
    const before = readdirSync(first.data).sort();
    for (const to of [first.root, join(first.data, 'nowhere', 'v'), join(file, 'v'), '/proc/v']) {
      const { code, stderr } = await first.run(['export', '--to', to]);
      assert.deepEqual([code, stderr.includes(`could not be written to ${to}.`)], [2, true], stderr);
    }
    assert.deepEqual(readdirSync(first.data).sort(), before);
    assert.equal((await first.run(['export', '--to', file])).code, 0, 'a file that is there is written over');
  });

  test('without vectors, a place to write to or a name there is a word why', async (t) => {
    const cli = commandLine(t);
    assert.match((await cli.run(['export', '--to', 'v'])).stderr, /There is no index of/);
    await cli.run(['index']);
    assert.match((await cli.run(['export', '--to', 'v'])).stderr, /no vectors that could be shared/);
    assert.match((await cli.run(['export'])).stderr, /not said where the file goes/);
    assert.match((await cli.run(['import'])).stderr, /not said which file is taken/);
  });
});

/** A server on this machine that ends with the test. */
async function serve(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  t.after(() => server.close().closeAllConnections());
  await new Promise((resolve) => server.once('listening', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
