import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { EmbeddingModel } from '../../../../src/search/embedding/embeddingModel.ts';
import { createEngine } from '../../../../src/search/engine.ts';
import { temporaryFolder } from '../../../support/searchFolder.ts';

const never = new AbortController().signal;

async function first(t: TestContext, files: Record<string, string>, text: string, model?: EmbeddingModel) {
  const root = temporaryFolder(t);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  const engine = createEngine(temporaryFolder(t));
  t.after(() => engine.close());
  await engine.index({ roots: [root], maxBytes: 1024 * 1024 }, model, never, () => undefined);
  const { hits } = await engine.search([root], { limit: 20, globs: [], text }, model, never);
  return hits.map(({ path }) => path);
}

/** Files that have the words of a message, and are named after them, but do not have the message. */
const named = {
  'src/socketTimeout.ts':
    'export class SocketTimeout {}\nexport const socketTimeout = 1; // socket timeout connection\n',
  'src/connection.ts':
    'export function connection(socket: unknown) { return socket; } // connection refused connection\n',
  'src/refusal.ts': 'export function refused() { return "refused"; } // refused by peer, socket, peer, refused\n',
};
const message = {
  'src/wire/io.ts':
    'export function fail(port: number) {\n  throw new Error("the peer refused this socket on " + port);\n}\n',
};

test('a pasted error message is found where it is written, whatever else is in it', async (t) => {
  for (const question of [
    'Error: the peer refused this socket on 8080',
    'Uncaught (in promise) Error: the peer refused this socket on 8080 at connection (socketTimeout.ts:12)',
    'why do I see the peer refused this socket',
  ])
    assert.equal((await first(t, { ...named, ...message }, question))[0], 'src/wire/io.ts', question);
});

test('with a model that knows better, too', async (t) => {
  const model: EmbeddingModel = {
    model: 'm',
    embed: async (texts) => texts.map((text) => Float32Array.of(/SocketTimeout|pasted|8080/.test(text) ? 1 : 0, 0.1)),
  };
  const question = 'Error: the peer refused this socket on 8080';
  assert.equal((await first(t, { ...named, ...message }, question, model))[0], 'src/wire/io.ts');
});

test('a run of words that stand everywhere is no evidence, and neither are three words', async (t) => {
  const files = {
    'src/connection.ts': 'export class Connection { open() {} }\n',
    'src/note.ts': '// This is what to do with it if there is a connection.\nexport const x = 1;\n',
  };
  assert.equal((await first(t, files, 'what to do with it: class Connection open'))[0], 'src/connection.ts');
  assert.equal(
    (await first(t, { ...files, 'a.ts': '// open a connection\n' }, 'Connection open a connection'))[0],
    'src/connection.ts',
  );
});
