/** Questions about code whose vectors lie in the database of a team, and not in the index of this machine. */
import assert from 'node:assert/strict';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import type { EmbeddingModel } from '../../src/search/embedding/embeddingModel.ts';
import { createEngine } from '../../src/search/engine.ts';
import type { Query } from '../../src/search/query/query.ts';
import { openFolderIndex } from '../../src/search/registry/folderIndex.ts';
import type { Store } from '../../src/search/store/store.ts';
import type { IndexStore } from '../../src/search/team/indexStore.ts';
import { IndexStoreError } from '../../src/search/team/indexStoreError.ts';
import { createTeamConnection } from '../../src/search/team/teamConnection.ts';
import { createTeamHits } from '../../src/search/team/teamHits.ts';
import { createTeamIndex } from '../../src/search/team/teamIndex.ts';
import { openTeamStore } from '../../src/search/team/teamStore.ts';
import { sourceName } from '../../src/search/types.ts';
import { temporaryFolder } from '../support/searchFolder.ts';
import { calm, fileOf, rowsOf, vectorOf } from './indexStoreContract.ts';
import { startPglite, type TestPostgres } from './postgresServers.ts';

type Open = (root: string, signal: AbortSignal) => Promise<IndexStore | undefined>;

const source = { model: 'm', origin: 'https://a.example' };
const textOf = (topic: string): string => `export const ${topic} = 1;\n`;

const backwards = (word: string): string => [...word].reverse().join('');
/** A question that has the vector of a topic's text, and none of its words. */
const like = (topic: string): string => `like ${backwards(topic)}`;

/** A clone with a file for each topic. */
function clone(t: TestContext, open: Open, topics: readonly string[]) {
  const root = join(temporaryFolder(t), 'code');
  mkdirSync(join(root, 'part'), { recursive: true });
  topics.forEach((topic, at) => {
    writeFileSync(join(root, at === 0 ? 'part/first.ts' : `f${at}.ts`), textOf(topic));
  });
  const scope = { roots: [root], maxBytes: 1e6, exclude: [], allow: [], includeGenerated: false, encodings: {} };
  const sent: string[] = [];
  const model: EmbeddingModel = {
    ...{ ...source, url: 'https://a.example/v1' },
    async embed(texts) {
      sent.push(...texts);
      return texts.map((text) => vectorOf(text.startsWith('like ') ? textOf(backwards(text.slice(5))) : text));
    },
  };
  const engine = createEngine(temporaryFolder(t), undefined, createTeamIndex(open));
  t.after(() => engine.close());
  const search = (text: string, more: Partial<Query> = {}) =>
    engine.search([root], { text, limit: 10, globs: [], ...more }, model, calm);
  return {
    root,
    engine,
    scope,
    sent,
    model,
    search,
    readWords: () => engine.index(scope, undefined, calm, () => undefined),
  };
}

/** What a search found, by paths. */
const paths = ({ hits }: { readonly hits: readonly { path: string }[] }): string[] => hits.map(({ path }) => path);

