import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { createPieceStore } from '../../../src/audio/jobs/pieceStore.ts';
import { prepare } from '../../../src/audio/jobs/translate.ts';
import { createPieceFile } from '../../../src/audio/split/write/pieceFile.ts';
import { createJournal } from '../../../src/audio/transcript/journal.ts';
import { closeFolder, prepareDatabaseFile, writeWhole } from '../../../src/base/privateFiles.ts';
import { createHistory } from '../../../src/chat/history/history.ts';
import { createImageStore } from '../../../src/chat/history/imageStore.ts';
import { createLedger } from '../../../src/search/embedding/ledger.ts';
import { createSearchClient } from '../../../src/search/worker/searchClient.ts';
import { runBatch } from '../../support/audioBatch.ts';
import { vectorOf } from '../../support/searchVectors.ts';

/** A folder that others can look into, as VS Code's own are. */
function openFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-private-'));
  chmodSync(folder, 0o755);
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** What others could read below a folder, with its mode; links are passed over. */
function readableByOthers(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isSymbolicLink()) return [];
    const path = join(folder, entry.name);
    const isRight = modeOf(path) === (entry.isDirectory() ? '700' : '600');
    return [...(isRight ? [] : [`${path} ${modeOf(path)}`]), ...(entry.isDirectory() ? readableByOthers(path) : [])];
  });
}
const modeOf = (path: string): string => (lstatSync(path).mode & 0o777).toString(8);

/** What is on the disk while a long recording is translated, and the image of a question. */
async function runLongJobs(storage: string): Promise<void> {
  const pieces = createPieceStore(join(storage, 'pieces'));
  const sha256 = 'a'.repeat(64);
  const request = { sha256, from: 0, to: 1, baseUrl: 'b', model: 'm', prompt: '', options: {} };
  const piece = { index: 0, start: 0, end: 1, from: 0, to: 1, startsQuiet: true, endsQuiet: true };
  await pieces.savePlan(sha256, { pieces: [piece] });
  await pieces.save(request, { text: 'Talk.', segments: undefined });
  const file = await createPieceFile(pieces.pathFor(request, 'wav'));
  await file.append(new Uint8Array(10));
  assert.deepEqual(readableByOthers(storage), []);
  await file.finish();
  await createImageStore(join(storage, 'images')).keep(new Uint8Array(10), 'image/png');
}

/** A workspace and its storage, after each of the three jobs has written there. */
async function runAllJobs(t: TestContext, storage: string): Promise<void> {
  const workspace = openFolder(t);
  writeFileSync(join(workspace, 'ship.ts'), 'export const ship = 1;\n');
  writeFileSync(join(workspace, 'talk.flac'), 'fLaC talk');

  const conversations = join(storage, 'conversations');
  const log = createHistory(conversations).begin('c');
  log.append({ type: 'create', id: 'c', at: 1 });
  log.append({ type: 'ask', id: 'q', text: 'Why?', attachments: [], at: 2 });
  await log.flush();

  const journal = createJournal(join(storage, 'translations'));
  const batch = {
    candidates: [await prepare(join(workspace, 'talk.flac'), journal, new AbortController().signal)],
    model: 'm',
    journal,
    send: async () => ({ text: 'Talk.', segments: undefined }),
    onSaved: () => {},
    report: () => {},
    reportWait: () => {},
    now: () => 0,
  };
  const [outcome] = await runBatch(batch, new AbortController().signal);
  assert.ok(outcome !== undefined && 'transcript' in outcome);

  const script = new URL('../../../src/search/worker/worker.ts', import.meta.url);
  const search = createSearchClient(script, join(storage, 'search'), join(storage, 'machine', 'vectorCache.db'));
  const embeddingModel = {
    model: 'm',
    origin: 'https://service.example',
    embed: async (texts: readonly string[]) => texts.map(() => vectorOf(1, 64)),
  };
  await search.index({ roots: [workspace], maxBytes: 1024 }, embeddingModel);
  // The files beside the databases are there as long as they are open.
  assert.ok(readdirSync(join(storage, 'search')).some((name) => name.endsWith('-wal')));
  assert.deepEqual(readableByOthers(storage), []);
  await search.close();

  await runLongJobs(storage);
  createLedger(join(storage, 'machine', 'spent')).add('2026-11-22', 'https://service.example', 7);
}

