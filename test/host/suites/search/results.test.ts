import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { commands, env, Position, Uri, WorkspaceEdit, window, workspace } from 'vscode';
import { Command, View } from '../../../../src/ids/ids.ts';
import type { ReferenceService } from '../../../service/options.ts';
import { chat, frame } from '../support/chatPanel.ts';
import { folder, view, writeScratch } from '../support/codeIndex.ts';
import { closeEditors } from '../support/editors.ts';
import {
  chooseInMenu,
  click,
  dialog,
  fill,
  hover,
  inputBox,
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
import { connectTo, disconnect, startService } from '../support/service.ts';
import { until } from '../support/until.ts';

const row = `${view} .monaco-list-row`;
const message = `${view} .message`;
const gutterMark = '.editor-instance .glyph-margin-widgets .cgmr[class*="ced-"]';
const background = '.editor-instance .view-overlays .cdr[class*="ced-"]';

const write = (path: string, content: string): Uri => Uri.file(writeScratch(path, content));

/** Searches in the list and keeps its hits in the view; nothing of this asks a service. */
async function keep(query: string): Promise<void> {
  await commands.executeCommand(Command.searchQuery);
  await quickPick.filter(query);
  await until('hits are listed', async () =>
    (await texts('.quick-input-list .label-name')).some((label) => /:\d+$/.test(label)),
  );
  await click('.quick-input-widget .quick-input-titlebar .action-label.codicon-list-tree');
  await quickPick.untilClosed();
  await untilMessage(`for “${query}”`);
  // The view takes the focus to its first row once it has drawn the list.
  await waitFor(`${view} .monaco-list:focus .monaco-list-row.focused`);
}

const isSaid = (part: string) => async (): Promise<boolean> =>
  (await texts(message)).some((said) => said.includes(part));

const untilMessage = (part: string): Promise<boolean> => until(`the view says “${part}”`, isSaid(part));

const caretLine = (): number => (window.activeTextEditor?.selection.active.line ?? -1) + 1;
const openFile = (): string => window.activeTextEditor?.document.uri.path.split('/').at(-1) ?? '';

describe('Results of the code search', () => {
  before(async () => {
    const deleting = commands.executeCommand(Command.searchDeleteIndex);
    await dialog.press('Delete Index');
    await deleting;
    await commands.executeCommand(`${View.search}.focus`);
    write('many.ts', manyHits());
    write('zeppelin.ts', `// one\n\nexport function landZeppelin() {\n  return 'zeppelin';\n}\n`);
    write('airship.py', 'def land_zeppelin():\n    return "zeppelin"\n');
    write('deep/mast.ts', '// Where the zeppelin is moored.\nexport const mast = 1;\n');
    write('first.ts', 'export function mooreBlimp() {}\n');
    for (let count = 1; count <= 30; count++)
      write(`fleet/hull${count}.ts`, `export const hull${count} = new Gasbag(${count});\n`);
    write('fleet/lost.ts', `${'export const other = compute(1, 2, 3);\n'.repeat(20)}// gasbag\n`);
    // A list that is kept while files are read holds what was found by then.
    await commands.executeCommand('parley.search.query', 'zeppelin');
  });
  afterEach(async () => {
    await commands.executeCommand(Command.searchClear);
    // VS Code closes a list that opens while an emptied view is drawn.
    await waitFor(row, { state: 'hidden' });
    await closeEditors();
    await notification.clear();
  });
  after(() => rmSync(join(folder(), 'scratch'), { recursive: true, force: true }));

  it('says for each hit why it was found and how well it fits, in the view and in the editor', async () => {
    await keep('zeppelin');
    const hit = `${row}:has-text("landZeppelin")`;
    assert.match(await text(hit), /(by words|defines it) · \d\.\d\d$/);
    await click(hit);
    await until('it is open', () => openFile() === 'zeppelin.ts');
    await waitFor(gutterMark);
    await waitFor(background);
    await hover('.editor-instance .view-line span:text("landZeppelin")');
    await waitFor('.monaco-hover:has-text("· score")');
    await screenshot('search-marks');
  });

  it('a click shows the hit and leaves the focus in the list; Enter goes there', async () => {
    await keep('zeppelin');
    await click(`${row}:has-text("landZeppelin")`);
    await until('it is open', () => openFile() === 'zeppelin.ts');
    assert.ok(await visible(`${view} .monaco-list:focus`), 'the focus stays in the list');
    assert.ok(await visible('.tab.active .monaco-icon-label.italic'), 'it is a preview');
    await waitFor(`${row}.focused:has-text("landZeppelin")`);
    await press('Enter');
    await waitFor('.editor-instance .monaco-editor.focused');
  });

  it('marks every hit in every editor of its file, follows its lines, and forgets it when they are edited', async () => {
    const editor = await window.showTextDocument(Uri.file(join(folder(), 'scratch', 'many.ts')));
    await keep('dirigible');
    // Of one file, its three best hits are listed first.
    await commands.executeCommand(Command.searchMoreHits);
    const marked = async (): Promise<number> => (await texts(gutterMark)).length;
    await until('its hits are marked', async () => (await marked()) > 1);
    // VS Code draws the rows of a list that grows in any order: the first in the page need not be the best.
    const firstLine = async (): Promise<number> => Math.min(...(await listedLines('many.ts')));
    await until('its hits are listed', async () => (await listedLines('many.ts')).length > 3);
    const line = await untilSame('the first line', firstLine);
    await editor.edit((edit) => edit.insert(new Position(0, 0), '// new\n// lines\n'));
    await until('the list has the new lines', async () => (await firstLine()) === line + 2);
    // Counted only now: the new lines may have moved a mark out of sight.
    const before = await untilSame('the marks in sight', marked);
    assert.ok(await editor.edit((edit) => edit.insert(new Position(line + 1, 0), ' ')));
    await until('an edited hit has no mark', async () => (await marked()) === before - 1);
    await commands.executeCommand(Command.searchClear);
    await waitFor(gutterMark, { state: 'hidden' });
  });

  it('lists twenty hits, and the others on demand, in the view as in the list', async () => {
    await keep('gasbag');
    await untilMessage('20 hits');
    const more = `${row}:has-text("More Hits")`;
    await click(`${view} .monaco-list`);
    await press('End');
    const [, count = ''] = /Show (\d+) More Hits/.exec(await text(more)) ?? [];
    assert.ok(Number(count) >= 11, count);
    await screenshot('search-more');
    await click(more);
    await untilMessage(`${20 + Number(count)} hits`);
    await waitFor(more, { state: 'hidden' });
    await commands.executeCommand(Command.searchQuery);
    await quickPick.filter('gasbag');
    await until('hits are listed', async () =>
      (await quickPick.items()).some((label) => /^hull\d+\.ts:\d+$/.test(label)),
    );
    // The key goes round the end of the list, of which VS Code draws what is in sight.
    await press('ArrowUp');
    const active = '.quick-input-list .monaco-list-row.focused .label-name';
    await waitFor(`${active}:has-text("Show ${count} More Hits")`);
    await press('Enter');
    await waitFor(`${active}:has-text(".ts:")`);
    assert.ok(!(await quickPick.items()).some((label) => label.includes('More Hits')));
    await press('Escape');
  });

  it('follows the lines of hits that are not listed yet', async () => {
    const editor = await window.showTextDocument(Uri.file(join(folder(), 'scratch', 'fleet', 'lost.ts')));
    await keep('gasbag');
    assert.deepEqual(await listedLines('lost.ts'), []);
    await editor.edit((edit) => edit.insert(new Position(0, 0), '// new\n// lines\n'));
    await commands.executeCommand(Command.searchMoreHits);
    await click(`${view} .monaco-list`);
    await until('its line is the new one', async () => {
      await press('End');
      return (await listedLines('lost.ts'))[0] === 23;
    });
  });

  it('keeps nothing of a search that was cleared meanwhile', async () => {
    await window.showTextDocument(Uri.file(join(folder(), 'scratch', 'airship.py')));
    const finding = commands.executeCommand(Command.searchFindSimilar);
    await commands.executeCommand(Command.searchClear);
    await finding;
    assert.deepEqual(
      (await texts(message)).filter((said) => said.includes('like:')),
      [],
    );
    assert.equal(await visible(row), false);
  });

  it('marks what matched in the view, and tints only the lines that show why', async () => {
    await keep('zeppelin');
    const label = `${row}:has-text("landZeppelin") .monaco-highlighted-label .highlight`;
    assert.deepEqual(await texts(label), ['Zeppelin']);
    await click(`${row}:has-text("landZeppelin")`);
    await until('it is open', () => openFile() === 'zeppelin.ts');
    await waitFor(background);
    await waitFor('.editor-instance .view-overlays [class*="ced-"]');
    await screenshot('search-tint');
  });

  it('follows a file that is renamed', async () => {
    const [from, to] = ['first.ts', 'second.ts'].map((name) => Uri.file(join(folder(), 'scratch', name)));
    assert.ok(from && to);
    await keep('moore blimp');
    await waitFor(`${row}:has-text("first.ts")`);
    const edit = new WorkspaceEdit();
    edit.renameFile(from, to);
    assert.ok(await workspace.applyEdit(edit));
    await waitFor(`${row}:has-text("second.ts")`);
    await click(`${row}:has-text("mooreBlimp")`);
    await until('it is open', () => openFile() === 'second.ts');
    // One that is not listed yet follows, too.
    await keep('gasbag');
    const fleet = (name: string): Uri => Uri.file(join(folder(), 'scratch', 'fleet', name));
    const hidden = new WorkspaceEdit();
    hidden.renameFile(fleet('lost.ts'), fleet('found.ts'));
    assert.ok(await workspace.applyEdit(hidden));
    await commands.executeCommand(Command.searchMoreHits);
    await click(`${view} .monaco-list`);
    // The further hits are drawn at some time after the command.
    await until('the end of the list is the file', async () => {
      await press('End');
      return visible(`${row}:has-text("found.ts")`);
    });
  });

  it('goes from hit to hit with F4 and Shift+F4, round the end, and the list goes along', async () => {
    await keep('zeppelin');
    const place = (): string => `${openFile()}:${caretLine()}`;
    const pressUntilMoved = async (key: string): Promise<string> => {
      const before = place();
      await press(key);
      return until('another hit is open', () => (place() !== before && openFile() !== '' ? place() : undefined));
    };
    const first = await pressUntilMoved('F4');
    await waitFor(`${row}.selected[aria-level="2"]`);
    const last = await pressUntilMoved('Shift+F4');
    assert.equal(await pressUntilMoved('F4'), first);
    const second = await pressUntilMoved('F4');
    assert.equal(new Set([first, second, last]).size, 3);
    assert.equal(await pressUntilMoved('Shift+F4'), first);
  });

  it('begins with the best hit of a file, wherever it stands, and counts those that are not listed', async () => {
    const filler = (at: number): string => `// A harbour with a quagga, ${at}.\n${'// Nothing else.\n'.repeat(60)}\n`;
    const parts = Array.from({ length: 6 }, (_, at) => filler(at));
    write('menagerie.ts', `${parts.join('')}export function quaggaKeeper() {\n  return "quagga keeper";\n}\n`);
    await until('the file is found', async () => {
      const hits = await commands.executeCommand<unknown[]>(Command.searchQuery, 'quaggaKeeper');
      return hits.length > 0;
    });
    await keep('quaggaKeeper quagga');
    await waitFor(`${row}[aria-level="1"]:has-text("menagerie.ts")`);
    const best = await texts(`${row}[aria-level="2"]`);
    assert.match(best[0] ?? '', /quaggaKeeper/);
    await screenshot('search-best-first');
    await press('F4');
    await until('the best hit is open', () => openFile() === 'menagerie.ts' && caretLine() > 300);
  });

  it('says of a name that is left out that it is, and why', async () => {
    write('longline.js', `const quagga = "${'x'.repeat(12_000)}";\n`);
    await commands.executeCommand(Command.searchQuery);
    await until('the file is left out', async () => {
      await quickPick.filter('');
      await quickPick.filter('longline.js');
      return until('a row is there', async () => (await quickPick.items().catch(() => []))[0]).then(async () =>
        (await texts('.quick-input-list .label-name')).includes('longline.js is left out as minified'),
      );
    });
    await screenshot('search-left-out');
  });

  it('narrows the results by language, folder and pattern, says so, and takes that back', async () => {
    await keep('zeppelin');
    await waitFor(`${row}:has-text("airship.py")`);
    await commands.executeCommand('workbench.action.closeQuickOpen');
    void commands.executeCommand(Command.searchFilter);
    await screenshot('search-filter');
    await quickPick.choose('Language');
    await quickPick.untilAsked('Only files of this language');
    await quickPick.filter('typescript');
    await quickPick.choose('typescript');
    await untilMessage('only typescript');
    await waitFor(`${row}:has-text("airship.py")`, { state: 'hidden' });
    await waitFor(`${row}:has-text("zeppelin.ts")`);
    void commands.executeCommand(Command.searchFilter);
    await quickPick.choose('Folder');
    await quickPick.untilAsked('Only files in this folder; another one can be typed');
    await quickPick.choose('scratch/deep');
    await untilMessage('in scratch/deep');
    await waitFor(`${row}:has-text("zeppelin.ts")`, { state: 'hidden' });
    await waitFor(`${row}:has-text("mast.ts")`);
    await screenshot('search-filtered');
    await commands.executeCommand(Command.searchClearFilters);
    await waitFor(`${row}:has-text("airship.py")`);
    void commands.executeCommand(Command.searchFilter);
    await quickPick.choose('Files');
    await inputBox.enter('*.py', 'Files');
    await untilMessage('only *.py');
    await waitFor(`${row}:has-text("zeppelin.ts")`, { state: 'hidden' });
  });

  it('narrows the results to what changed since a revision, and says of an unknown one that it is', async () => {
    await keep('tide table');
    void commands.executeCommand(Command.searchFilter);
    await quickPick.choose('Changed Since');
    await inputBox.enter('HEAD', 'Changed Since');
    await untilMessage('Nothing found for “tide table” · only changed since HEAD');
    void commands.executeCommand(Command.searchFilter);
    await quickPick.choose('Changed Since');
    await inputBox.enter('no-such-branch', 'Changed Since');
    await notification.untilSaid('no-such-branch');
  });

  it('has the searches that led somewhere in its history, the latest first, each to be made again or removed', async () => {
    await keep('zeppelin');
    await keep('mast');
    await commands.executeCommand(Command.searchClear);
    const choosing = commands.executeCommand(Command.searchHistory);
    await quickPick.untilListed('zeppelin');
    assert.deepEqual((await quickPick.items()).slice(0, 2), ['mast', 'zeppelin']);
    await screenshot('search-history');
    await quickPick.choose('zeppelin');
    await choosing;
    await untilMessage('for “zeppelin”');
    await waitFor(`${row}:has-text("zeppelin.ts")`);
    await commands.executeCommand(Command.searchQuery);
    await quickPick.untilListed('mast');
    assert.deepEqual((await quickPick.items()).slice(0, 2), ['zeppelin', 'mast'], 'an empty list offers them, too');
    await quickPick.choose('mast');
    await quickPick.untilListed('mast.ts:2');
    await press('Escape');
  });

  it('makes the same search again', async () => {
    await keep('zeppelin');
    await untilMessage('3 hits');
    const editor = await window.showTextDocument(write('later.ts', 'export const later = 2;\n'));
    await editor.edit((edit) => edit.insert(new Position(0, 0), '// Not a zeppelin.\n'));
    await editor.document.save();
    await until('the new file is found', async () => {
      await commands.executeCommand(Command.searchRefresh);
      return (await texts(message)).join().includes('4 hits');
    });
  });

  it('is worked with by keys alone: a query, a peek, the list kept, a hit opened, the menu of a row', async () => {
    await commands.executeCommand(Command.searchQuery);
    await waitFor('.quick-input-widget .quick-input-box input:focus');
    await type('zeppelin');
    await until('hits are listed', async () =>
      (await quickPick.items().catch(() => [])).some((one) => /:\d+$/.test(one)),
    );
    await press('ArrowDown');
    await press('ArrowRight');
    await until('a hit is shown', () => openFile() !== '');
    await press('Shift+Alt+F');
    await quickPick.untilAsked('What to narrow the search by');
    await type('Language');
    await press('Enter');
    await quickPick.untilAsked('Only files of this language');
    await type('typescript');
    await quickPick.untilListed('typescript');
    await press('Enter');
    await until('the list is narrowed', async () => {
      const labels = await quickPick.items().catch(() => []);
      return labels.some((label) => label.startsWith('zeppelin.ts:')) && !labels.some((label) => /airship/.test(label));
    });
    await press('Alt+Enter');
    await untilMessage('only typescript');
    await waitFor(`${view} .monaco-list:focus .monaco-list-row.focused[aria-level="1"]`);
    await closeEditors();
    await commands.executeCommand(`${View.search}.focus`);
    await press('ArrowDown');
    await waitFor(`${row}.focused[aria-level="2"]`);
    await press('Enter');
    await until('the hit is open', () => openFile() !== '');
    await waitFor('.editor-instance .monaco-editor.focused');
    await commands.executeCommand(`${View.search}.focus`);
    await press('Shift+F10');
    await waitFor('.monaco-menu .action-label:text-is("Find Similar")');
    await press('Escape');
  });

  it('finds code like a hit of the list', async () => {
    await keep('zeppelin');
    const hit = `${row}[aria-level="2"]:has-text("land_zeppelin")`;
    await chooseInMenu(hit, 'Find Similar', isSaid('for “like: def land_zeppelin():”'));
    await waitFor(`${row}:has-text("zeppelin.ts")`);
    await waitFor(hit, { state: 'hidden' });
  });

  it('has a menu for each row: open to the side, copy the path, dismiss', async () => {
    await keep('zeppelin');
    const hit = `${row}[aria-level="2"]:has-text("landZeppelin")`;
    await chooseInMenu(
      hit,
      'Copy Path',
      async () => (await env.clipboard.readText()) === join(folder(), 'scratch', 'zeppelin.ts'),
    );
    await window.showTextDocument(Uri.file(join(folder(), 'README.md')));
    await chooseInMenu(
      hit,
      'Open to the Side',
      () => window.visibleTextEditors.length === 2 && openFile() === 'zeppelin.ts',
    );
    await waitFor(gutterMark);
    await chooseInMenu(hit, 'Dismiss', async () => !(await visible(hit)));
    await waitFor(gutterMark, { state: 'hidden' });
  });
});

/** Each long enough to be a hit of its own, and all of them to be seen at once. */
function manyHits(): string {
  const filler = (name: string): string =>
    Array.from(
      { length: 60 },
      (_, i) =>
        `  const ${name}${i} = compute(${i}, 'a value of some length', ${i * 7}, [${i}, 2, 3, 4, 5], { keyed: 'by', its: 'name' });`,
    ).join('\n');
  return ['a', 'b', 'c'].map((name) => `export function dirigible_${name}() {\n${filler(name)}\n}\n`).join('\n');
}

/** What is read twice in a row. */
async function untilSame(what: string, read: () => Promise<number>): Promise<number> {
  let last: number | undefined;
  return until(`${what} stay the same`, async () => {
    const before = last;
    last = await read();
    return last === before ? last : undefined;
  });
}

/** The line numbers the view shows for a file. */
async function listedLines(name: string): Promise<number[]> {
  const rows = await texts(row);
  const at = rows.findIndex((label) => label.includes(name));
  const lines: number[] = [];
  for (const label of rows.slice(at + 1)) {
    const [, line] = /^(\d+):/.exec(label.trim()) ?? [];
    if (line === undefined) break;
    lines.push(Number(line));
  }
  return lines;
}

describe('A question in the chat about the workspace', () => {
  let service: ReferenceService;

  before(async () => {
    service = await startService();
    await connectTo(service);
  });
  after(async () => {
    await disconnect();
    await service.close();
    await notification.clear();
  });

  it('gets what the search finds as chips, which can be removed, and only they are sent', async () => {
    await commands.executeCommand(Command.chatNew);
    await chat.open();
    await fill('.box', 'loadTideTable', { frame });
    await click('[aria-label="Search Workspace for This Question"]', { frame });
    const chips = await until('chips are there', async () => {
      const labels = await texts('.composer .chip-label', { frame });
      return labels.length > 1 ? labels : undefined;
    });
    assert.ok(chips[0]?.startsWith('loadTable.ts:'), chips.join());
    assert.equal(service.requests.filter(({ path }) => path.endsWith('/chat/completions')).length, 0);
    await screenshot('chat-search');
    // The size of each comes a moment later, and moves its button.
    await until('the sizes are there', async () => {
      return (await texts('.composer .chip-tokens', { frame })).length === chips.length;
    });
    for (let left = chips.length; left > 1; left--) {
      await click('.composer .chip:last-child .icon-button', { frame });
      await until('it is gone', async () => (await texts('.composer .chip-label', { frame })).length === left - 1);
    }
    await click('.box', { frame });
    await press('Enter');
    await chat.untilAnswered();
    const asked = service.requests.filter(({ path }) => path.endsWith('/chat/completions'));
    assert.equal(asked.length, 1);
    const sent = JSON.stringify(asked[0]?.body);
    assert.match(sent, /From src\/tides\/loadTable\.ts, lines \d+ to \d+/);
    assert.equal(sent.match(/From [\w/.]+, lines? \d/g)?.length, 1);
  });

  it('is told when nothing was found', async () => {
    await commands.executeCommand(Command.chatNew);
    await chat.open();
    await fill('.box', 'qqxyzzyqq', { frame });
    await click('[aria-label="Search Workspace for This Question"]', { frame });
    await notification.untilSaid('Nothing in the workspace was found for this question.');
    // A draft would stand in the way of what asks next.
    await fill('.box', '', { frame });
  });
});
