import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commands, Position, Uri, window, workspace } from 'vscode';
import type { IndexResult } from '../../../../src/editor/api.ts';
import { Command, View } from '../../../../src/ids/ids.ts';
import type { RecordedRequest, ReferenceService } from '../../../service/options.ts';
import { deleteIndex, entry, folder, inputsOf, startIndexing, untilShown } from '../support/codeIndex.ts';
import { closeEditors } from '../support/editors.ts';
import {
  attribute,
  click,
  dialog,
  notification,
  press,
  quickPick,
  screenshot,
  texts,
  visible,
  waitFor,
} from '../support/hands.ts';
import { connectTo, disconnect, setting, startService } from '../support/service.ts';
import { until } from '../support/until.ts';

const scratch = (): string => join(folder(), 'scratch');
/** The view is alone in its container, whose bar is its own. */
const viewProgress = '.part.sidebar .monaco-progress-container.active';

/** Enough files for some requests, each with a text of its own. */
function writeFiles(count: number): void {
  mkdirSync(scratch(), { recursive: true });
  for (let i = 0; i < count; i++) {
    writeFileSync(
      join(scratch(), `part${i}.ts`),
      `export const part${i} = ${JSON.stringify('ship '.repeat(20) + i)};\n`,
    );
  }
}

/** Has git wait, whenever it lists files, for somebody to write into a pipe; gives what lets it go on. */
function holdGit(): () => void {
  const cwd = join(scratch(), '..');
  const pipe = join(cwd, '.git', 'pipe');
  execFileSync('mkfifo', [pipe]);
  execFileSync('git', ['config', 'core.excludesFile', pipe], { cwd });
  return () => {
    execFileSync('git', ['config', '--unset', 'core.excludesFile'], { cwd });
    // Whoever waits at its other end goes on.
    execFileSync('sh', ['-c', ': <> "$1"', 'sh', pipe]);
    rmSync(pipe);
  };
}

/** Whether git lists files now, for some: what it was called with is in `/proc`. */
function gitLists(): boolean {
  return readdirSync('/proc').some((process) => {
    try {
      return (
        /^\d+$/.test(process) && readFileSync(join('/proc', process, 'cmdline'), 'utf8').includes('ls-files\0-cost')
      );
    } catch {
      // It has ended.
      return false;
    }
  });
}