describe('a question whose vectors a team has', () => {
  let server: TestPostgres;
  before(async () => {
    server = await startPglite();
  });
  after(() => server.stop());

  /** The store of a repository that has these texts, in files of other names, and their vectors. */
  async function teamWith(repository: string, topics: readonly string[]): Promise<Open> {
    const open: Open = (_, signal) => openTeamStore({ address: server.address, repository }, signal);
    const store = await open('', calm);
    const texts = topics.map(textOf);
    await store?.putVectors(sourceName(source) ?? '', rowsOf(texts), calm);
    await store?.putFiles(
      texts.map((text, at) => fileOf(`theirs${at}.ts`, [text])),
      calm,
    );
    await store?.close();
    return open;
  }

  test('is answered by meaning without a vector here, and only the question is sent', async (t) => {
    const { search, readWords, sent } = clone(t, await teamWith('none-here', ['apple', 'pear', 'plum']), [
      'apple',
      'pear',
    ]);
    await readWords();
    const answer = await search(like('pear'));
    assert.deepEqual([answer.by, paths(answer)[0], answer.hits[0]?.why], ['both', 'f1.ts', 'meaning']);
    assert.deepEqual(sent, [like('pear')]);
    assert.ok((answer.team?.hits ?? 0) > 0);
    assert.equal(answer.team?.problem, undefined);
  });

  test('shows nothing that only others have', async (t) => {
    const { search, readWords } = clone(t, await teamWith('others', ['apple', 'secretplan']), ['apple']);
    await readWords();
    const { hits } = await search(like('secretplan'));
    assert.doesNotMatch(JSON.stringify(hits), /secretplan|theirs/);
  });

  test('finds what is behind hundreds of texts of other branches', async (t) => {
    const foreign = Array.from({ length: 700 }, (_, at) => `foreign${at}`);
    const { search, readWords } = clone(t, await teamWith('branches', [...foreign, 'apple', 'pear']), [
      'apple',
      'pear',
    ]);
    await readWords();
    assert.ok(paths(await search(like('foreign7'))).length > 0);
  });

  test('puts those of this machine and of the team into one list', async (t) => {
    let isOpen = false;
    const open = await teamWith('mixed', ['apple', 'pear']);
    const { search, engine, scope, model, root } = clone(t, async (...at) => (isOpen ? open(...at) : undefined), [
      'plum',
    ]);
    await engine.index(scope, model, calm, () => undefined);
    writeFileSync(join(root, 'apple.ts'), textOf('apple'));
    await engine.index(scope, undefined, calm, () => undefined);
    isOpen = true;
    assert.equal(paths(await search(like('apple')))[0], 'apple.ts');
    assert.equal(paths(await search(like('plum')))[0], 'part/first.ts');
  });

  test('keeps to the files of a filter', async (t) => {
    const { search, readWords } = clone(t, await teamWith('filter', ['apple', 'pear']), ['apple', 'pear']);
    await readWords();
    // The team knows the text by another path: what is let through here is asked for by the paths of here.
    assert.deepEqual(paths(await search(`${like('apple')} path:nowhere`)), []);
    for (const path of paths(await search(`${like('apple')} path:part`))) assert.equal(path, 'part/first.ts');
  });

  test('is not asked where all texts have their vector here', async (t) => {
    const open = await teamWith('whole', ['apple']);
    let opened = 0;
    const counted: Open = (...at) => {
      opened++;
      return open(...at);
    };
    const { search, engine, scope, model } = clone(t, counted, ['apple']);
    await engine.index(scope, model, calm, () => undefined);
    const before = opened;
    const answer = await search(like('apple'));
    assert.deepEqual([answer.by, answer.team, opened], ['both', undefined, before]);
  });

  test('finds code that is like some by the vectors of the team', async (t) => {
    const { search, readWords, root } = clone(t, await teamWith('similar', ['apple', 'pear']), ['apple', 'pear']);
    await readWords();
    const place = { root, path: 'part/first.ts', startLine: 1, endLine: 1 };
    const answer = await search('', { similarTo: place });
    assert.deepEqual([answer.by, paths(answer).includes('part/first.ts')], ['both', false]);
  });

  test('gets the words’ hits and a reason from a store that is gone, which is left alone for a while', async (t) => {
    let opened = 0;
    const { search, readWords, sent } = clone(t, async () => {
      opened++;
      throw new IndexStoreError('unreachable');
    }, ['apple', 'pear']);
    await readWords();
    const answer = await search('apple');
    assert.deepEqual(
      [answer.by, paths(answer)[0], answer.team],
      ['keywords', 'part/first.ts', { hits: 0, problem: 'unreachable' }],
    );
    assert.deepEqual(sent, [], 'no vector is asked for that nothing could be compared with');
    const again = await search('pear');
    assert.deepEqual([again.team?.problem, opened], ['unreachable', 1]);
  });

  test('where the team has nothing of the repository, is answered by words', async (t) => {
    const open: Open = (_, signal) => openTeamStore({ address: server.address, repository: 'nothing' }, signal);
    const { search, readWords } = clone(t, open, ['apple']);
    await readWords();
    const answer = await search('apple');
    assert.deepEqual([answer.by, paths(answer), answer.team], ['keywords', ['part/first.ts'], { hits: 0 }]);
  });

  test('does not wait for a store that is silent, and goes on where somebody stops it', async () => {
    let closed = 0;
    const silent = {
      close: async () => {
        closed++;
      },
      nearest: (...[, , , , signal]: Parameters<IndexStore['nearest']>) =>
        new Promise((_, reject) => {
          const stop = (): void => reject(new IndexStoreError('cancelled'));
          if (signal.aborted) stop();
          signal.addEventListener('abort', stop, { once: true });
        }),
    } as unknown as IndexStore;
    const question = (signal: AbortSignal) => ({
      ...{ store: () => assert.fail('nothing was found'), source: 's', roots: ['/a'], vector: vectorOf('a') },
      ...{ limit: 10, files: undefined, signal },
    });
    const connection = createTeamConnection(async () => silent);
    assert.equal(await createTeamHits(connection, 1).near(question(calm)), undefined);
    assert.equal(connection.problemIn(['/a']), 'timeout');

    assert.equal(closed, 0, 'a run may be at work with it');
    assert.equal(await connection.use('/b', calm, async () => 'done'), 'done');
    assert.deepEqual([connection.problemIn(['/b']), connection.problemIn(['/b', '/a'])], [undefined, 'timeout']);

    const stop = new AbortController();
    const stopped = createTeamHits(
      createTeamConnection(async () => silent),
      600_000,
    ).near(question(stop.signal));
    stop.abort();
    await assert.rejects(stopped, { kind: 'cancelled' });
  });

  test('leaves a folder alone that the user has no rights to, and no other one; all after another failure', async () => {
    const asking = (failure: IndexStoreError) => {
      const asked: string[] = [];
      const connection = createTeamConnection(
        async (root) => {
          const nearest = async () => {
            asked.push(root);
            if (root === '/a') throw failure;
            return [];
          };
          return { nearest, close: async () => undefined } as unknown as IndexStore;
        },
        () => 0,
      );
      const question = { store: () => ({}) as Store, source: 's', vector: vectorOf('a'), limit: 10 };
      const near = (root: string) =>
        createTeamHits(connection).near({ ...question, roots: [root], files: undefined, signal: calm });
      return { asked, near };
    };
    const forbidden = asking(new IndexStoreError('no-rights'));
    for (const root of ['/a', '/b', '/a', '/b']) await forbidden.near(root);
    assert.deepEqual(forbidden.asked, ['/a', '/b', '/b']);
    const gone = asking(new IndexStoreError('unreachable'));
    for (const root of ['/b', '/a', '/b', '/a']) await gone.near(root);
    assert.deepEqual(gone.asked, ['/b', '/a']);
  });
});

