import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join, posix } from 'node:path';
import { commands, Position, Uri, window, workspace } from 'vscode';
import type { SearchHit } from '../../../../src/editor/api.ts';
import { Command, View } from '../../../../src/ids/ids.ts';
import type { ReferenceService } from '../../../service/options.ts';
import { readSelfSignedPair } from '../../../service/selfSigned.ts';
import { deleteIndex, entry, folder, indexAll, inputsOf, startIndexing, writeScratch } from '../support/codeIndex.ts';
import { closeEditors } from '../support/editors.ts';
import {
  attribute,
  click,
  dialog,
  hover,
  notification,
  press,
  quickPick,
  screenshot,
  text,
  texts,
  type,
  visible,
  waitFor,
} from '../support/hands.ts';
import { connectTo, disconnect, setting, startService } from '../support/service.ts';
import { repositoryRoot } from '../support/subject.ts';
import { until } from '../support/until.ts';

const row = `.pane-body .monaco-list-row`;
/** What a marked line looks like: a decoration of an extension, drawn over the whole line. */
const mark = '.editor-instance .view-overlays .cdr[class*="ced-"]';

async function find(query: string, options?: object): Promise<SearchHit[]> {
  return commands.executeCommand<SearchHit[]>(Command.searchQuery, query, options);
}

const nameOf = (hit: SearchHit | undefined): string => (hit === undefined ? '' : workspace.asRelativePath(hit.uri));