test('nothing that chat, search and audio write can be read by others, whatever the umask', async (t) => {
  const before = process.umask(0o022);
  t.after(() => process.umask(before));
  const storage = join(openFolder(t), 'globalStorage', 'parley.parley');
  await runAllJobs(t, storage);
  assert.deepEqual(readableByOthers(join(storage, '..')), []);
  const names = readdirSync(storage, { recursive: true }).map(String);
  for (const part of ['conversations/c.jsonl', 'translations/files', 'search/index.db', 'search/vectors.db']) {
    assert.ok(names.includes(part), `${part} is among ${names.join(', ')}`);
  }
  for (const ending of [/^images\/.*\.png$/, /^pieces\/.*\.wav$/, /^pieces\/.*\/plan\.json$/]) {
    assert.ok(
      names.some((name) => ending.test(name)),
      `${ending} is among ${names.join(', ')}`,
    );
  }
  assert.ok(
    names.includes('machine/vectorCache.db') && names.includes('machine/spent/2026-11-22.txt'),
    names.join(', '),
  );
});

test('a folder for what another program writes is closed to others, also where it was there and open', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-closed-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const [made, found] = [join(folder, 'a', 'log'), join(folder, 'found')];
  mkdirSync(found, { mode: 0o755 });
  for (const path of [made, found]) {
    closeFolder(path);
    assert.equal(statSync(path).mode & 0o777, 0o700);
  }
  const linked = join(folder, 'linked');
  mkdirSync(join(folder, 'outside'), { mode: 0o755 });
  symlinkSync(join(folder, 'outside'), linked);
  closeFolder(linked);
  assert.equal(modeOf(join(folder, 'outside')), '755', 'a link is not followed');
  writeFileSync(join(folder, 'file'), '');
  closeFolder(join(folder, 'file', 'log'));
});

test('the databases of an older version are closed to others when they are opened, with the files beside them', async (t) => {
  const folder = openFolder(t);
  const path = join(folder, 'old.db');
  const old = new DatabaseSync(path);
  t.after(() => old.close());
  old.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (x)');
  for (const suffix of ['', '-wal', '-shm']) chmodSync(path + suffix, 0o644);
  prepareDatabaseFile(path);
  assert.deepEqual(readableByOthers(folder), []);
  linkSync(path, join(folder, 'second.db'));
  symlinkSync(path, join(folder, 'linked.db'));
  chmodSync(path, 0o644);
  prepareDatabaseFile(join(folder, 'linked.db'));
  assert.equal(modeOf(path), '644', 'a link is not followed');
});

test('a database that is in use keeps its locks when it is prepared once more in the same process', (t) => {
  const path = join(openFolder(t), 'lock.db');
  prepareDatabaseFile(path);
  const holder = new DatabaseSync(path);
  t.after(() => holder.close());
  holder.exec('BEGIN EXCLUSIVE');
  prepareDatabaseFile(path);
  const take = `new (require('node:sqlite').DatabaseSync)(${JSON.stringify(path)}).exec('BEGIN EXCLUSIVE')`;
  const { stderr } = spawnSync(process.execPath, ['--eval', take], { encoding: 'utf8' });
  assert.match(stderr, /database is locked/);
});

test('a whole file that cannot be put in its place leaves nothing beside it', async (t) => {
  const folder = openFolder(t);
  mkdirSync(join(folder, 'taken', 'inside'), { recursive: true });
  await assert.rejects(writeWhole(join(folder, 'taken'), 'text'));
  assert.deepEqual(readdirSync(folder), ['taken']);
});
