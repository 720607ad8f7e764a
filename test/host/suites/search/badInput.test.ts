import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, globSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { commands, Uri } from 'vscode';
import type { SearchHit } from '../../../../src/editor/api.ts';
import { Command, View } from '../../../../src/ids/ids.ts';
import type { RecordedRequest, ReferenceService } from '../../../service/options.ts';
import { deleteIndex, entry, folder, indexAll, startIndexing, writeScratch } from '../support/codeIndex.ts';
import { attribute, dialog, notification, screenshot, texts } from '../support/hands.ts';
import { connectTo, disconnect, setting, startService } from '../support/service.ts';
import { until } from '../support/until.ts';

const git = (...args: string[]): Buffer => execFileSync('git', args, { cwd: folder() });

const contentOf = (word: string): string => `export const ${word} = ${JSON.stringify(`${word} `.repeat(20))};\n`;

/** Where Parley keeps what belongs to this workspace: the run has a folder of its own for all that VS Code keeps. */
function indexFolder(): string {
  const [storage, ...others] = globSync('data/{,data/}User/workspaceStorage/*/parley.parley', {
    cwd: dirname(folder()),
  });
  assert.ok(storage !== undefined && others.length === 0, 'there is one workspace');
  return join(dirname(folder()), storage, 'search');
}

const find = (query: string): Thenable<SearchHit[]> => commands.executeCommand<SearchHit[]>(Command.searchQuery, query);
const isFound = async (file: string, query: string): Promise<boolean> =>
  (await find(query)).some(({ uri }) => uri.fsPath === file);
const why = (file: string): Thenable<string> => commands.executeCommand<string>(Command.searchWhyFile, Uri.file(file));

/** Waits until the entry in the status bar says so, and its hover says the sentence. */
async function untilShown(short: string, sentence: RegExp): Promise<void> {
  await until(`the status bar says “${short}”`, async () => (await texts(entry)).join().includes(short));
  await until(`its hover says ${sentence}`, async () =>
    sentence.test(((await attribute(`${entry} a`, 'aria-label')) ?? '').replace(/^Parley: Code Search · /, '')),
  );
}