describe('a clone that was never read', () => {
  let server: TestPostgres;
  before(async () => {
    server = await startPglite();
  });
  after(() => server.stop());

  /** The index of a folder with these files, beside a team that has these; each opened once. */
  async function fresh(
    t: TestContext,
    files: Readonly<Record<string, string>>,
    theirs: Readonly<Record<string, string>> | IndexStoreError,
  ) {
    const root = join(realpathSync(temporaryFolder(t)), 'code');
    mkdirSync(root);
    for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
    const repository = root;
    const open: Open = async (_, signal) => {
      if (theirs instanceof IndexStoreError) throw theirs;
      return openTeamStore({ address: server.address, repository }, signal);
    };
    if (!(theirs instanceof IndexStoreError)) {
      const store = await open('', calm);
      await store?.putFiles(
        Object.entries(theirs).map(([path, text]) => fileOf(path, [text])),
        calm,
      );
      await store?.close();
    }
    const index = await openFolderIndex(temporaryFolder(t), [root], createTeamIndex(open));
    t.after(() => index.close());
    const prepare = (question?: string) => index.prepare(calm, () => undefined, question);
    const found = async (text: string) => paths(await index.search({ text, limit: 10, globs: [] }, calm));
    return { index, prepare, found, hasAll: () => index.engine.scannedAt() !== undefined };
  }
  const many = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`m${at}.ts`, textOf(`filler${at}`)]));

  test('is answered from the files that the team finds, while the others are read', async (t) => {
    const { index, prepare, found, hasAll } = await fresh(
      t,
      { ...many, 'harbour.ts': textOf('lighthouse') },
      { 'harbour.ts': textOf('lighthouse'), 'm1.ts': textOf('filler1') },
    );
    await prepare('lighthouse');
    assert.deepEqual([index.isReading, hasAll()], [true, false]);
    assert.deepEqual(await found('lighthouse'), ['harbour.ts']);
    await prepare('filler7');
    assert.deepEqual([index.isReading, hasAll()], [false, true]);
    assert.deepEqual((await found('filler7'))[0], 'm7.ts');
  });

  test('is read whole, and shows the text of here, where the team has another at that path', async (t) => {
    const { index, prepare, hasAll } = await fresh(
      t,
      { ...many, 'harbour.ts': textOf('ferry') },
      { 'harbour.ts': textOf('lighthouse'), 'gone.ts': textOf('lighthouse') },
    );
    await prepare('lighthouse');
    assert.equal(hasAll(), true);
    const { hits } = await index.search({ text: 'lighthouse', limit: 10, globs: [] }, calm);
    assert.doesNotMatch(JSON.stringify(hits), /gone|lighthouse/);
  });

  test('reads no file by the word of the team that is left out, or lies outside', async (t) => {
    const names = ['../outside.ts', '/etc/passwd', '.env', 'node_modules/a.ts', 'harbour.ts'];
    const { prepare, found } = await fresh(
      t,
      { ...many, '../outside.ts': textOf('lighthouse'), '.env': 'lighthouse=1\n', 'harbour.ts': textOf('lighthouse') },
      Object.fromEntries(names.map((name) => [name, textOf('lighthouse')])),
    );
    await prepare('lighthouse');
    assert.deepEqual(await found('lighthouse'), ['harbour.ts']);
  });

  for (const [name, theirs, question] of [
    ['the question has an operator', { 'm3.ts': textOf('filler3') }, 'filler3 file:*.ts'],
    ['the question has a phrase', { 'm3.ts': textOf('filler3') }, '"filler3"'],
    ['the team has none of the words', { 'harbour.ts': textOf('ferry') }, 'filler3'],
    ['none of the files of the team are here', { 'gone.ts': textOf('filler3') }, 'filler3'],
    ['the question has no words', { 'm3.ts': textOf('filler3') }, '+ -'],
    ['nothing is asked', { 'm3.ts': textOf('filler3') }, undefined],
    ['the team cannot be asked', new IndexStoreError('unreachable'), 'filler3'],
  ] as const) {
    test(`is read whole first where ${name}`, async (t) => {
      const { prepare, found, hasAll } = await fresh(t, many, theirs);
      await prepare(question);
      assert.equal(hasAll(), true);
      assert.equal((await found('filler3'))[0], 'm3.ts');
    });
  }

  test('is read whole first where the team has one of two folders alone', async (t) => {
    const [one, two] = ['one', 'two'].map((name) => join(realpathSync(temporaryFolder(t)), name)) as [string, string];
    for (const root of [one, two]) {
      mkdirSync(root);
      writeFileSync(join(root, 'harbour.ts'), textOf('lighthouse'));
    }
    const open: Open = (root, signal) => openTeamStore({ address: server.address, repository: root }, signal);
    const store = await open(one, calm);
    await store?.putFiles([fileOf('harbour.ts', [textOf('lighthouse')])], calm);
    await store?.close();
    const index = await openFolderIndex(temporaryFolder(t), [one, two], createTeamIndex(open));
    t.after(() => index.close());
    await index.prepare(calm, () => undefined, 'lighthouse');
    assert.notEqual(index.engine.scannedAt(), undefined);
    const { hits } = await index.search({ text: 'lighthouse', limit: 10, globs: [] }, calm);
    assert.equal(hits.length, 2);
  });
});
