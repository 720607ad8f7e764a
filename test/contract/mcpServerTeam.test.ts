/** What an agent finds by the vectors of a team, where the index of this machine has none. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import type { EmbeddingModel } from '../../src/search/embedding/embeddingModel.ts';
import { createEngine } from '../../src/search/engine.ts';
import { openIndexRegistry } from '../../src/search/registry/indexRegistry.ts';
import { openQuestionServer } from '../../src/search/registry/questionServer.ts';
import { createTeamIndex } from '../../src/search/team/teamIndex.ts';
import { openTeamStore } from '../../src/search/team/teamStore.ts';
import { temporaryFolder } from '../support/searchFolder.ts';
import { startServer } from './mcpServer.ts';
import { startDebianPostgres, type TestPostgres } from './postgresServers.ts';
import { code, question, writeFiles } from './teamClones.ts';

const calm = new AbortController().signal;
const source = { model: 'made-up', origin: 'https://embed.example.org' };
/** An invoice and the question are near to each other, and to nothing else. */
const vectorFor = (text: string): Float32Array =>
  Float32Array.of(1, /invoice/.test(text) || text === question ? 20 : 0, /cloud/.test(text) ? 20 : 0);
const model: EmbeddingModel = { ...source, embed: async (texts) => texts.map(vectorFor) };

let server: TestPostgres;
before(async () => {
  server = await startDebianPostgres();
});
after(() => server.stop());

/** An index of these files that an editor has open; the words alone, or with the vectors of some of them. */
async function editor(t: TestContext, more: Readonly<Record<string, string>> = {}, withVectors = false) {
  const [root, data] = [join(temporaryFolder(t), 'code'), temporaryFolder(t)];
  writeFiles(root, { ...code, ...more });
  const directory = join(data, 'editor');
  mkdirSync(directory);
  const scope = { roots: [root], maxBytes: 1e6, exclude: [], allow: [], includeGenerated: false, encodings: {} };
  const team = createTeamIndex((_, signal) => openTeamStore({ address: server.address, repository: 'agents' }, signal));
  const engine = createEngine(directory, undefined, withVectors ? team : undefined);
  t.after(() => engine.close());
  await engine.index(scope, withVectors ? model : undefined, calm, () => undefined);
  await openIndexRegistry(data).write({ version: 1, directory, scope, source, usedAt: Date.now() });
  const asked: string[] = [];
  const window = await openQuestionServer(data, directory, async (text) => {
    asked.push(text);
    return vectorFor(text);
  });
  t.after(() => window.close());
  return { root, data, engine, asked };
}

const teamAt = (address: string) => ({ PARLEY_STORE: address, PARLEY_STORE_REPOSITORY: 'agents' });

test('an agent finds by a vector of the team, and is told of it; the window is asked for the question alone', async (t) => {
  const builder = await editor(t, { 'src/hidden.ts': 'export const invoiceOfOthers = 1;\n' }, true);
  const published = await builder.engine.publish([builder.root], false, calm, () => undefined);
  assert.equal(published?.stored, 4);
  const { root, data, asked } = await editor(t);
  const { ask } = await startServer(t, data, [root], 'modern', teamAt(server.address));
  const { data: found, text } = await ask('search_code', { query: question });
  assert.deepEqual([found.by, found.places?.[0]?.path, found.team], ['words and meaning', 'src/pay.ts', { hits: 3 }]);
  assert.match(text, /Searched by words and meaning, by meaning in 0 % of the files, and the team index was asked\./);
  assert.match(text, /The question was sent to https:\/\/embed\.example\.org, and no code\./);
  assert.ok(!text.includes('hidden'));
  assert.deepEqual(asked, [question]);
});

test('a team index that does not answer costs nothing but its hits; without one nothing is said of it', async (t) => {
  const { root, data } = await editor(t);
  // No program takes this port for a while.
  const gone = await startServer(t, data, [root], 'modern', teamAt('postgres://a@127.0.0.1:2/b'));
  const down = await gone.ask('search_code', { query: 'cloud' });
  assert.deepEqual([down.data.by, down.data.places?.[0]?.path], ['words', 'src/sky.ts']);
  assert.deepEqual(down.data.team, { hits: 0, problem: 'unreachable' });
  assert.match(down.text, /Searched by words only, and the team index could not be asked \(unreachable\)\./);
  const alone = await startServer(t, data, [root]);
  const { text, data: answer } = await alone.ask('search_code', { query: 'cloud' });
  assert.equal(answer.team, undefined);
  assert.ok(!text.includes('team'));
});