describe('Code search with bad input', () => {
  let service: ReferenceService;

  const inputsOf = ({ body }: RecordedRequest): string[] =>
    [(body as { input?: string | string[] }).input ?? []].flat();
  /** Every text that was sent to be embedded. */
  const sent = (): string[] => service.requests.filter(({ path }) => path.endsWith('/embeddings')).flatMap(inputsOf);

  beforeEach(async () => {
    service = await startService();
    await connectTo(service);
    await deleteIndex();
    // What VS Code's watcher tells of would be sent on its own, before or after what a test sends.
    await setting('parley.search.updateOnSave', false);
    await commands.executeCommand(`${View.search}.focus`);
  });
  afterEach(async () => {
    rmSync(join(folder(), 'scratch'), { recursive: true, force: true });
    await deleteIndex();
    await setting('parley.search.updateOnSave', undefined);
    await setting('parley.search.maxFileSize', undefined);
    await service.close();
    await notification.clear();
  });
  after(disconnect);

  it('vectors of another length than before are said; the next run builds new ones, and the old ones stay', async () => {
    const before = await indexAll();
    const zeppelin = writeScratch('zeppelin.ts', contentOf('zeppelin'));
    service.setFault('embeddings-longer');
    assert.equal(await startIndexing(), undefined);
    const said = /The vectors of 127\.0\.0\.1:\d+ have another length than before: index again to build new ones/;
    assert.match(await notification.untilSaid('another length than before'), said);
    await untilShown('Indexing failed', said);
    await screenshot('search-another-length');
    assert.ok(await isFound(zeppelin, 'zeppelin'));
    const sentSoFar = sent().length;
    await notification.press('Build Anew');
    assert.match(await dialog.text(), new RegExp(`Build the index anew, and send ${before.embedded} chunks of`));
    assert.match(await dialog.text(), /About [\d,]+ tokens go to/);
    assert.match(await dialog.text(), /Reuses cached embeddings of 1 chunk\./);
    assert.equal(sent().length, sentSoFar, 'nothing is sent before the answer');
    await screenshot('search-build-anew');
    await dialog.press('Build Anew');
    await notification.untilSaid(
      `Indexed ${before.files + 1} files: ${before.embedded} chunks sent; 1 chunk needed no request.`,
    );
    await untilShown(`${before.files + 1} files`, /^Indexed 100 %/);
    assert.ok((await find('zeppelin')).some((hit) => hit.why === 'both' || hit.why === 'definition'));
    service.setFault(undefined);
    const harpoon = writeScratch('harpoon.ts', contentOf('harpoon'));
    assert.equal(await startIndexing(), undefined);
    const sentBefore = sent().length;
    const last = await startIndexing();
    assert.deepEqual([last?.embedded, sent().slice(sentBefore).length], [1, 1]);
    assert.ok(await isFound(harpoon, 'harpoon'));
  });

  it('vectors of another length for once are asked for again, and nobody is told to build anew', async () => {
    await indexAll();
    writeScratch('zeppelin.ts', contentOf('zeppelin'));
    service.setFault('embeddings-longer-once');
    const result = await startIndexing();
    assert.equal(result?.embedded, 1);
    await notification.untilSaid('needed no request');
    await untilShown('files', /^Indexed 100 %/);
  });

  it('vectors that are no numbers for once are asked for again, and nothing is said', async () => {
    for (let i = 0; i < 40; i++) writeScratch(`part${i}.ts`, contentOf(`part${i}`));
    service.setFault('embeddings-nan-once');
    const { refused } = await indexAll();
    assert.equal(refused, undefined);
    await untilShown('files', /^Indexed 100 %/);
  });

  it('a text that the service cannot take costs itself alone, is named in the report, and is not sent again until it changes', async () => {
    for (let i = 0; i < 40; i++) writeScratch(`part${i}.ts`, contentOf(`part${i}`));
    const bad = writeScratch('bad.ts', contentOf('nan text'));
    service.setFault('embeddings-nan-text');
    const running = startIndexing();
    await dialog.press('Index Now');
    assert.equal((await running)?.refused, 1);
    await notification.untilSaid('1 text is found by words alone: the service cannot take it.');
    await untilShown('files', /^Indexed 100 %/);
    await notification.press('Show Report');
    await until('the report names it', async () =>
      (await texts('.markdown-body li', { extension: 'vscode.markdown-language-features', frame: '.markdown-body' }))
        .join()
        .includes('scratch/bad.ts, lines 1 to 1'),
    );
    await screenshot('search-refused-text');
    assert.ok(await isFound(bad, 'nan text'), 'words find it');
    const before = sent().length;
    assert.equal((await startIndexing())?.embedded, 0);
    assert.equal(sent().length, before, 'it is not paid again');
    writeScratch('bad.ts', contentOf('good'));
    assert.equal((await startIndexing())?.embedded, 1);
    assert.ok(
      sent()
        .slice(before)
        .some((text) => text.includes('good good')),
    );
  });

  it('a vector file cut short is said when it is opened; the rest is found, and the next run asks for what is gone alone', async () => {
    for (let i = 0; i < 40; i++) writeScratch(`part${i}.ts`, contentOf(`part${i}`));
    const { chunks } = await indexAll();
    // A window opens the files of its index once. As one that has it open no more, Delete Index leaves it; so what a new
    // window would find is put back in its place.
    const [kept, path] = [join(folder(), '..', 'kept'), indexFolder()];
    cpSync(path, kept, { recursive: true });
    await deleteIndex();
    cpSync(kept, path, { recursive: true });
    rmSync(kept, { recursive: true });
    const values = join(path, 'vectors-1.values');
    truncateSync(values, Math.floor(statSync(values).size / 2));

    const before = sent().length;
    service.setFault('slow-first-byte');
    const running = startIndexing();
    const asked = await dialog.text();
    const lost = Number(/Send (\d+) chunks of/.exec(asked)?.[1]);
    assert.ok(lost > 1 && lost <= Math.ceil(chunks / 2), asked);
    await dialog.press('Index Now');
    await until('a request is open', () => service.requests.some((request) => !request.finished));
    await commands.executeCommand(Command.searchCancel);
    assert.equal(await running, undefined);
    await untilShown(
      'Indexed',
      new RegExp(`^Indexed 100 %.* · ${lost} chunks damaged on the disk, until the next run`),
    );
    await screenshot('search-damaged');
    service.setFault(undefined);
    assert.ok((await find('attempt it once more when the connection was lost')).some((hit) => hit.why !== 'words'));
    const asking = sent().length;
    assert.equal((await startIndexing())?.embedded, lost);
    assert.equal(sent().length - asking, lost);
    assert.ok(before < asking);
    await untilShown('files', /^Indexed 100 %[^·]*$/);
  });

  it('a folder for the index that cannot be made is said; when it can, the next run makes it', async () => {
    await find('tide table');
    const path = indexFolder();
    await deleteIndex();
    assert.ok(!existsSync(path));
    writeFileSync(path, 'in the way');
    const said = /The folder in which Parley keeps the index cannot be written to/;
    assert.equal(await startIndexing(), undefined);
    assert.match(await notification.untilSaid('cannot be written to'), said);
    await untilShown('Indexing failed', said);
    await screenshot('search-no-folder');
    await assert.rejects(async () => find('tide table'), said);
    await untilShown('Indexing failed', said);
    rmSync(path);
    const { files } = await indexAll();
    await untilShown(`${files} files`, /^Indexed 100 %/);
    assert.ok((await find('tide table')).length > 0);
  });

  it('files of odd sizes and encodings are indexed, or left out for a reason that is told', async () => {
    const log = writeScratch('journal.txt', 'first line\n');
    truncateSync(log, 500 * 1024 * 1024);
    const line = writeScratch('line.txt', `${'ebb and flow '.repeat(170_000)}zeppelin\n`);
    const bundle = writeScratch('bundle.js', `var a=${JSON.stringify('harpoon '.repeat(2_000))};`);
    const latin1 = writeScratch('latin1.txt', Buffer.from('Die Größe der Türme am Kattegat\n', 'latin1'));
    const utf16 = writeScratch('utf16.txt', Buffer.from('\ufeffDer Leuchtturm am Skagerrak\n', 'utf16le'));
    const binary = writeScratch('image.dat', Uint8Array.of(137, 80, 78, 71, 0, 1, 2, 3));
    await setting('parley.search.maxFileSize', 8_192);
    await indexAll();
    await untilShown('files', /^Indexed 100 %/);
    assert.match(await why(log), /^journal\.txt is not indexed: it is over the size limit\./);
    assert.match(await why(bundle), /^bundle\.js is not indexed: it is minified\./);
    assert.match(await why(binary), /^image\.dat is not indexed: it is not text\./);
    assert.match(
      await why(line),
      /^line\.txt is indexed .*: [\d,]+ chunks\. It is found by keywords and by meaning\.$/,
    );
    for (const file of [latin1, utf16]) {
      assert.match(await why(file), / is indexed .*: 1 chunk\. It is found by keywords and by meaning\.$/);
    }
    assert.ok(await isFound(line, 'zeppelin'));
    assert.ok(await isFound(latin1, 'Größe Türme'));
    assert.ok(await isFound(utf16, 'Skagerrak'));
    assert.ok(sent().some((text) => text.includes('Die Größe der Türme')));
  });

  it('a file deleted between listing and reading is no part of the index, and the rest is', async () => {
    const [doomed, other] = [
      writeScratch('held/doomed.ts', contentOf('doomed')),
      writeScratch('held/other.ts', contentOf('other')),
    ];
    // Git lists what was added to it, though it is gone from the disk when it is to be read.
    git('add', '--force', doomed);
    rmSync(doomed);
    const running = startIndexing();
    assert.match(await dialog.text(), /The index holds 100 %/);
    await dialog.press('Index Now');
    await running;
    await untilShown('files', /^Indexed 100 %/);
    assert.ok(await isFound(other, 'other'));
    assert.ok(!(await isFound(doomed, 'doomed')));
    assert.match(await why(doomed), /doomed\.ts is not indexed: there is no such file on the disk\./);
    git('rm', '--cached', '--quiet', doomed);
  });
});