describe('Code search', () => {
  let service: ReferenceService;

  /** Every text that was sent to be embedded. */
  const sent = (): string[] =>
    service.requests.filter((request) => request.path.endsWith('/embeddings')).flatMap(inputsOf);

  beforeEach(async () => {
    service = await startService();
    await connectTo(service);
    await deleteIndex();
    rmSync(join(folder(), 'scratch'), { recursive: true, force: true });
  });
  afterEach(async () => {
    await commands.executeCommand(Command.searchClear);
    await commands.executeCommand('workbench.action.files.revert');
    await closeEditors();
    await service.close();
    rmSync(join(folder(), 'scratch'), { recursive: true, force: true });
    await notification.clear();
  });
  after(disconnect);

  it('shows what would be sent to which host before anything is sent, and a Cancel sends nothing', async () => {
    writeScratch('server.pem', 'not a certificate');
    const running = startIndexing();
    const asked = await dialog.text();
    await screenshot('search-consent');
    assert.match(asked, /Send \d+ chunks of \d+ files to 127\.0\.0\.1:\d+\?/);
    assert.match(asked, /About [\d,]+ tokens/);
    assert.match(asked, /1 file with the name of a secret/);
    assert.match(asked, /\d+ files that are not text/);
    assert.match(asked, /The index holds 100 % of [\d,]+ lines in \d+ files\./);
    await dialog.press('Cancel');
    assert.equal(await running, undefined);
    assert.equal(service.requests.length, 0);
    assert.ok((await find('tide table')).length > 0, 'keywords work without a yes');
    assert.equal(service.requests.length, 0);
  });

  it('sends what was shown after Index Now; a second run asks nothing and sends nothing', async () => {
    const running = startIndexing();
    const [, chunks, files] = /Send (\d+) chunks of (\d+) files/.exec(await dialog.text()) ?? [];
    await dialog.press('Index Now');
    const result = await running;
    assert.equal(String(result?.embedded), chunks);
    assert.equal(String(result?.files), files);
    assert.equal(sent().length, result?.embedded);
    await notification.untilSaid(`Indexed ${files} files: ${chunks} chunks sent`);
    const requests = service.requests.length;
    const again = await startIndexing();
    assert.deepEqual([again?.embedded, again?.reused], [0, result?.chunks]);
    await notification.untilSaid('nothing was sent');
    assert.equal(service.requests.length, requests);
  });

  it('the view offers to index as long as there is something to index', async () => {
    const offered = (label: string): string => `.pane-body .welcome-view .monaco-button:has-text("${label}")`;
    await commands.executeCommand(`${View.search}.focus`);
    await waitFor(offered('Index Workspace'));
    await indexAll();
    await waitFor(offered('Index Workspace'), { state: 'hidden' });
    await waitFor(offered('Search Code by Meaning'));
  });

  it('finds code by meaning, and says which lines and why', async () => {
    await indexAll();
    const [first] = await find('attempt it once more when the connection was lost');
    assert.equal(nameOf(first), 'src/http/retry.ts');
    assert.ok(first && first.startLine >= 1 && first.endLine >= first.startLine && first.text.length > 0);
    assert.match(first.why, /meaning|both|definition/);
  });

  it('keeps to the limit and the globs of the caller', async () => {
    await indexAll();
    assert.equal((await find('read the table', { limit: 2 })).length, 2);
    const python = await find('read the table', { globs: ['*.py'] });
    assert.ok(python.length > 0);
    assert.ok(python.every((hit) => nameOf(hit).endsWith('.py')));
  });

  it('one long file with many hits does not fill the list; its best places stand together, and agents get them, too', async () => {
    const part = (at: number): string =>
      `/** Moors a zeppelin at its mast, number ${at}. */\nexport function moorZeppelin${at}(mast: string): string {\n` +
      `${`  console.log('zeppelin at', mast, ${at});\n`.repeat(30)}  return mast;\n}\n\n`;
    writeScratch('hangar.ts', Array.from({ length: 12 }, (_, at) => part(at)).join(''));
    writeScratch('mast.ts', `// where a zeppelin is moored\nexport const mast = 'north';\n`);
    const hits = await find('zeppelin moored at a mast', { limit: 2 });
    assert.deepEqual(
      hits
        .map(nameOf)
        .map((name) => posix.basename(name))
        .sort(),
      ['hangar.ts', 'mast.ts'],
    );
    const long = hits.find((hit) => nameOf(hit).endsWith('hangar.ts'));
    assert.equal(long?.places?.length, 2);
    assert.ok(long.places.every(({ startLine, score }) => startLine !== long.startLine && score <= long.score));

    await commands.executeCommand(Command.searchQuery);
    await quickPick.filter('zeppelin moored at a mast');
    const items = await until('both files are listed', async () => {
      const found = await quickPick.items().catch(() => []);
      return ['hangar.ts:', 'mast.ts:'].every((name) => found.some((label) => label.startsWith(name)))
        ? found
        : undefined;
    });
    const files = items.map((label) => label.split(':')[0]);
    assert.equal(files.filter((file) => file === 'hangar.ts').length, 3, items.join('\n'));
    assert.equal(files.lastIndexOf('hangar.ts') - files.indexOf('hangar.ts'), 2, 'they stand together');
    await screenshot('search-by-file');
    await press('Escape');
    await quickPick.untilClosed();
  });

  it('never sends secrets, nor what git ignores', async () => {
    writeScratch('deploy.key', 'SECRET-IN-A-KEY-FILE');
    writeScratch('config.ts', `export const awsKey = 'AKIA${'QWERTYUI98765432'}';\n`);
    const result = await indexAll();
    assert.ok(result.skipped >= 2);
    const all = sent().join('\n');
    assert.ok(all.includes('loadTideTable'));
    assert.doesNotMatch(all, /SECRET-IN-A-KEY-FILE|AKIA|TIDEPOOL_MAIL_PASSWORD|stations\.ts\n/);
  });

  it('fills a list as one types; Enter opens the hit, marked until the document is edited', async () => {
    await indexAll();
    await commands.executeCommand(Command.searchQuery);
    await quickPick.filter('open the tide table');
    const first = await until('a hit is listed', async () => {
      const items = await quickPick.items().catch(() => []);
      return items.some((label) => label.startsWith('loadTable.ts:')) ? items[0]?.split(':')[0] : undefined;
    });
    await press('ArrowRight');
    await waitFor(mark);
    assert.ok(await visible('.quick-input-widget .quick-input-list'), 'the list stays while one peeks');
    await screenshot('search-quick-pick');
    await press('Enter');
    await until('the hit is open', () => window.activeTextEditor?.document.uri.path.endsWith(first));
    await waitFor(mark);
    await screenshot('search-hit-marked');
    await quickPick.untilClosed();
    await until('typing removes the mark', async () => {
      await type('/');
      return !(await visible(mark));
    });
    await commands.executeCommand('workbench.action.files.revert');
  });

  it('keeps the list in the results view, by file, and opens a hit from there with its reason on hover', async () => {
    await indexAll();
    await commands.executeCommand(Command.searchQuery);
    await quickPick.filter('tide table');
    await until('hits are listed', async () => (await quickPick.items().catch(() => [])).length > 1);
    await click('.quick-input-widget .quick-input-titlebar .action-label.codicon-list-tree');
    await waitFor(`${row}:has-text("loadTable.ts")`);
    await until('the heading says what was asked', async () =>
      (await texts('.pane-body .message')).join().includes('hits for “tide table”'),
    );
    await screenshot('search-results');
    const hit = `${row}:has-text("loadTideTable")`;
    assert.match(await text(hit), /^15: .+(by words|by meaning|by words and meaning|defines it) · \d\.\d\d$/);
    await click(hit);
    await until('the file is open', () => window.activeTextEditor?.document.uri.path.endsWith('loadTable.ts'));
    await waitFor(mark);
    await hover('.editor-instance .view-lines .view-line:has-text("loadTideTable")');
    await waitFor('.monaco-hover:has-text("· score")');
    await commands.executeCommand(Command.searchClear);
    await waitFor(mark, { state: 'hidden' });
    await waitFor(`${row}:has-text("loadTable.ts")`, { state: 'hidden' });
  });

  it('sends a saved file again, and nothing else', async () => {
    const file = writeScratch('notes.ts', 'export const nothing = 1;\n');
    await indexAll();
    const before = sent().length;
    const document = await workspace.openTextDocument(Uri.file(file));
    const editor = await window.showTextDocument(document);
    await editor.edit((edit) => edit.insert(new Position(0, 0), '// The zeppelin lands at noon.\n'));
    await document.save();
    await until('the file was sent', () => sent().length > before);
    const news = sent().slice(before);
    assert.equal(news.length, 1);
    assert.match(news[0] ?? '', /zeppelin/);
    await until('it is found', async () => nameOf((await find('zeppelin'))[0]) === 'scratch/notes.ts');
  });

  it('without a yes, a saved file is found by its words and nothing is sent', async () => {
    const file = writeScratch('diary.ts', 'export const nothing = 1;\n');
    await find('anything');
    const document = await workspace.openTextDocument(Uri.file(file));
    const editor = await window.showTextDocument(document);
    await editor.edit((edit) => edit.insert(new Position(0, 0), '// The zeppelin lands at noon.\n'));
    await document.save();
    await until('it is found', async () => nameOf((await find('zeppelin'))[0]) === 'scratch/diary.ts');
    assert.equal(service.requests.length, 0);
  });

  it('a deleted file leaves the results', async () => {
    const file = writeScratch('zeppelin.ts', 'export const zeppelin = 1;\n');
    await indexAll();
    assert.equal(nameOf((await find('zeppelin'))[0]), 'scratch/zeppelin.ts');
    await workspace.fs.delete(Uri.file(file));
    await until('it is gone', async () =>
      (await find('zeppelin')).every((hit) => nameOf(hit) !== 'scratch/zeppelin.ts'),
    );
  });

  it('a cancel keeps what came back, and Resume asks only for the rest', async () => {
    for (let i = 0; i < 150; i++) writeScratch(`part${i}.ts`, `export const part${i} = ${i};\n`);
    service.setFault('slow-first-byte-once');
    const running = startIndexing();
    await dialog.press('Index Now');
    await until('all requests but one are answered, and their answers stored', async () => {
      const open = service.requests.filter((request) => request.path.endsWith('/embeddings') && !request.finished);
      const [, done, all] = /(\d+) of (\d+)/.exec(await text(entry)) ?? [];
      return open.length === 1 && done !== undefined && Number(done) + open.flatMap(inputsOf).length === Number(all);
    });
    await notification.press('Cancel');
    assert.equal(await running, undefined);
    await notification.untilSaid('Indexing was stopped; what came back is kept.');
    const lost = service.requests.filter((request) => request.aborted);
    assert.equal(lost.length, 1, 'the open request was closed');
    const missing = lost.flatMap(inputsOf);
    const before = sent().length;
    await notification.press('Resume');
    await notification.untilSaid('sent');
    assert.deepEqual(new Set(sent().slice(before)), new Set(missing));
  });

  it('deleted while it is built, the index is built anew by the next run, which asks first', async () => {
    service.setFault('slow-first-byte-once');
    const running = startIndexing();
    await dialog.press('Index Now');
    await until('a request is open', () => service.requests.some((request) => !request.finished));
    await deleteIndex();
    const next = startIndexing();
    assert.match(await dialog.text(), /Send \d+ chunks of \d+ files/);
    await dialog.press('Cancel');
    assert.equal(await running, undefined);
    assert.equal(await next, undefined);
    assert.deepEqual(
      (await notification.texts()).filter((text) => text.includes('stopped')),
      [],
      'nobody is told that a deleted index was stopped',
    );
  });

  for (const [fault, said, help] of [
    ['401', 'did not accept the API key', 'Set API Key'],
    ['403', 'not allowed to do this', 'Set API Key'],
    ['404', 'nothing at', 'Connect'],
    ['413', 'does not take a request this large', 'Show Log'],
    ['429', 'asks for fewer requests', 'Resume'],
    ['429-quota', 'no quota left', 'Set API Key'],
    ['500', 'failed with status 500', 'Show Log'],
    ['503', 'overloaded', 'Resume'],
    ['html', 'web page', 'Connect'],
    ['cut', 'connection', 'Show Log'],
    ['reset', 'connection', 'Show Log'],
    ['garbage', 'cannot read', 'Test Connection'],
    ['redirect', 'has moved', 'Connect'],
    ['embeddings-short', 'cannot read', 'Test Connection'],
    ['embeddings-zero', 'vectors that cannot be used', 'Test Connection'],
  ] as const) {
    it(`says in one sentence what ${fault} is, with what helps, and resumes`, async () => {
      service.setFault(fault);
      const running = startIndexing();
      await dialog.press('Index Now');
      assert.equal(await running, undefined);
      const sentence = await notification.untilSaid(said);
      assert.match(sentence, /What was indexed so far is kept\.$/);
      assert.doesNotMatch(sentence, /at \w+ \(|\[object|sk-/);
      await waitFor(`.notifications-center .monaco-button:text-is("${help}")`);
      // A warning is out of sight after some seconds; the status bar has the state.
      const icon = ['429', '500', '503', 'cut', 'reset'].includes(fault) ? 'warning' : 'error';
      await waitFor(`.notifications-center .monaco-list-row:has-text("What was indexed") .codicon-${icon}`);
      assert.ok((await find('tide table')).length > 0, 'keywords still work');
      service.setFault(undefined);
      await notification.press('Resume');
      await notification.untilSaid('Indexed');
    });
  }

  for (const [what, said] of [
    ['nothing listens', 'Nothing answers at'],
    ['no such host exists', 'was not found'],
  ] as const) {
    it(`says that ${what}, and offers to connect`, async () => {
      const gone = await startService();
      await gone.close();
      await setting(
        'parley.embeddings.baseUrl',
        what === 'nothing listens' ? gone.baseUrl : 'https://nowhere.invalid/v1',
      );
      try {
        const running = startIndexing();
        await dialog.press('Index Now');
        assert.equal(await running, undefined);
        await notification.untilSaid(said);
        await waitFor('.notifications-center .monaco-button:text-is("Connect")');
      } finally {
        await setting('parley.embeddings.baseUrl', undefined);
      }
    });
  }

  it('says that the certificate of a service is not trusted', async () => {
    const tls = await startService({ tls: readSelfSignedPair(join(repositoryRoot(), 'test', 'service', 'tls')) });
    await setting('parley.embeddings.baseUrl', tls.baseUrl);
    try {
      const running = startIndexing();
      await dialog.press('Index Now');
      assert.equal(await running, undefined);
      await notification.untilSaid('is not trusted on this machine');
      assert.equal(tls.requests.length, 0);
    } finally {
      await setting('parley.embeddings.baseUrl', undefined);
      await tls.close();
    }
  });

  it('says that a service elsewhere needs a key, before it asks for anything else', async () => {
    await setting('parley.apiKeyEnvironmentVariable', undefined);
    await setting('parley.embeddings.baseUrl', 'https://nowhere.invalid/v1');
    try {
      assert.equal(await startIndexing(), undefined);
      await notification.untilSaid('There is no API key for nowhere.invalid.');
      await waitFor('.notifications-center .monaco-button:text-is("Set API Key")');
    } finally {
      await setting('parley.embeddings.baseUrl', undefined);
    }
  });

  it('searches by keywords with no service at all, and says so', async () => {
    await disconnect();
    const result = await startIndexing();
    assert.equal(result?.embedded, 0);
    assert.ok(result && result.files > 5);
    await notification.untilSaid('Searching by keywords');
    await waitFor('.notifications-center .monaco-button:text-is("Connect")');
    const [first] = await find('loadTideTable');
    assert.deepEqual([nameOf(first), first?.why], ['src/tides/loadTable.ts', 'definition']);
    await commands.executeCommand(`${View.search}.focus`);
    await until('the hover of the status bar says so', async () =>
      (await attribute(`${entry} a`, 'aria-label'))?.includes('Keywords only · 100 %'),
    );
    assert.equal(service.requests.length, 0);
  });

  it('answers by keywords when the service does not answer', async () => {
    await indexAll();
    service.setFault('reset');
    const [first] = await find('loadTideTable');
    assert.deepEqual([nameOf(first), first?.why], ['src/tides/loadTable.ts', 'definition']);
  });

  it('learns how many texts the service takes at once', async () => {
    for (let i = 0; i < 40; i++) writeScratch(`part${i}.ts`, `export const part${i} = ${i};\n`);
    service.setFault('embeddings-batch-10');
    const result = await indexAll();
    const good = service.requests.filter((request) => request.path.endsWith('/embeddings') && request.status === 200);
    const taken = good.flatMap(inputsOf);
    assert.equal(new Set(taken).size, result.embedded);
  });

  it('leaves files over the size limit out', async () => {
    writeScratch('large.ts', `// zeppelin\n${'export const a = 1;\n'.repeat(200)}`);
    await setting('parley.search.maxFileSize', 1);
    try {
      assert.ok((await find('zeppelin')).every((hit) => nameOf(hit) !== 'scratch/large.ts'));
    } finally {
      await setting('parley.search.maxFileSize', undefined);
    }
  });

  it('a file that vanished since the search is said to be gone', async () => {
    const file = writeScratch('zeppelin.ts', 'export const zeppelin = 1;\n');
    const [hit] = await find('zeppelin');
    rmSync(file);
    await commands.executeCommand(Command.searchOpenHit, hit);
    await notification.untilSaid('The file of this hit is gone.');
  });

  it('deletes the index only after a yes, and asks again before anything is sent for a new one', async () => {
    await indexAll();
    const kept = commands.executeCommand(Command.searchDeleteIndex);
    await dialog.press('Cancel');
    await kept;
    assert.equal((await startIndexing())?.embedded, 0);
    await deleteIndex();
    const before = service.requests.length;
    const running = startIndexing();
    await dialog.press('Cancel');
    await running;
    assert.equal(service.requests.length, before);
    assert.equal(await visible('.monaco-dialog-box'), false);
  });
});