describe('Building the index', () => {
  let service: ReferenceService;

  const asked = (): RecordedRequest[] => service.requests.filter(({ path }) => path.endsWith('/embeddings'));
  const answered = (): string[] =>
    asked()
      .filter(({ status, finished, aborted }) => status === 200 && finished && !aborted)
      .flatMap(inputsOf);

  beforeEach(async () => {
    service = await startService();
    await connectTo(service);
    await deleteIndex();
    await commands.executeCommand(`${View.search}.focus`);
    writeFiles(150);
  });
  afterEach(async () => {
    await setting('parley.embeddings.dailyTokenBudget', undefined);
    await setting('parley.embeddings.pricePerMillionTokens', undefined);
    await setting('parley.embeddings.documentPrefix', undefined);
    await setting('parley.embeddings.queryPrefix', undefined);
    await closeEditors();
    await service.close();
    rmSync(scratch(), { recursive: true, force: true });
    await notification.clear();
  });
  after(disconnect);

  it('says the price before anything is sent, and shows file by file what would be sent and what not', async () => {
    writeFileSync(join(scratch(), 'server.pem'), 'not a certificate');
    await setting('parley.embeddings.pricePerMillionTokens', 2);
    const running = startIndexing();
    assert.match(await dialog.text(), /That costs about 0\.0\d+/);
    await screenshot('search-preview');
    await untilShown('Index the workspace?');
    await dialog.press('Show Details');
    const shown = await until('the list is open', () =>
      window.activeTextEditor?.document.uri.scheme === 'parley-index' ? window.activeTextEditor.document : undefined,
    );
    assert.match(shown.getText(), /scratch\/part7\.ts · 1 chunk, about \d+ tokens/);
    assert.match(shown.getText(), /1 file with the name of a secret\n {2}scratch\/server\.pem/);
    assert.equal(service.requests.length, 0);
    await notification.press('Index Now');
    assert.ok(((await running)?.embedded ?? 0) >= 150);
  });

  it('an index made anew takes what was paid for from this machine, and asks only for the questions', async () => {
    const first = startIndexing();
    await dialog.press('Index Now');
    const { embedded = 0 } = (await first) ?? {};
    const removing = commands.executeCommand(Command.searchDeleteIndex);
    await dialog.press('Delete Index');
    await removing;
    const before = service.requests.length;
    const again = startIndexing();
    assert.match(await dialog.text(), /Send what you search for to 127\.0\.0\.1:\d+\?/);
    assert.match(await dialog.text(), /\d+ chunks of \d+ files are known on this machine already: nothing/);
    await dialog.press('Index Now');
    assert.deepEqual([(await again)?.embedded, (await again)?.chunks], [0, embedded]);
    assert.equal(service.requests.length, before);
    await untilShown('files');
    const [hit] = await commands.executeCommand<{ why: string }[]>(Command.searchQuery, 'boats that float');
    assert.ok(hit);
    assert.equal(service.requests.length, before + 1, 'the question went to the service');
  });

  it('puts the instructions before texts and questions', async () => {
    await setting('parley.embeddings.documentPrefix', 'passage: ');
    await setting('parley.embeddings.queryPrefix', 'query: ');
    const running = startIndexing();
    await dialog.press('Index Now');
    await running;
    assert.ok(
      asked()
        .flatMap(inputsOf)
        .every((text) => text.startsWith('passage: ')),
    );
    await commands.executeCommand(Command.searchQuery, 'where is the tide table');
    assert.deepEqual(inputsOf(asked().at(-1) as RecordedRequest), ['query: where is the tide table']);
  });

  it('a pause lets requests come home and be kept; Resume asks only for the rest', async () => {
    service.setFault('slow-first-byte');
    const running = startIndexing();
    await dialog.press('Index Now');
    await until('requests are on their way', () => asked().some((one) => !one.finished));
    await commands.executeCommand(Command.searchPause);
    await untilShown('Indexing paused');
    await screenshot('search-paused');
    service.setFault(undefined);
    service.release();
    assert.equal(await running, undefined);
    assert.ok(
      asked().every(({ aborted }) => !aborted),
      'no request was closed',
    );
    const known = answered();
    assert.ok(known.length > 0 && known.length < 150, `${known.length} were answered`);
    await untilShown('Indexing paused');
    const document = await workspace.openTextDocument(Uri.file(join(scratch(), 'part0.ts')));
    const editor = await window.showTextDocument(document);
    await editor.edit((edit) => edit.insert(new Position(0, 0), '// A zeppelin lands.\n'));
    assert.ok(await document.save());
    const askedBefore = asked().length;
    await until('what was saved is found by its words', async () => {
      const hits = await commands.executeCommand<{ text: string }[]>(Command.searchQuery, 'zeppelin');
      return hits.some(({ text }) => text.includes('zeppelin'));
    });
    const since = asked().slice(askedBefore).flatMap(inputsOf);
    assert.ok(
      since.every((text) => text === 'zeppelin'),
      'a save sends nothing while indexing is paused',
    );
    const files = (): string[] => answered().filter((text) => text !== 'zeppelin');
    const { embedded } = (await commands.executeCommand<IndexResult>(Command.searchResume)) ?? {};
    assert.equal(new Set(files()).size, files().length, 'nothing was asked twice');
    assert.equal(files().length - known.length, embedded);
    await untilShown('files');
  });

  it('Cancel closes the requests at once, says how much is in, and Resume asks only for the rest', async () => {
    service.setFault('slow-first-byte-once');
    const running = startIndexing();
    await dialog.press('Index Now');
    await until(
      'one request is on its way, the others came home',
      () => answered().length > 0 && asked().filter((one) => !one.finished).length === 1,
    );
    await until('the status bar counts chunks', async () =>
      /Indexing [\d,]+ of [\d,]+/.test((await texts(entry)).join()),
    );
    // VS Code shows a bar only of what takes a moment.
    await until('the view has a bar', () => visible(viewProgress));
    await click(`${entry} a`);
    await quickPick.untilListed('Pause Indexing');
    await screenshot('search-actions');
    await quickPick.choose('Cancel Indexing');
    assert.equal(await running, undefined);
    assert.equal(asked().filter(({ aborted }) => aborted).length, 1);
    await until('the status bar says how much is in', async () => /Indexed \d+ ?%/.test((await texts(entry)).join()));
    await until('its hover says of how many', async () =>
      /\d+ of \d+ files by meaning · 100 %/.test((await attribute(`${entry} a`, 'aria-label')) ?? ''),
    );
    const known = answered();
    await notification.press('Resume');
    await notification.untilSaid('Indexed');
    await untilShown('files');
    assert.equal(new Set(answered()).size, answered().length);
    assert.ok(answered().length > known.length);
  });

  it('says that it lists the files while git has not answered', async () => {
    const release = holdGit();
    const running = startIndexing();
    try {
      await untilShown('Listing files');
      await screenshot('search-listing');
    } finally {
      release();
    }
    await dialog.press('Index Now');
    await running;
    await untilShown('files');
  });

  it('says it, too, while a file that was saved waits for git first', async () => {
    const first = startIndexing();
    await dialog.press('Index Now');
    await first;
    // VS Code remembers for a while the text of a file that another test had open, and refuses to save over a newer one.
    const document = await workspace.openTextDocument(Uri.file(join(scratch(), 'part1.ts')));
    const editor = await window.showTextDocument(document);
    await editor.edit((edit) => edit.insert(new Position(0, 0), '// A barque.\n'));
    const release = holdGit();
    let running: ReturnType<typeof startIndexing>;
    try {
      assert.ok(await document.save());
      await until('git is asked for what was saved', gitLists);
      running = startIndexing();
      await untilShown('Listing files');
      assert.ok(gitLists(), 'it was said while git held up what was saved');
    } finally {
      release();
    }
    await running;
    await untilShown('files');
  });

  it('says that it is brought up to date while many files that changed wait, and answers meanwhile', async () => {
    const first = startIndexing();
    await dialog.press('Index Now');
    await first;
    await untilShown('files');
    const release = holdGit();
    try {
      for (let i = 0; i < 60; i++) {
        writeFileSync(join(scratch(), `part${i}.ts`), `export const other${i} = "barque ${i}";\n`);
      }
      await untilShown('Updating');
      assert.match(
        (await attribute(`${entry} a`, 'aria-label')) ?? '',
        /^Parley: Code Search · The index is being brought up/,
      );
      await commands.executeCommand(Command.searchQuery);
      await quickPick.filter('tide table');
      await until('hits are listed', async () =>
        (await quickPick.items().catch(() => [])).some((item) => /:\d+$/.test(item)),
      );
      await until('the title says so', async () =>
        (await texts('.quick-input-title')).join().includes('being brought up to date'),
      );
      await screenshot('search-updating');
      assert.ok(gitLists(), 'it was answered while git held the update up');
    } finally {
      release();
    }
    await press('Escape');
    await untilShown('files');
  });

  it('keeps its entry after Delete Index, which leads to a new one', async () => {
    const first = startIndexing();
    await dialog.press('Index Now');
    await first;
    await deleteIndex();
    await untilShown('Not indexed');
    await click(`${entry} a`);
    await quickPick.untilListed('Index Workspace');
    await press('Escape');
  });

  it('answers while files are read with what there is, and again when they are', async () => {
    const release = holdGit();
    try {
      // Files may have been listed before git was held, or be read still: without its index Parley lists them again.
      await until('files are listed while git is held', async () => {
        await press('Escape');
        await deleteIndex();
        await commands.executeCommand(Command.searchQuery);
        await quickPick.filter('tide table');
        const shown = await until('anything is shown', async () => {
          const items = await quickPick.items().catch(() => []);
          return items.find((item) => item === 'Listing files…' || /:\d+$/.test(item));
        });
        return shown === 'Listing files…';
      });
    } finally {
      release();
    }
    await until('hits are listed', async () =>
      (await quickPick.items().catch(() => [])).some((one) => /:\d+$/.test(one)),
    );
    await press('Escape');
  });

  it('says until when the service has it wait', async () => {
    service.setFault('429-long');
    const running = startIndexing();
    await dialog.press('Index Now');
    await untilShown('Indexing waits until');
    assert.equal(await visible('.statusbar-item:has-text("Parley waits until")'), false, 'it is said once');
    await screenshot('search-waiting');
    service.setFault(undefined);
    await commands.executeCommand('notifications.showList');
    await notification.press('Cancel');
    await running;
  });

  it('a failure is shown with what helps behind it, whatever is deleted meanwhile, and Resume ends well', async () => {
    const doomed = join(scratch(), 'doomed.ts');
    writeFileSync(doomed, 'export const dreadnought = 1;\n');
    service.setFault('401');
    const running = startIndexing();
    await dialog.press('Index Now');
    await running;
    await untilShown('Indexing failed');
    rmSync(doomed);
    await until('what was deleted is found no more', async () => {
      const hits = await commands.executeCommand<{ text: string }[]>(Command.searchQuery, 'dreadnought');
      return !hits.some(({ text }) => text.includes('dreadnought'));
    });
    await untilShown('Indexing failed');
    // The view is alone in its container, whose title has its actions.
    await waitFor('.sidebar .title-actions [aria-label^="Resume Indexing"]');
    await screenshot('search-failed');
    service.setFault(undefined);
    await click(`${entry} a`);
    await quickPick.choose('Resume Indexing');
    await untilShown('files');
    await notification.untilSaid('Indexed');
  });

  it('keeps to the daily budget, says so, and goes on when there is more; questions always go', async () => {
    await setting('parley.embeddings.dailyTokenBudget', 3_000);
    const running = startIndexing();
    assert.match(await dialog.text(), /The daily budget is 3,000 tokens/);
    await dialog.press('Index Now');
    assert.equal(await running, undefined);
    await notification.untilSaid('The daily token budget is spent.');
    await untilShown('Indexing paused until tomorrow');
    const sent = answered();
    assert.ok(sent.length > 0 && sent.length < 150, String(sent.length));
    const before = asked().length;
    await commands.executeCommand(Command.searchQuery, 'where is the tide table');
    assert.equal(asked().length, before + 1);
    await setting('parley.embeddings.dailyTokenBudget', undefined);
    await commands.executeCommand(Command.searchResume);
    const all = answered().filter((text) => text !== 'where is the tide table');
    assert.equal(new Set(all).size, all.length);
    await untilShown('files');
  });

  it('the report tells files, tokens, sizes and what is left out', async () => {
    writeFileSync(join(scratch(), 'server.pem'), 'not a certificate');
    const running = startIndexing();
    await dialog.press('Index Now');
    await running;
    await notification.clear();
    await commands.executeCommand(Command.searchReport);
    const report = (await workspace.openTextDocument(Uri.parse('parley-index:/Index Report.md'))).getText();
    await screenshot('search-report');
    assert.match(report, /\| State \| Ready \|/);
    assert.match(report, /\| Coverage \| 100 % of [\d,]+ lines in \d+ files \|/);
    assert.match(report, /\| Model \| parley-embed \|/);
    assert.match(report, /\| Tokens sent today \| [\d,]+ \|/);
    assert.match(report, /\| Index on the disk \| [\d.,\\]+ [kM]B \|/);
    assert.match(report, /- 1 file with the name of a secret/);
  });
});
